// The only way to write audit entries: they are appended to the end of their workspace's chain.
import type { Db } from '../execution/handler.ts'
import { chained, chainStart, toRow, type Draft, type Link } from './entry.ts'

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
  const rows = []
  for (const draft of drafts) {
    const entry = chained(draft, end)
    rows.push(toRow(entry))
    end = entry
  }
  await tx.auditEntry.createMany({ data: rows })
  await tx.auditChain.update({ where: { workspaceId }, data: columns(end) })
}

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
