// API keys between the contract and the tables.
import type { ApiKey } from '#contract/api-keys.ts'
import type { Surface, ToolNames } from '#contract/surface.ts'
import type { RateLimit } from '#contract/rate-limits.ts'
import type { Actor } from '#contract/shared-fields.ts'
import { codeOfRule, type PolicyViolation } from '#contract/key-policy.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { Token } from '#runtime/bearer-tokens.ts'
import type { Db } from '../execution/handler.ts'
import { policyColumns, policyFromRow } from '../key-policy/rows.ts'
import { rateLimitColumns, rateLimitFromRow } from '../rate-limits/rows.ts'
import { rotateBy, violationsOf, type CheckedKey, type Policy } from '../key-policy/violations.ts'
import { statusOf } from './rules.ts'
import { notFoundById } from '../faults/not-found.ts'

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
/** `isSuspended`: as the member is who holds it. */
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

/** Whose suspension keeps the key out: its owner's or, where it has none, that of the member who made it. */
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

/** Locks the row until the transaction ends. */
export async function lockKey(tx: Db, workspaceId: string, id: string, now: Date): Promise<KeyRow> {
  await tx.$queryRaw`SELECT 1 FROM api_key WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`
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
    expiresAt: timeText(row.expiresAt),
    rateLimit: rateLimitFromRow(row),
    prefix: newest.prefix,
    workspaceId: row.bound ? row.workspaceId : null,
    workspaceIds: row.grants.map(({ workspaceId }) => workspaceId),
    status: statusOf({ ...row, rotateBy: due }, now),
    secretCreatedAt: newest.createdAt.toISOString(),
    rotateBy: timeText(due),
    policyViolations: workspaces.flatMap((one) => shownViolations(checked, one, now)),
    previousSecretExpiresAt: overlapEnd !== null && overlapEnd > now ? overlapEnd.toISOString() : null,
    lastUsedAt: timeText(row.lastUsedAt),
    lastUsedIp: row.lastUsedIp,
    lastUsedUserAgent: row.lastUsedUserAgent,
    requests30d: row.usage.reduce((sum, { requests }) => sum + requests, 0),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    createdBy: row.createdBy as Actor,
    revokedAt: timeText(row.revokedAt),
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
      ...{ workspaceId, rule, code: codeOfRule[rule], from: refusedFrom.toISOString() },
    }))

const timeText = (at: Date | null): string | null => at?.toISOString() ?? null
