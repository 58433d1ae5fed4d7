// `audit-entries.verify`: reads the stored entries of a workspace in batches and checks their chain.
import type { verifyAuditEntries } from '#contract/audit-entries.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Output } from '#contract/operation.ts'
import type { Db, Handler } from '../execution/handler.ts'
import { flawOfEnd, flawOfStart, follow, type Ends, type Flaw } from './chain.ts'
import { chainStart, type Link } from './entry.ts'
import { endsOf, entriesBetween, linkAt } from './rows.ts'

const entriesPerBatch = 1_000
const entriesPerCallMax = 20_000

/** Entries from `next` on are still to be checked. `end` is the entry that they must follow; null when it was deleted. */
type Progress = { readonly next: number; readonly end: Link | null; readonly flaw: Flaw | null }

type Verdict = Output<typeof verifyAuditEntries>

export const verify: Handler<typeof verifyAuditEntries> = ({ from = 1 }, { db, workspaceId }) =>
  verifyChain(db, workspaceId, from)

export async function verifyChain(db: Db, workspaceId: string, from: number): Promise<Verdict> {
  const first = await check(db, workspaceId, from)
  const isPurged = first.flaw !== null && (await endsOf(db, workspaceId)).oldest?.number !== first.ends.oldest?.number
  // Outdated entries were deleted while the chain was read, which is no flaw: check once more.
  const { ends, start, next, end, flaw } = isPurged ? await check(db, workspaceId, from) : first
  return {
    checked: next - start,
    intact: flaw === null,
    brokenAt: flaw?.entryNumber ?? null,
    reason: flaw?.reason ?? null,
    complete: flaw === null && next > ends.last.number,
    lastNumber: end?.number ?? start - 1,
    lastHash: end?.hash ?? chainStart.hash,
  }
}

async function check(db: Db, workspaceId: string, from: number): Promise<Progress & { ends: Ends; start: number }> {
  const ends = await endsOf(db, workspaceId)
  const start = Math.max(from, ends.oldest?.number ?? 1)
  if (from > ends.last.number + 1)
    throw new Fault('invalid_parameter', `from: The newest entry is number ${ends.last.number}.`)
  const started = await startAt(db, workspaceId, start, ends)
  const progress = started.flaw === null ? await checkBatches(db, workspaceId, started, ends) : started
  const isComplete = progress.flaw === null && progress.next > Math.min(ends.last.number, ends.newest)
  return { ...progress, ends, start, flaw: isComplete ? flawOfEnd(ends, progress.end ?? chainStart) : progress.flaw }
}

async function startAt(db: Db, workspaceId: string, start: number, ends: Ends): Promise<Progress> {
  if (start === 1) return { next: start, end: chainStart, flaw: null }
  if (start === ends.oldest?.number) return { next: start, end: null, flaw: flawOfStart(ends) }
  const end = await linkAt(db, workspaceId, start - 1)
  return { next: start, end, flaw: end === null ? { entryNumber: start - 1, reason: 'entry_missing' } : null }
}

async function checkBatches(db: Db, workspaceId: string, started: Progress, ends: Ends): Promise<Progress> {
  const last = Math.min(ends.last.number, ends.newest, started.next + entriesPerCallMax - 1)
  let progress = started
  while (progress.flaw === null && progress.next <= last) {
    const { next, end } = progress
    const entries = await entriesBetween(db, workspaceId, next, Math.min(last, next + entriesPerBatch - 1))
    const followed = follow(entries, end)
    const reached = followed.end?.number ?? next - 1
    // What was read is right, and yet less than was asked for.
    const isShort = followed.flaw === null && reached < Math.min(last, next + entriesPerBatch - 1)
    const flaw = isShort ? { entryNumber: reached + 1, reason: 'entry_missing' as const } : followed.flaw
    progress = { next: reached + 1, end: followed.end, flaw }
  }
  return progress
}
