import { Fault } from '#contract/faults/fault.ts'
import type { Me, getMe } from '#contract/me.ts'
import type { Surface } from '#contract/surface.ts'
import { rateOfKey, type DefaultRates } from '#contract/rate-limits.ts'
import { rateLimitFromRow } from '../rate-limits/rows.ts'
import { rotateBy } from '../key-policy/violations.ts'
import type { Db, Handler } from '../execution/handler.ts'
import { policyFromRow } from '../key-policy/rows.ts'

export const get =
  (rates: DefaultRates): Handler<typeof getMe> =>
  async (_input, { db, principal }) => {
    const key = await findOwnKey(db, principal.id)
    const [secret] = key.secrets
    const workspaces = key.bound ? [key.workspace] : key.grants.map(({ workspace }) => workspace)
    const checked = { ...key, secretCreatedAt: secret?.createdAt ?? key.createdAt }
    const due = rotateBy(checked, key.maxAgeDays, workspaces.map(policyFromRow))
    const rate = rateOfKey(rateLimitFromRow(key), workspaces.map(rateLimitFromRow), rates)
    return {
      object: 'me',
      apiKey: {
        id: key.id,
        name: key.name,
        prefix: secret?.prefix ?? '',
        ownerId: key.ownerId,
        owner: ownerOf(key),
        homeWorkspaceId: key.workspaceId,
        surfaces: key.surfaces as Surface[],
        expiresAt: key.expiresAt?.toISOString() ?? null,
        rotateBy: due?.toISOString() ?? null,
      },
      scopes: key.scopes,
      workspaces: workspaces.map(({ id, name, slug, timeZone, defaultCurrency, suspendedAt }) => ({
        id,
        name,
        slug,
        timeZone,
        defaultCurrency,
        suspended: suspendedAt !== null,
      })),
      workspaceSelection: {
        required: !key.bound,
        defaultWorkspaceId: key.bound ? key.workspaceId : null,
        header: 'x-workspace-id',
        parameter: 'workspaceId',
      },
      rateLimit: principal.quota && { ...principal.quota, burst: rate.burst },
    }
  }

/** A member who was removed is nobody's `me` any more. */
function ownerOf({ owner }: Pick<OwnKey, 'owner'>): Me['apiKey']['owner'] {
  if (owner === null || owner.deletedAt !== null) return null
  const { id, name, email, role } = owner
  return { id, name, email, role }
}

type OwnKey = Awaited<ReturnType<typeof findOwnKey>>

async function findOwnKey(db: Db, id: string) {
  const key = await db.apiKey.findUnique({
    where: { id },
    include: {
      workspace: true,
      owner: true,
      grants: { include: { workspace: true }, orderBy: { workspaceId: 'asc' } },
      secrets: { orderBy: { createdAt: 'desc' }, take: 1 },
    },
  })
  if (key === null) throw new Fault('not_found', 'The key is gone.')
  return key
}
