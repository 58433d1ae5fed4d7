// `me`: the calling key reads what it is and may do, and rotates its own secret.
import { Fault } from '#contract/faults/fault.ts'
import type { Me, getMe, rotateMe } from '#contract/me.ts'
import { rateOfKey, type DefaultRates } from '#contract/rate-limits.ts'
import type { Surface } from '#contract/surface.ts'
import type { Handlers, Db, Handler } from '../../execution/call.ts'
import { rotateKey } from '../api-keys/operations.ts'
import { policyFromRow } from '../key-policy/rows.ts'
import { rotateBy } from '../key-policy/rules.ts'
import { rateLimitFromRow } from '../rate-limits/rules.ts'

type MeDeps = { readonly rates: DefaultRates }

export const meHandlers = ({ rates }: MeDeps) =>
  ({
    'me.get': get(rates),
    'me.rotate': rotate,
  }) satisfies Partial<Handlers>

const get =
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
      workspaces: workspaces.map(({ id, name, slug, timeZone, defaultCurrency, suspendedAt, sandbox }) => ({
        id,
        name,
        slug,
        timeZone,
        defaultCurrency,
        suspended: suspendedAt !== null,
        sandbox,
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

/** Returns null for an owner who was removed. */
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

const rotate: Handler<typeof rotateMe> = async ({ overlapHours }, call) => {
  await assertHomeWorkspace(call.db, call.workspaceId, call.principal.id)
  return rotateKey(call.principal.id, overlapHours, call)
}

/** Events and audit entries of a key belong to the workspace that made it; an unbound key may also act in others. */
async function assertHomeWorkspace(db: Db, workspaceId: string, id: string): Promise<void> {
  const key = await db.apiKey.findUnique({ where: { workspaceId_id: { workspaceId, id } }, select: { id: true } })
  if (key === null) throw new Fault('workspace_not_allowed', 'A key is rotated in the workspace that it was made in.')
}
