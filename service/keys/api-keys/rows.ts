// API keys and their secrets, their form in the contract, and the changes that gateways ask for.
import type { ApiKey } from '#contract/api-keys.ts'
import type { KeyChange, RecentKeyChanges } from '#contract/internal/gateway-endpoints.ts'
import { codeOfRule, type PolicyViolation } from '#contract/key-policy.ts'
import type { RateLimit } from '#contract/rate-limits.ts'
import type { Actor } from '#contract/shared-fields.ts'
import type { Surface, ToolNames } from '#contract/surface.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Token } from '#runtime/bearer-tokens.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../../execution/call.ts'
import { notFoundById } from '../../faults/shared-faults.ts'
import { policyColumns, policyFromRow } from '../key-policy/rows.ts'
import { rotateBy, violationsOf, type CheckedKey, type Policy } from '../key-policy/rules.ts'
import { rateLimitColumns, rateLimitFromRow } from '../rate-limits/rules.ts'
import { statusOf } from './rules.ts'
import { everyKey, isIn, type KeyRange } from './sweep-rows.ts'

const workspaceColumns = { ...policyColumns, ...rateLimitColumns }
const usageDays = 30
const dayMs = 86_400_000

const includedRows = (now: Date) =>
  ({
    secrets: { orderBy: { createdAt: 'desc' }, take: 2 },
    grants: {
      select: { workspaceId: true, workspace: { select: workspaceColumns } },
      orderBy: { workspaceId: 'asc' },
    },
    usage: { select: { requests: true }, where: { day: { gte: new Date(now.getTime() - usageDays * dayMs) } } },
    workspace: { select: workspaceColumns },
  }) as const satisfies Prisma.ApiKeyInclude
type FoundKey = Prisma.ApiKeyGetPayload<{ include: ReturnType<typeof includedRows> }>
/** `isSuspended`: the member who holds the key is suspended. */
export type KeyRow = FoundKey & { readonly isSuspended: boolean }

export const findKeys = async (db: Db, where: Prisma.ApiKeyWhereInput, page: object, now: Date): Promise<KeyRow[]> =>
  withHolders(db, await db.apiKey.findMany({ where, include: includedRows(now), ...page }))

export async function findKey(db: Db, workspaceId: string, id: string, now: Date): Promise<KeyRow> {
  const row = await db.apiKey.findUnique({ where: { workspaceId_id: { workspaceId, id } }, include: includedRows(now) })
  if (row === null) throw notFoundById('API key')
  const [found = { ...row, isSuspended: false }] = await withHolders(db, [row])
  return found
}

type Held = Pick<FoundKey, 'workspaceId' | 'ownerId' | 'createdBy'>

/** The member whose suspension blocks the key: its owner or, without one, the member who made it. */
function holderOf({ ownerId, createdBy }: Held): string | null {
  const maker = createdBy as Actor
  return ownerId ?? (maker.type === 'user' ? maker.id : null)
}

export async function withHolders<K extends Held>(
  db: Db,
  keys: readonly K[],
): Promise<(K & { readonly isSuspended: boolean })[]> {
  const holders = keys.map(holderOf).filter((id) => id !== null)
  const workspaceIds = [...new Set(keys.map(({ workspaceId }) => workspaceId))]
  const where = { workspaceId: { in: workspaceIds }, id: { in: holders }, status: 'suspended', deletedAt: null }
  const suspended = holders.length === 0 ? [] : await db.member.findMany({ where, select: { id: true } })
  return keys.map((key) => ({ ...key, isSuspended: suspended.some(({ id }) => id === holderOf(key)) }))
}

const lockKeyRow = command(
  (workspaceId: string, id: string) =>
    Prisma.sql`SELECT 1 FROM api_key WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`,
)

/** Locks the row until the transaction ends. */
export async function lockKey(tx: Db, workspaceId: string, id: string, now: Date): Promise<KeyRow> {
  await lockKeyRow(tx, workspaceId, id)
  return findKey(tx, workspaceId, id, now)
}

export async function insertSecret(
  tx: Db,
  workspaceId: string,
  apiKeyId: string,
  { hash, prefix }: Token,
  createdAt: Date,
): Promise<void> {
  await tx.apiKeySecret.create({ data: { hash, workspaceId, apiKeyId, prefix, createdAt } })
}

export function toApiKey(row: KeyRow, now: Date): ApiKey {
  const [newest, previous] = row.secrets
  if (newest === undefined) throw new Error(`Key ${row.id} has no secret`)
  const [checked, workspaces] = [checkedKey(row), workspacesOf(row)]
  const due = rotateBy(
    checked,
    row.maxAgeDays,
    workspaces.map(({ policy }) => policy),
  )
  const overlapEnd = previous?.expiresAt ?? null
  const hasOverlap = overlapEnd !== null && overlapEnd > now
  return {
    id: row.id,
    object: 'api_key',
    name: row.name,
    description: row.description,
    ownerId: row.ownerId,
    scopes: row.scopes,
    surfaces: row.surfaces as Surface[],
    toolNames: row.toolNames as ToolNames,
    ipAllowlist: row.ipAllowlist,
    rotationPolicy: row.maxAgeDays === null ? null : { maxAgeDays: row.maxAgeDays },
    expiresAt: row.expiresAt?.toISOString() ?? null,
    rateLimit: rateLimitFromRow(row),
    prefix: newest.prefix,
    workspaceId: row.bound ? row.workspaceId : null,
    workspaceIds: row.grants.map(({ workspaceId }) => workspaceId),
    status: statusOf({ ...row, rotateBy: due }, now),
    secretCreatedAt: newest.createdAt.toISOString(),
    rotateBy: due?.toISOString() ?? null,
    policyViolations: workspaces.flatMap((one) => shownViolations(checked, one, now)),
    previousSecretExpiresAt: hasOverlap ? overlapEnd.toISOString() : null,
    previousSecretRequests: hasOverlap ? row.previousSecretRequests : null,
    previousSecretLastUsedAt: hasOverlap ? (row.previousSecretLastUsedAt?.toISOString() ?? null) : null,
    previousSecretLastUsedIp: hasOverlap ? row.previousSecretLastUsedIp : null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    lastUsedIp: row.lastUsedIp,
    lastUsedUserAgent: row.lastUsedUserAgent,
    requests30d: row.usage.reduce((sum, { requests }) => sum + requests, 0),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    createdBy: row.createdBy as Actor,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    revokedBy: row.revokedBy as Actor | null,
  }
}

type KeyWorkspace = { readonly workspaceId: string; readonly policy: Policy }

/** The workspaces that the key may act in, with their key policies. */
export const workspacesOf = (row: KeyRow): KeyWorkspace[] =>
  row.bound
    ? [{ workspaceId: row.workspaceId, policy: policyFromRow(row.workspace) }]
    : row.grants.map(({ workspaceId, workspace }) => ({ workspaceId, policy: policyFromRow(workspace) }))

/** The plans of the workspaces that the key may act in. */
export const plansOf = (row: KeyRow): (RateLimit | null)[] =>
  (row.bound ? [row.workspace] : row.grants.map(({ workspace }) => workspace)).map(rateLimitFromRow)

export function checkedKey(row: KeyRow): CheckedKey {
  const { bound, ipAllowlist, expiresAt, createdAt, secrets } = row
  return { bound, ipAllowlist, expiresAt, createdAt, secretCreatedAt: secrets[0]?.createdAt ?? createdAt }
}

const shownViolations = (checked: CheckedKey, { workspaceId, policy }: KeyWorkspace, now: Date): PolicyViolation[] =>
  violationsOf(checked, policy)
    .filter(({ violatedFrom }) => violatedFrom <= now)
    .map(({ rule, refusedFrom }) => ({
      workspaceId,
      rule,
      code: codeOfRule[rule],
      from: refusedFrom.toISOString(),
    }))

/**
 * Longer than the time after which a gateway without an answer takes every key for changed
 * (gateway/keys/key-changes.ts), plus the time that a transaction may take from writing a change to its commit.
 */
const recentSeconds = 90
const recentMax = 5_000
const keptMinutes = 10
const batchMax = 5_000

type KeyChangeRow = { number: string; kind: KeyChange['kind']; id: string; version: number | null }

/**
 * Writes down, in the transaction of the change, that what gateways have cached of these keys is outdated. A gateway
 * that misses the notification over Redis finds the change when it asks next.
 */
export async function recordKeyChanges(tx: Db, changes: readonly KeyChange[]): Promise<void> {
  if (changes.length === 0) return
  await tx.keyChange.createMany({
    data: changes.map(({ kind, id, version = null }) => ({ kind, subjectId: id, version })),
  })
}

const newestChanges = query(
  { number: column.text, kind: column.text.of<KeyChange['kind']>(), id: column.uuid, version: column.int.orNull },
  (max: number) => Prisma.sql`
    SELECT id::text AS number, kind, subject_id AS id, version FROM key_change
    WHERE made_at > clock_timestamp() - ${recentSeconds}::int * interval '1 second'
    ORDER BY made_at DESC LIMIT ${max}::int`,
)

const currentEpoch = query({ epoch: column.uuid.orNull }, () => Prisma.sql`SELECT epoch FROM installation`)

export async function recentKeyChanges(db: Database, max = recentMax): Promise<RecentKeyChanges> {
  const [rows, installation] = await Promise.all([newestChanges(db, max + 1), currentEpoch(db)])
  const epoch = installation[0]?.epoch ?? null
  return { changes: rows.slice(0, max).map(toChange), complete: rows.length <= max, epoch }
}

const toChange = ({ version, ...change }: KeyChangeRow): RecentKeyChanges['changes'][number] => ({
  ...change,
  ...(version !== null && { version }),
})

const deleteOutdatedBatch = command(
  () => Prisma.sql`
      DELETE FROM key_change WHERE id IN (
        SELECT id FROM key_change WHERE made_at < clock_timestamp() - ${keptMinutes}::int * interval '1 minute'
        ORDER BY made_at LIMIT ${batchMax}::int FOR UPDATE SKIP LOCKED
      )`,
)

/** In batches, so that no statement holds many rows for long. */
export async function deleteOutdatedKeyChanges(db: Database): Promise<void> {
  for (let last = batchMax; last === batchMax;) {
    last = await deleteOutdatedBatch(db)
  }
}

/** Of a range: the keys that are left are found in the next round. */
const dueKeysMax = 100

/**
 * From when the workspace `w` refuses a key whose newest secret was made at `s.created_at`, because it is too old; null
 * where it may be any age. This is `ageViolation` of `key-policy/rules.ts` in SQL.
 */
export const ageLimit = Prisma.sql`
  CASE
    WHEN w.max_key_age_days IS NULL THEN NULL
    WHEN s.created_at < w.max_key_age_set_at THEN least(
      greatest(s.created_at + w.max_key_age_days * interval '1 day', w.max_key_age_from),
      CASE WHEN w.max_key_age_days_before IS NOT NULL
        THEN s.created_at + greatest(w.max_key_age_days, w.max_key_age_days_before) * interval '1 day' END)
    ELSE s.created_at + w.max_key_age_days * interval '1 day'
  END`

/**
 * Those of the range whose rotation is due and was not told of. Only the newest secret of each key counts. The
 * condition is `rotateBy` of `key-policy/rules.ts` in SQL.
 */
export const dueStatement = (range: KeyRange): Prisma.Sql => Prisma.sql`
  SELECT k.workspace_id AS "workspaceId", k.id
  FROM api_key k
  CROSS JOIN LATERAL (
    SELECT created_at, due_told_at FROM api_key_secret
    WHERE workspace_id = k.workspace_id AND api_key_id = k.id ORDER BY created_at DESC LIMIT 1
  ) s
  WHERE ${isIn(range)} AND s.due_told_at IS NULL AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now())
    AND least(s.created_at + k.max_age_days * interval '1 day', (
      SELECT min(${ageLimit})
      FROM (
        SELECT k.workspace_id AS id WHERE k.bound
        UNION ALL
        SELECT workspace_id FROM api_key_workspace WHERE api_key_id = k.id AND NOT k.bound
      ) reached
      JOIN workspace w ON w.id = reached.id AND w.max_key_age_days IS NOT NULL
    )) <= now()
  ORDER BY k.workspace_id, k.id LIMIT ${dueKeysMax}::int`

export const dueKeys = query({ workspaceId: column.uuid, id: column.uuid }, dueStatement, [[everyKey]])
