// The only way to write audit entries: they are appended to the end of their workspace's chain.
import type { AuditEntry } from '#contract/audit-entries.ts'
import type { Database } from '#prisma/client.ts'
import { transact } from '#prisma/transaction.ts'
import type { Db } from '../execution/call.ts'
import { chained, chainStart, type Draft, type Link } from './entry.ts'

/** Once for each workspace, in the transaction that creates it. */
export async function startChain(tx: Db, workspaceId: string): Promise<void> {
  await tx.auditChain.create({ data: { workspaceId, ...columns(chainStart) } })
}

/**
 * Locks the workspace's chain until the commit. To avoid deadlocks, a transaction waits for no other lock after this one:
 * what it still writes (changes of keys, the kept answer of an Idempotency-Key) are rows of its own.
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
  await tx.$executeRaw`UPDATE audit_chain SET last_number = ${end.number}::bigint, last_hash = decode(${end.hash}, 'hex')
    WHERE workspace_id = ${workspaceId}::uuid`
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

/** As one parameter: Prisma's own insert of 200 entries takes some three times as long, and the chain is locked meanwhile. */
const insert = (tx: Db, workspaceId: string, entries: readonly AuditEntry[]): Promise<number> => tx.$executeRaw`
  INSERT INTO audit_entry (workspace_id, number, id, at, actor, action, surface, target, outcome, code, ip, user_agent,
    request_id, changes, arguments_hash, trace_id, count, previous_hash, hash)
  SELECT ${workspaceId}::uuid, number, id, at, actor, action, surface, target, outcome, code, ip, "userAgent",
    "requestId", changes, decode("argumentsHash", 'hex'), "traceId", count, decode("previousHash", 'hex'), decode(hash, 'hex')
  FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS entry (
    number bigint, id uuid, at timestamptz, actor jsonb, action text, surface text, target jsonb, outcome text,
    code text, ip text, "userAgent" text, "requestId" text, changes jsonb, "argumentsHash" text, "traceId" text,
    count integer, "previousHash" text, hash text
  )`

// Inserting an entry also locks its workspace's row (foreign key). That lock is taken first: taken after the chain, it
// could wait for a transaction that updates the workspace and itself waits for the chain.
async function lockChain(tx: Db, workspaceId: string): Promise<Link> {
  await tx.$queryRaw`SELECT 1 FROM workspace WHERE id = ${workspaceId}::uuid FOR KEY SHARE`
  const [end] = await tx.$queryRaw<{ last_number: bigint; last_hash: Uint8Array }[]>`
    SELECT last_number, last_hash FROM audit_chain WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE`
  if (end === undefined) throw new Error(`Workspace ${workspaceId} has no audit chain`)
  return { number: Number(end.last_number), hash: Buffer.from(end.last_hash).toString('hex') }
}

const columns = ({ number, hash }: Link) => ({ lastNumber: BigInt(number), lastHash: Buffer.from(hash, 'hex') })
