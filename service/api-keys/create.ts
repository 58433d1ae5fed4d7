import { apiKeyCreated, type createApiKey, secretLabel } from '#contract/api-keys.ts'
import type { DefaultRates } from '#contract/rate-limits.ts'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { newId } from '#runtime/new-id.ts'
import { missingReference } from '../faults/database-fault.ts'
import type { Db, Handler } from '../execution/handler.ts'
import { assertRoomFor } from '../execution/quotas.ts'
import { assertAreMembers } from '../members/rows.ts'
import { findWorkspace, fromRow, type WorkspaceRow } from '../workspaces/rows.ts'
import { violationsOf } from '../key-policy/violations.ts'
import { rateLimitToRow } from '../rate-limits/rows.ts'
import { assertWithinPlan } from '../rate-limits/within-plan.ts'
import { findKey, insertSecret, toApiKey } from './rows.ts'
import { assertNoneViolated, assertNotPast } from './rules.ts'
import { scopesOf } from './scopes-or-preset.ts'

export const create =
  (rates: DefaultRates): Handler<typeof createApiKey> =>
  async (
    { workspaceIds, rotationPolicy, rateLimit, scopes: given, preset, ...input },
    { db, workspaceId, actor, now, emit },
  ) => {
    const scopes = scopesOf({ ...(given && { scopes: given }), ...(preset && { preset }) })
    const home = await findWorkspace(db, workspaceId)
    const granted = await grantedWorkspaces(db, workspaceIds ?? [])
    const expiresAt = input.expiresAt ? new Date(input.expiresAt) : null
    const limits = { expiresAt, ipAllowlist: input.ipAllowlist ?? [] }
    assertNotPast(expiresAt, now)
    const draft = { bound: workspaceIds === undefined, ...limits, createdAt: now, secretCreatedAt: now }
    assertNoneViolated([home, ...granted].flatMap((policy) => violationsOf(draft, policy)).map(({ rule }) => rule))
    const actsIn = workspaceIds === undefined ? [home] : granted
    assertWithinPlan(
      rateLimit,
      actsIn.map((workspace) => workspace.rateLimit),
      rates,
    )
    if (input.ownerId) await assertAreMembers(db, workspaceId, [{ field: 'ownerId', id: input.ownerId }])
    await assertRoomFor(db, workspaceId, 'apiKeys')
    const id = newId(now)
    const token = makeToken(secretLabel)
    await db.apiKey.create({
      data: {
        ...{ description: null, surfaces: ['http', 'mcp'], ...input, ...limits, scopes },
        ...{ workspaceId, id, bound: workspaceIds === undefined, maxAgeDays: rotationPolicy?.maxAgeDays ?? null },
        ...rateLimitToRow(rateLimit ?? null),
        ...{ version: 1, createdAt: now, updatedAt: now, createdBy: actor },
      },
    })
    if (workspaceIds !== undefined) await grant(db, workspaceId, id, workspaceIds)
    await insertSecret(db, workspaceId, id, token, now)
    const key = toApiKey(await findKey(db, workspaceId, id, now), now)
    emit(apiKeyCreated, key)
    return { ...key, secret: token.token }
  }

/**
 * The workspaces that an unbound key is granted. Throws `reference_not_found` unless each of them allows unbound keys.
 */
async function grantedWorkspaces(db: Db, workspaceIds: readonly string[]): Promise<WorkspaceRow[]> {
  const allowing = await db.workspace.findMany({ where: { id: { in: [...workspaceIds] }, allowUnboundKeys: true } })
  if (allowing.length !== workspaceIds.length) throw missingReference('workspaceIds')
  return allowing.map(fromRow)
}

async function grant(
  db: Db,
  homeWorkspaceId: string,
  apiKeyId: string,
  workspaceIds: readonly string[],
): Promise<void> {
  await db.apiKeyWorkspace.createMany({
    data: workspaceIds.map((workspaceId) => ({ homeWorkspaceId, apiKeyId, workspaceId })),
  })
}
