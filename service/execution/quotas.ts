// The quotas of a workspace (contract/quotas.ts): how much is used of each, and the refusal of more. Objects, bytes of
// documents and events are counted in the row that is the workspace lock, so the look costs a change nothing; the rest
// is few enough to be counted when one more is made.
import { Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { quotaNames, standardQuotas, type QuotaChanges, type QuotaName, type Quotas } from '#contract/quotas.ts'
import { Prisma } from '#prisma/generated/client.ts'

/** As in call.ts, which needs the types of this file. */
type Db = Prisma.TransactionClient

type StoredQuota = 'objects' | 'documentBytes' | 'eventsPerDay'
type CountedQuota = Exclude<QuotaName, StoredQuota>

/** The rest of the stored quotas. One object for a call and its parts, which take from it. */
export type QuotaRoom = { -readonly [N in StoredQuota]: number }

/** The parts of a workspace's lock row that `roomIn` reads: amounts as numbers, and what the operator has set. */
export type QuotaRow = { readonly used: Readonly<Record<StoredQuota, number>>; readonly set: unknown }

const eventsToday = Prisma.sql`CASE WHEN s.day = (now() AT TIME ZONE 'UTC')::date THEN s.last - s.before_day ELSE 0 END`

/** Columns of a row `s` of event_sequence. */
export const quotaColumns = Prisma.sql`
  jsonb_build_object('objects', s.objects, 'documentBytes', s.document_bytes, 'eventsPerDay', ${eventsToday}) AS used,
  (SELECT quotas FROM workspace w WHERE w.id = s.workspace_id) AS set`

/** `set`: what the operator has set for the workspace. */
export const quotasOf = (set: unknown): Quotas => ({ ...standardQuotas, ...(set as Partial<Quotas>) })

/**
 * The quotas that are set after a change; null sets a quota back. In the contract's order, so that the same numbers are
 * no change.
 */
export function changedQuotas(set: Partial<Quotas>, changes: QuotaChanges): Partial<Quotas> {
  const next = { ...set, ...changes }
  return Object.fromEntries(quotaNames.flatMap((name) => (typeof next[name] === 'number' ? [[name, next[name]]] : [])))
}

export function roomIn({ used, set }: QuotaRow): QuotaRoom {
  const quotas = quotasOf(set)
  return {
    objects: quotas.objects - used.objects,
    documentBytes: quotas.documentBytes - used.documentBytes,
    eventsPerDay: quotas.eventsPerDay - used.eventsPerDay,
  }
}

/** Takes from what is left. Throws `quota_reached`. `room` is null outside of any workspace. */
export function takeQuota(room: QuotaRoom | null, name: StoredQuota, amount: number): void {
  if (room === null || amount <= 0) return
  if (room[name] < amount) throw quotaReached(name)
  room[name] -= amount
}

/** Events are counted for all, and refused to keys alone: people and the service can always mend what is wrong. */
export function takeEvent(room: QuotaRoom | null, { kind }: Pick<Principal, 'kind'>): void {
  if (kind === 'api_key') takeQuota(room, 'eventsPerDay', 1)
}

const counts: Readonly<Record<CountedQuota, Prisma.Sql>> = {
  apiKeys: Prisma.sql`(SELECT count(*) FROM api_key c WHERE c.workspace_id = w.id AND c.revoked_at IS NULL
    AND (c.expires_at IS NULL OR c.expires_at > now()))`,
  webhooks: Prisma.sql`(SELECT count(*) FROM webhook c WHERE c.workspace_id = w.id AND c.deleted_at IS NULL)`,
  members: Prisma.sql`(SELECT count(*) FROM member c WHERE c.workspace_id = w.id AND c.deleted_at IS NULL)`,
  invitations: Prisma.sql`(SELECT count(*) FROM invitation c WHERE c.workspace_id = w.id AND c.expires_at > now())`,
  customFields: Prisma.sql`(SELECT count(*) FROM custom_field c WHERE c.workspace_id = w.id AND c.archived_at IS NULL)`,
}

/**
 * Throws `quota_reached` where there may be no more of these. Under the workspace lock, so that two do not both find
 * room.
 */
export async function assertRoomFor(db: Db, workspaceId: string, name: CountedQuota): Promise<void> {
  if (!(await hasRoomFor(db, workspaceId, name))) throw quotaReached(name)
}

/** Whether there may be one more of these. */
export async function hasRoomFor(db: Db, workspaceId: string, name: CountedQuota): Promise<boolean> {
  const [row] = await db.$queryRaw<{ readonly used: number; readonly set: unknown }[]>`
    SELECT ${counts[name]}::float8 AS used, w.quotas AS set FROM workspace w WHERE w.id = ${workspaceId}::uuid`
  return row === undefined || row.used < quotasOf(row.set)[name]
}

const everyAmount = Prisma.sql`
  s.objects::float8 AS objects, s.document_bytes::float8 AS "documentBytes", (${eventsToday})::float8 AS "eventsPerDay",
  ${Prisma.join(
    Object.entries(counts).map(([name, count]) => Prisma.sql`${count}::float8 AS ${Prisma.raw(`"${name}"`)}`),
    ', ',
  )}`

/** How much of each quota the workspace uses. */
export async function quotaUsage(db: Db, workspaceId: string): Promise<Quotas> {
  const [row] = await db.$queryRaw<Quotas[]>`SELECT ${everyAmount}
    FROM event_sequence s JOIN workspace w ON w.id = s.workspace_id WHERE s.workspace_id = ${workspaceId}::uuid`
  if (row === undefined) throw new Error(`Workspace ${workspaceId} has no event sequence`)
  return row
}

/** The part of each quota that the workspace that uses most of it uses: 1 where one is used up. */
export async function highestQuotaUse(db: Db): Promise<Readonly<Record<QuotaName, number>>> {
  const parts = quotaNames.map((name) => {
    const column = Prisma.raw(`"${name}"`)
    const quota = Prisma.sql`coalesce((set ->> ${name})::float8, ${standardQuotas[name]}::float8)`
    return Prisma.sql`coalesce(max(${column} / greatest(1, ${quota})), 0) AS ${column}`
  })
  const [row] = await db.$queryRaw<Record<QuotaName, number>[]>`SELECT ${Prisma.join(parts, ', ')}
    FROM (SELECT ${everyAmount}, w.quotas AS set FROM event_sequence s JOIN workspace w ON w.id = s.workspace_id) all_used`
  return row ?? (Object.fromEntries(quotaNames.map((name) => [name, 0])) as Record<QuotaName, number>)
}

const full: Readonly<Record<QuotaName, string>> = {
  objects: 'objects',
  documentBytes: 'bytes of documents',
  eventsPerDay: 'events of a day',
  apiKeys: 'API keys',
  webhooks: 'webhooks',
  members: 'members',
  invitations: 'open invitations',
  customFields: 'custom fields',
}

function quotaReached(quota: QuotaName): Fault {
  const hint =
    quota === 'eventsPerDay'
      ? 'The count begins anew at midnight, UTC. The operator can raise the quota.'
      : 'Remove what is no longer needed, or ask the operator to raise the quota.'
  return new Fault('quota_reached', `The workspace has as many ${full[quota]} as it may have.`, { quota, hint })
}
