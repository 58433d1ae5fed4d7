// The end of a workspace's chain, and the only way to make it longer.
import type { Db } from '../execution/handler.ts'
import { chained, chainStart, toRow, type Draft, type Link } from './entry.ts'

/** Once for each workspace, together with it. */
export async function startChain(tx: Db, workspaceId: string): Promise<void> {
  await tx.auditChain.create({ data: { workspaceId, ...columns(chainStart) } })
}

/**
 * Called last in a transaction: the chain is locked from here to the commit. Whoever holds it waits for nothing else, so
 * no two wait for each other.
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

// Inserting an entry locks its workspace's row too. Taken only after the chain, that lock would wait for one who
// changes the workspace and waits for the chain.
async function lockChain(tx: Db, workspaceId: string): Promise<Link> {
  await tx.$queryRaw`SELECT 1 FROM workspace WHERE id = ${workspaceId}::uuid FOR KEY SHARE`
  const [end] = await tx.$queryRaw<{ last_number: bigint; last_hash: Uint8Array }[]>`
    SELECT last_number, last_hash FROM audit_chain WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE`
  if (end === undefined) throw new Error(`Workspace ${workspaceId} has no audit chain`)
  return { number: Number(end.last_number), hash: Buffer.from(end.last_hash).toString('hex') }
}

const columns = ({ number, hash }: Link) => ({ lastNumber: BigInt(number), lastHash: Buffer.from(hash, 'hex') })
