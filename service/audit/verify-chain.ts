// The chain of a workspace's entries, checked against what is stored, in batches.
import type { verifyAuditEntries } from '#contract/audit-entries.ts'
import { Fault } from '#contract/fault.ts'
import type { Output } from '#contract/operation.ts'
import type { Db } from '../execution/handler.ts'
import { flawOfEnd, flawOfStart, follow, type Ends, type Flaw } from './chain.ts'
import { chainStart, type Link } from './entry.ts'
import { endsOf, entriesFrom, linkAt } from './rows.ts'

const batch = 1_000
const entriesMax = 20_000

/** Everything from `next` on is still to be checked; `end` is what it must follow, null where that was deleted. */
type Walked = { readonly next: number; readonly end: Link | null; readonly flaw: Flaw | null }

type Verdict = Output<typeof verifyAuditEntries>

export async function verifyChain(db: Db, workspaceId: string, from: number): Promise<Verdict> {
  const seen = await check(db, workspaceId, from)
  const isPurged = seen.flaw !== null && (await endsOf(db, workspaceId)).oldest?.number !== seen.ends.oldest?.number
  // Outdated entries were deleted meanwhile: that is no flaw, and happens once in a long while.
  const { ends, start, next, end, flaw } = isPurged ? await check(db, workspaceId, from) : seen
  return {
    checked: next - start,
    intact: flaw === null,
    brokenAt: flaw?.brokenAt ?? null,
    reason: flaw?.reason ?? null,
    complete: flaw === null && next > ends.last.number,
    lastNumber: end?.number ?? start - 1,
    lastHash: end?.hash ?? chainStart.hash,
  }
}

async function check(db: Db, workspaceId: string, from: number): Promise<Walked & { ends: Ends; start: number }> {
  const ends = await endsOf(db, workspaceId)
  const start = Math.max(from, ends.oldest?.number ?? 1)
  if (from > ends.last.number + 1)
    throw new Fault('invalid_parameter', `from: The newest entry is number ${ends.last.number}.`)
  const begun = await begin(db, workspaceId, start, ends)
  const walked = begun.flaw === null ? await walk(db, workspaceId, begun, ends) : begun
  const isComplete = walked.flaw === null && walked.next > Math.min(ends.last.number, ends.newest)
  return { ...walked, ends, start, flaw: isComplete ? flawOfEnd(ends, walked.end ?? chainStart) : walked.flaw }
}

async function begin(db: Db, workspaceId: string, start: number, ends: Ends): Promise<Walked> {
  if (start === 1) return { next: start, end: chainStart, flaw: null }
  if (start === ends.oldest?.number) return { next: start, end: null, flaw: flawOfStart(ends) }
  const end = await linkAt(db, workspaceId, start - 1)
  return { next: start, end, flaw: end === null ? { brokenAt: start - 1, reason: 'entry_missing' } : null }
}

async function walk(db: Db, workspaceId: string, begun: Walked, ends: Ends): Promise<Walked> {
  const last = Math.min(ends.last.number, ends.newest, begun.next + entriesMax - 1)
  let walked = begun
  while (walked.flaw === null && walked.next <= last) {
    const { next, end } = walked
    const entries = await entriesFrom(db, workspaceId, next, Math.min(last, next + batch - 1))
    const followed = follow(entries, end)
    const reached = followed.end?.number ?? next - 1
    // Right as far as it goes, and yet not as far as was asked for.
    const isShort = followed.flaw === null && reached < Math.min(last, next + batch - 1)
    const flaw = isShort ? { brokenAt: reached + 1, reason: 'entry_missing' as const } : followed.flaw
    walked = { next: reached + 1, end: followed.end, flaw }
  }
  return walked
}
