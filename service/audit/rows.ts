// Audit entries in the database: appended to the end of their workspace's chain, which is the only way to write them,
// read for its verification, and deleted after a year.
import type { AuditEntry } from '#contract/audit-entries.ts'
import type { Database } from '#prisma/client.ts'
import { transact } from '#prisma/transaction.ts'
import { Prisma, type AuditEntry as AuditEntryRow } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../execution/call.ts'
import { isNotHeld } from '../execution/legal-hold-rows.ts'
import { chained, chainStart, fromRow, type Draft, type Link, type Ends } from './rules.ts'

/** Once for each workspace, in the transaction that creates it. */
export async function startChain(tx: Db, workspaceId: string): Promise<void> {
  await tx.auditChain.create({ data: { workspaceId, ...columns(chainStart) } })
}

const moveEnd = command(
  (
    workspaceId: string,
    { number, hash }: Link,
  ) => Prisma.sql`UPDATE audit_chain SET last_number = ${number}::bigint, last_hash = decode(${hash}, 'hex')
    WHERE workspace_id = ${workspaceId}::uuid`,
)

/**
 * Locks the workspace's chain until the commit. To avoid deadlocks, a transaction waits for no other lock after this
 * one: what it still writes (changes of keys, the kept answer of an Idempotency-Key) are rows of its own.
 */
export async function append(tx: Db, workspaceId: string, drafts: readonly Draft[]): Promise<void> {
  let end = await lockChain(tx, workspaceId)
  const entries: AuditEntry[] = []
  for (const draft of drafts) {
    const entry = chained(draft, end)
    entries.push(entry)
    end = entry
  }
  await insert(tx, workspaceId, entries)
  await moveEnd(tx, workspaceId, end)
}

/** A transaction for each workspace: where one fails, the others are written. Returns how many entries were not. */
export async function appendEach(
  db: Database,
  drafts: readonly Draft[],
  onError: (error: unknown) => void,
): Promise<number> {
  let lost = 0
  for (const [workspaceId, its] of Map.groupBy(drafts, (draft) => draft.workspaceId))
    await transact(db, (tx) => append(tx, workspaceId, its)).catch((error: unknown) => {
      lost += its.length
      onError(error)
    })
  return lost
}

const insertEntries = command(
  (workspaceId: string, entries: string) => Prisma.sql`
  INSERT INTO audit_entry (workspace_id, number, id, at, actor, action, surface, target, outcome, code, ip, user_agent,
    request_id, changes, arguments_hash, trace_id, count, previous_hash, hash)
  SELECT ${workspaceId}::uuid, number, id, at, actor, action, surface, target, outcome, code, ip, "userAgent",
    "requestId", changes, decode("argumentsHash", 'hex'), "traceId", count, decode("previousHash", 'hex'), decode(hash, 'hex')
  FROM jsonb_to_recordset(${entries}::jsonb) AS entry (
    number bigint, id uuid, at timestamptz, actor jsonb, action text, surface text, target jsonb, outcome text,
    code text, ip text, "userAgent" text, "requestId" text, changes jsonb, "argumentsHash" text, "traceId" text,
    count integer, "previousHash" text, hash text
  )`,
)

/** One parameter for all entries: Prisma's insert of 200 takes three times as long, with the chain locked. */
const insert = (tx: Db, workspaceId: string, entries: readonly AuditEntry[]): Promise<number> =>
  insertEntries(tx, workspaceId, JSON.stringify(entries))

const lockWorkspace = command(
  (workspaceId: string) => Prisma.sql`SELECT 1 FROM workspace WHERE id = ${workspaceId}::uuid FOR KEY SHARE`,
)

const lockEnd = query(
  { last_number: column.bigint, last_hash: column.bytes },
  (workspaceId: string) => Prisma.sql`
    SELECT last_number, last_hash FROM audit_chain WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE`,
)

// Inserting an entry also locks its workspace's row (foreign key). That lock is taken first: taken after the chain, it
// could wait for a transaction that updates the workspace and itself waits for the chain.
async function lockChain(tx: Db, workspaceId: string): Promise<Link> {
  await lockWorkspace(tx, workspaceId)
  const [end] = await lockEnd(tx, workspaceId)
  if (end === undefined) throw new Error(`Workspace ${workspaceId} has no audit chain`)
  return { number: Number(end.last_number), hash: Buffer.from(end.last_hash).toString('hex') }
}

const columns = ({ number, hash }: Link) => ({ lastNumber: BigInt(number), lastHash: Buffer.from(hash, 'hex') })

const readEnds = query(
  {
    last_number: column.bigint,
    last_hash: column.bytes,
    newest: column.bigint,
    oldest: column.bigint.orNull,
    oldest_at: column.time.orNull,
    kept_since: column.time,
  },
  (workspaceId: string) => Prisma.sql`
    SELECT chain.last_number, chain.last_hash, oldest.number AS oldest, oldest.at AS oldest_at,
           coalesce(newest.number, 0) AS newest, now() - interval '1 year' AS kept_since
    FROM audit_chain chain
    LEFT JOIN LATERAL (
      SELECT number, at FROM audit_entry WHERE workspace_id = chain.workspace_id ORDER BY number LIMIT 1
    ) oldest ON true
    LEFT JOIN LATERAL (
      SELECT number FROM audit_entry WHERE workspace_id = chain.workspace_id ORDER BY number DESC LIMIT 1
    ) newest ON true
    WHERE chain.workspace_id = ${workspaceId}::uuid`,
)

/** One statement, so that all of it is of the same moment. */
export async function endsOf(db: Db, workspaceId: string): Promise<Ends> {
  const [row] = await readEnds(db, workspaceId)
  if (row === undefined) throw new Error(`Workspace ${workspaceId} has no audit chain`)
  const { last_number: number, last_hash: hash, newest, oldest, oldest_at: at, kept_since: keptSince } = row
  return {
    last: { number: Number(number), hash: Buffer.from(hash).toString('hex') },
    newest: Number(newest),
    oldest: oldest === null || at === null ? null : { number: Number(oldest), at },
    keptSince,
  }
}

export type EntryFilter = {
  readonly action?: readonly string[] | undefined
  readonly outcome?: string | undefined
  readonly surface?: string | undefined
  readonly actorId?: string | undefined
  readonly targetId?: string | undefined
  readonly requestId?: string | undefined
  readonly search?: string | undefined
  readonly createdAfter?: string | undefined
  readonly createdBefore?: string | undefined
}
/** Numbers between which entries are looked for, without the two. */
type NumberSpan = { readonly above: number; readonly below: number }
type EntrySlice = NumberSpan & { readonly newestFirst: boolean; readonly rows: number }

/** In the order of the chain, or against it. Each action has a part of its own in the index, and is read from there. */
export const matchingNumbers = query(
  { number: column.bigint },
  (workspaceId: string, filter: EntryFilter, { above, below, newestFirst, rows }: EntrySlice) => {
    const { action, ...others } = filter
    const order = Prisma.raw(newestFirst ? 'ORDER BY number DESC' : 'ORDER BY number')
    const within = Prisma.sql`e.workspace_id = ${workspaceId}::uuid AND e.number > ${above}::bigint
      AND e.number < ${below}::bigint ${conditionsOf(others)}`
    const end = Prisma.sql`${order} LIMIT ${rows}::int`
    if (action === undefined) return Prisma.sql`SELECT e.number FROM audit_entry e WHERE ${within} ${end}`
    return Prisma.sql`
      SELECT number FROM unnest(${[...new Set(action)]}::text[]) wanted (action) CROSS JOIN LATERAL (
        SELECT e.number FROM audit_entry e WHERE e.action = wanted.action AND ${within} ${end}
      ) found ${end}`
  },
  [
    ['', {}, { above: 0, below: 1, newestFirst: false, rows: 1 }],
    [
      '',
      {
        action: [''],
        outcome: '',
        surface: '',
        actorId: '',
        targetId: '',
        requestId: '',
        search: '',
        createdAfter: '2026-01-01T00:00:00Z',
        createdBefore: '2026-01-01T00:00:00Z',
      },
      { above: 0, below: 1, newestFirst: true, rows: 1 },
    ],
  ],
)

function conditionsOf(filter: Omit<EntryFilter, 'action'>): Prisma.Sql {
  const { outcome, surface, actorId, targetId, requestId, search, createdAfter, createdBefore } = filter
  const conditions = [
    outcome !== undefined && Prisma.sql`AND e.outcome = ${outcome}`,
    surface !== undefined && Prisma.sql`AND e.surface = ${surface}`,
    // The expressions are those of the indexes.
    actorId !== undefined && Prisma.sql`AND (e.actor ->> 'id') = ${actorId}`,
    targetId !== undefined && Prisma.sql`AND e.target IS NOT NULL AND (e.target ->> 'id') = ${targetId}`,
    requestId !== undefined && Prisma.sql`AND e.request_id = ${requestId}`,
    search !== undefined && Prisma.sql`AND strpos(lower(${searchedText}), lower(${search})) > 0`,
    createdAfter !== undefined && Prisma.sql`AND e.at > ${createdAfter}::timestamptz`,
    createdBefore !== undefined && Prisma.sql`AND e.at < ${createdBefore}::timestamptz`,
  ].filter((each) => each !== false)
  return conditions.length === 0 ? Prisma.empty : Prisma.join(conditions, ' ')
}

const searchedText = Prisma.sql`concat_ws(' ', e.action, e.actor ->> 'name', e.actor ->> 'keyPrefix', e.actor ->> 'id',
  e.target ->> 'type', e.target ->> 'name', e.target ->> 'id', e.code, e.ip, e.user_agent, e.request_id)`

/** Their rows, in the order of these numbers. */
export async function entriesNumbered(
  db: Db,
  workspaceId: string,
  numbers: readonly bigint[],
): Promise<AuditEntryRow[]> {
  const rows = await db.auditEntry.findMany({ where: { workspaceId, number: { in: [...numbers] } } })
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  return numbers.flatMap((number) => byNumber.get(number) ?? [])
}

/** From `first` to `last`, both included. */
export async function entriesBetween(db: Db, workspaceId: string, first: number, last: number): Promise<AuditEntry[]> {
  const rows = await db.auditEntry.findMany({
    where: { workspaceId, number: { gte: BigInt(first), lte: BigInt(last) } },
    orderBy: { number: 'asc' },
  })
  return rows.map(fromRow)
}

export async function linkAt(db: Db, workspaceId: string, number: number): Promise<Link | null> {
  const row = await db.auditEntry.findUnique({
    where: { workspaceId_number: { workspaceId, number: BigInt(number) } },
    select: { hash: true },
  })
  return row === null ? null : { number, hash: Buffer.from(row.hash).toString('hex') }
}

/** The fields of a key that an audit entry shows, and the workspaces that its entries may belong to. */
export type AuditedKey = {
  readonly id: string
  readonly name: string
  readonly workspaceId: string
  readonly prefix: string | null
  /** The workspaces that it may act in. */
  readonly workspaceIds: readonly string[]
}

/** With the prefix that it had before `now`: a call that rotates its own key was made with the old secret. */
export const auditedKey = async (db: Db, id: string, now: Date): Promise<AuditedKey | null> =>
  (await auditedKeys(db, [id], now))[0] ?? null

export async function auditedKeys(db: Db, ids: readonly string[], now: Date): Promise<AuditedKey[]> {
  const rows = await db.apiKey.findMany({
    where: { id: { in: [...ids] } },
    select: {
      id: true,
      name: true,
      workspaceId: true,
      bound: true,
      grants: { select: { workspaceId: true } },
      secrets: { where: { createdAt: { lt: now } }, orderBy: { createdAt: 'desc' }, take: 1, select: { prefix: true } },
    },
  })
  return rows.map(({ bound, grants, secrets, ...key }) => ({
    ...key,
    prefix: secrets[0]?.prefix ?? null,
    workspaceIds: bound ? [key.workspaceId] : grants.map(({ workspaceId }) => workspaceId),
  }))
}

const entriesPerBatch = 1_000
const workspacesPerBatch = 20

/**
 * Deletes entries that are older than a year, oldest first so that a chain never has a gap, and in batches; none of a
 * workspace with a legal hold. The newest
 * of them is kept: it proves that all before it were outdated too (`breakAtStart`). Uses the clock of the database,
 * whose trigger refuses to delete younger entries. Returns how many were deleted.
 */
export async function deleteOutdatedEntries(db: Db): Promise<number> {
  let deleted = 0
  for (let last = -1; last !== 0; deleted += last) last = await deleteBatch(db)
  return deleted
}

const deleteBatch = command(
  () => Prisma.sql`
  WITH chain AS (
    SELECT chain.workspace_id, oldest.number AS oldest, young.number AS young
    FROM audit_chain chain
    CROSS JOIN LATERAL (
      SELECT number FROM audit_entry WHERE workspace_id = chain.workspace_id ORDER BY number LIMIT 1
    ) oldest
    CROSS JOIN LATERAL (
      SELECT coalesce((
        SELECT number FROM audit_entry
        WHERE workspace_id = chain.workspace_id AND at >= now() - interval '1 year' ORDER BY number LIMIT 1
      ), chain.last_number + 1) AS number
    ) young
    WHERE oldest.number < young.number - 1 AND ${isNotHeld('chain')}
    LIMIT ${workspacesPerBatch}::int
  )
  DELETE FROM audit_entry USING chain
  WHERE audit_entry.workspace_id = chain.workspace_id AND number < chain.young - 1
    AND number < chain.oldest + ${entriesPerBatch}::int`,
)
