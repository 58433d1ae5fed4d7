// API keys: created with a secret that is shown once, listed, updated, rotated, revoked.
import {
  secretLabels,
  apiKeyCreated,
  apiKeyUpdated,
  apiKeyRotated,
  apiKeyRevoked,
  type createApiKey,
  type getApiKey,
  type listApiKeys,
  type updateApiKey,
  type rotateApiKey,
  type expirePreviousSecret,
  type revokeApiKey,
} from '#contract/api-keys.ts'
import { policyFault, type PolicyRule } from '#contract/key-policy.ts'
import type { Output } from '#contract/operation.ts'
import type { DefaultRates, RateLimit } from '#contract/rate-limits.ts'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { newId } from '#runtime/new-id.ts'
import type { Handlers, Db, Handler, Call } from '../../execution/call.ts'
import { invalidValue, missingReference } from '../../faults/shared-faults.ts'
import { keyset, type Pager } from '../../collection/pagination.ts'
import { isUnchanged } from '../../execution/system-fields.ts'
import { assertVersion } from '../../execution/preconditions.ts'
import { assertRoomFor } from '../../execution/quotas.ts'
import { assertAreMembers } from '../../members/rows.ts'
import { findWorkspace, fromRow, type WorkspaceRow } from '../../workspaces/rows.ts'
import { policyFromRow } from '../key-policy/rows.ts'
import { violationsOf, newlyViolated, refusedEverywhere } from '../key-policy/rules.ts'
import { rateLimitToRow, assertWithinPlan } from '../rate-limits/rules.ts'
import {
  findKey,
  insertSecret,
  toApiKey,
  findKeys,
  checkedKey,
  lockKey,
  plansOf,
  workspacesOf,
  type KeyRow,
} from './rows.ts'
import { assertNoneViolated, assertNotPast, scopesOf, assertInReach, assertNotRevoked } from './rules.ts'

type ApiKeyDeps = { readonly pager: Pager; readonly rates: DefaultRates }

export const apiKeyHandlers = ({ pager, rates }: ApiKeyDeps) =>
  ({
    'api-keys.create': create(rates),
    'api-keys.list': list(pager),
    'api-keys.get': get,
    'api-keys.update': update(rates),
    'api-keys.rotate': rotate,
    'api-keys.expire-previous-secret': expirePrevious,
    'api-keys.revoke': revoke,
  }) satisfies Partial<Handlers>

const create =
  (rates: DefaultRates): Handler<typeof createApiKey> =>
  async (
    { workspaceIds, rotationPolicy, rateLimit, scopes: given, preset, ...input },
    { db, workspaceId, actor, now, emit },
  ) => {
    const scopes = scopesOf({ ...(given && { scopes: given }), ...(preset && { preset }) })
    const home = await findWorkspace(db, workspaceId)
    const granted = await grantedWorkspaces(db, workspaceIds ?? [])
    assertAllAlike(home, granted)
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
    const token = makeToken(labelIn(home))
    await db.apiKey.create({
      data: {
        description: null,
        surfaces: ['http', 'mcp'],
        ...input,
        ...limits,
        scopes,
        workspaceId,
        id,
        bound: workspaceIds === undefined,
        maxAgeDays: rotationPolicy?.maxAgeDays ?? null,
        ...rateLimitToRow(rateLimit ?? null),
        version: 1,
        createdAt: now,
        updatedAt: now,
        createdBy: actor,
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

const labelIn = ({ sandbox }: Pick<WorkspaceRow, 'sandbox'>): string =>
  sandbox ? secretLabels.sandbox : secretLabels.workspace

/** A key whose text says that it is of a sandbox changes nothing elsewhere, and no other changes a sandbox. */
function assertAllAlike(home: WorkspaceRow, granted: readonly WorkspaceRow[]): void {
  if (granted.some(({ sandbox }) => sandbox !== home.sandbox))
    throw invalidValue('/workspaceIds', 'not_in_list', 'A key is for sandboxes or for other workspaces, not for both.')
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

const get: Handler<typeof getApiKey> = async ({ id }, { db, workspaceId, now }) =>
  toApiKey(await findKey(db, workspaceId, id, now), now)

const list =
  (pager: Pager): Handler<typeof listApiKeys> =>
  async (input, { db, workspaceId, now }) => {
    const paging = pager.open('api-keys.list', workspaceId, input, '-createdAt')
    const { where, ...page } = keyset(paging)
    const rows = await findKeys(db, { AND: [{ workspaceId }, where] }, page, now)
    return pager.page(
      rows,
      paging,
      (row) => row.createdAt.toISOString(),
      (row) => toApiKey(row, now),
    )
  }

const update =
  (rates: DefaultRates): Handler<typeof updateApiKey> =>
  async (input, call) => {
    const { db, principal, workspaceId, now, emit, keysChanged } = call
    const { id, expectedVersion, rotationPolicy, rateLimit, ...patch } = input
    const row = await lockKey(db, workspaceId, id, now)
    assertVersion(row, expectedVersion, call)
    assertInReach(principal, row)
    assertNotRevoked(row.revokedAt)
    const before = toApiKey(row, now)
    const limit = rateLimit === undefined ? before.rateLimit : inOrder(rateLimit)
    const asked = { ...before, ...patch, ...(rotationPolicy !== undefined && { rotationPolicy }), rateLimit: limit }
    if (isUnchanged(before, asked)) return before
    const expiresAt =
      patch.expiresAt === undefined ? row.expiresAt : patch.expiresAt === null ? null : new Date(patch.expiresAt)
    const limits = { expiresAt, ipAllowlist: patch.ipAllowlist ?? row.ipAllowlist }
    assertNotPast(expiresAt, now)
    assertNoneViolated(violatedBy(row, limits))
    if (!isUnchanged({ limit: before.rateLimit }, { limit })) assertWithinPlan(limit, plansOf(row), rates)
    if (patch.ownerId && patch.ownerId !== row.ownerId)
      await assertAreMembers(db, workspaceId, [{ field: 'ownerId', id: patch.ownerId }])
    const maxAgeDays = rotationPolicy === undefined ? row.maxAgeDays : (rotationPolicy?.maxAgeDays ?? null)
    await db.apiKey.update({
      where: { workspaceId_id: { workspaceId, id } },
      data: { ...patch, ...limits, ...rateLimitToRow(limit), maxAgeDays, version: row.version + 1, updatedAt: now },
    })
    const after = toApiKey(await findKey(db, workspaceId, id, now), now)
    emit(apiKeyUpdated, after, before)
    keysChanged({ kind: 'api-key', id, version: after.version })
    return after
  }

/** Gives the keys to another owner. Nothing else of them changes. */
export async function transferKeys(
  before: readonly KeyRow[],
  ownerId: string,
  call: Call<typeof apiKeyUpdated>,
): Promise<void> {
  const { db, workspaceId, now, emit, keysChanged } = call
  const where = { workspaceId, id: { in: before.map(({ id }) => id) } }
  await db.apiKey.updateMany({ where, data: { ownerId, version: { increment: 1 }, updatedAt: now } })
  const after = new Map((await findKeys(db, where, {}, now)).map((row) => [row.id, toApiKey(row, now)]))
  for (const row of before) {
    const key = after.get(row.id)
    if (key === undefined) continue
    emit(apiKeyUpdated, key, toApiKey(row, now))
    keysChanged({ kind: 'api-key', id: key.id, version: key.version })
  }
}

/** Leaves out rules that the key violated before: an update may fix one violation without fixing all. */
function violatedBy(row: KeyRow, limits: Pick<KeyRow, 'expiresAt' | 'ipAllowlist'>): PolicyRule[] {
  const before = checkedKey(row)
  const policies = [policyFromRow(row.workspace), ...workspacesOf(row).map(({ policy }) => policy)]
  return policies.flatMap((policy) => newlyViolated(before, { ...before, ...limits }, policy))
}

/** One order of the fields, so that the same numbers count as unchanged. */
const inOrder = (limit: RateLimit | null): RateLimit | null =>
  limit && { perMinute: limit.perMinute, burst: limit.burst }

const hourMs = 3_600_000
const overlapHoursDefault = 24

/** Each rotation starts the count of what its earlier secrets are still used for. */
const noPreviousUse = { previousSecretRequests: 0, previousSecretLastUsedAt: null, previousSecretLastUsedIp: null }

const rotate: Handler<typeof rotateApiKey> = ({ id, overlapHours }, call) => rotateKey(id, overlapHours, call)

/** For `api-keys.rotate` (settings) and for `me.rotate` (the key itself). */
export async function rotateKey(
  id: string,
  overlapHours = overlapHoursDefault,
  { db, principal, workspaceId, now, emit, audit, keysChanged }: Call<typeof apiKeyRotated>,
): Promise<Output<typeof rotateApiKey>> {
  const before = await lockKey(db, workspaceId, id, now)
  assertInReach(principal, before)
  assertNotRevoked(before.revokedAt)
  assertUsable(before, now)
  await endOlderSecrets(db, workspaceId, id, new Date(now.getTime() + overlapHours * hourMs))
  const token = makeToken(labelIn(await findWorkspace(db, workspaceId)))
  await insertSecret(db, workspaceId, id, token, now)
  await db.apiKey.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { ...noPreviousUse, version: before.version + 1, updatedAt: now },
  })
  const key = toApiKey(await findKey(db, workspaceId, id, now), now)
  emit(apiKeyRotated, key)
  audit(key, toApiKey(before, now))
  keysChanged({ kind: 'api-key', id, version: key.version })
  return { ...key, secret: token.token }
}

/**
 * Throws the policy's fault when no workspace would accept the key even with a new secret: it must be updated first.
 */
function assertUsable(key: KeyRow, now: Date): void {
  const policies = workspacesOf(key).map(({ policy }) => policy)
  const rule = refusedEverywhere(checkedKey(key), policies, now)
  if (rule !== null) throw policyFault(rule)
}

/** An older secret lives no longer than this overlap; one that ends sooner still does. */
async function endOlderSecrets(db: Db, workspaceId: string, apiKeyId: string, expiresAt: Date): Promise<void> {
  await db.apiKeySecret.updateMany({
    where: { workspaceId, apiKeyId, OR: [{ expiresAt: null }, { expiresAt: { gt: expiresAt } }] },
    data: { expiresAt },
  })
}

/** Two who end the same overlap at once end it once: the second finds the key without one. */
const expirePrevious: Handler<typeof expirePreviousSecret> = async ({ id, expectedVersion }, call) => {
  const { db, principal, workspaceId, now, emit, keysChanged } = call
  const row = await lockKey(db, workspaceId, id, now)
  assertInReach(principal, row)
  assertNotRevoked(row.revokedAt)
  // A rotation in between makes the current secret the previous one, which its programs still use.
  assertVersion(row, expectedVersion, call)
  const before = toApiKey(row, now)
  if (before.previousSecretExpiresAt === null) return before
  // As if there had been no overlap. A call or a gateway whose clock is behind finds it ended as well.
  const { secretCreatedAt: expiresAt } = checkedKey(row)
  await db.apiKeySecret.updateMany({
    where: { workspaceId, apiKeyId: id, expiresAt: { gt: now } },
    data: { expiresAt },
  })
  await db.apiKey.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { version: row.version + 1, updatedAt: now },
  })
  const after = toApiKey(await findKey(db, workspaceId, id, now), now)
  emit(apiKeyUpdated, after, before)
  keysChanged({ kind: 'api-key', id, version: after.version })
  return after
}

const revoke: Handler<typeof revokeApiKey> = async ({ id, expectedVersion }, call) => {
  const before = await lockKey(call.db, call.workspaceId, id, call.now)
  if (before.revokedAt !== null) return null
  assertVersion(before, expectedVersion, call)
  await revokeKeys([before], call)
  return null
}

/** Revokes all of these keys, none of which is revoked yet, in one statement. */
export async function revokeKeys(before: readonly KeyRow[], call: Call<typeof apiKeyRevoked>): Promise<void> {
  const { db, workspaceId, actor, now, emit, audit, keysChanged } = call
  const where = { workspaceId, id: { in: before.map(({ id }) => id) } }
  await db.apiKey.updateMany({
    where,
    data: { revokedAt: now, revokedBy: actor, version: { increment: 1 }, updatedAt: now },
  })
  const after = new Map((await findKeys(db, where, {}, now)).map((row) => [row.id, toApiKey(row, now)]))
  for (const row of before) {
    const key = after.get(row.id)
    if (key === undefined) continue
    emit(apiKeyRevoked, key)
    audit(key, toApiKey(row, now))
    keysChanged({ kind: 'api-key', id: key.id, version: key.version })
  }
}
