import { Fault } from '#contract/fault.ts'
import type { getMe } from '#contract/me.ts'
import type { Surface } from '#contract/surface.ts'
import { rotateBy } from '../key-policy/violations.ts'
import type { Db, Handler } from '../execution/handler.ts'
import { policyFromRow } from '../key-policy/rows.ts'

export const get: Handler<typeof getMe> = async (_input, { db, principal }) => {
  const key = await findOwnKey(db, principal.id)
  const [secret] = key.secrets
  const workspaces = key.bound ? [key.workspace] : key.grants.map(({ workspace }) => workspace)
  const checked = { ...key, secretCreatedAt: secret?.createdAt ?? key.createdAt }
  const due = rotateBy(checked, key.maxAgeDays, workspaces.map(policyFromRow))
  return {
    object: 'me',
    apiKey: {
      id: key.id,
      name: key.name,
      prefix: secret?.prefix ?? '',
      ownerId: key.ownerId,
      homeWorkspaceId: key.workspaceId,
      surfaces: key.surfaces as Surface[],
      expiresAt: key.expiresAt?.toISOString() ?? null,
      rotateBy: due?.toISOString() ?? null,
    },
    scopes: key.scopes,
    workspaces: workspaces.map(({ id, name, slug, suspendedAt }) => ({
      id,
      name,
      slug,
      suspended: suspendedAt !== null,
    })),
    workspaceSelection: {
      required: !key.bound,
      defaultWorkspaceId: key.bound ? key.workspaceId : null,
      header: 'x-workspace-id',
      parameter: 'workspaceId',
    },
    rateLimit: principal.quota,
  }
}

async function findOwnKey(db: Db, id: string) {
  const key = await db.apiKey.findUnique({
    where: { id },
    include: {
      workspace: true,
      grants: { include: { workspace: true }, orderBy: { workspaceId: 'asc' } },
      secrets: { orderBy: { createdAt: 'desc' }, take: 1 },
    },
  })
  if (key === null) throw new Fault('not_found', 'The key is gone.')
  return key
}
