// The audit log: its entries are listed and exported, and their chain is verified.
import {
  entriesLookedThroughMax,
  type AuditEntry,
  type listAuditEntries,
  type verifyAuditEntries,
} from '#contract/audit-entries.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Output } from '#contract/operation.ts'
import type { Handlers, Handler, Db } from '../execution/call.ts'
import { refuseParameter } from '../faults/shared-faults.ts'
import { rowsFor, type Pager } from '../collection/pagination.ts'
import { assertSpan } from '../validation/query-parameters.ts'
import { exportLog, type ExportDeps } from './export.ts'
import { endsOf, entriesBetween, entriesNumbered, linkAt, matchingNumbers, type EntryFilter } from './rows.ts'
import {
  fromRow,
  breakAtEnd,
  breakAtStart,
  follow,
  chainStart,
  type Ends,
  type ChainBreak,
  type Link,
} from './rules.ts'

type AuditDeps = ExportDeps & { readonly pager: Pager }

export const auditHandlers = ({ pager, ...exporting }: AuditDeps) =>
  ({
    'audit-entries.list': list(pager),
    'audit-entries.export': exportLog(exporting),
    'audit-entries.verify': verify,
  }) satisfies Partial<Handlers>

const list =
  (pager: Pager): Handler<typeof listAuditEntries> =>
  async (input, { db, workspaceId }) => {
    const { limit: _limit, cursor: _cursor, ...filter } = input
    assertSpan('created', filter.createdAfter, filter.createdBefore, refuseParameter)
    const paging = pager.open('audit-entries.list', workspaceId, input, '-number')
    const { last, oldest } = await endsOf(db, workspaceId)
    const below = paging.after === null ? last.number + 1 : Number(paging.after.value)
    const lowest = (oldest?.number ?? 1) - 1
    const above = isIndexed(filter) ? lowest : Math.max(lowest, below - 1 - entriesLookedThroughMax)
    const slice = { above, below, newestFirst: true, rows: rowsFor(paging.limit) }
    const numbers = await matchingNumbers(db, workspaceId, filter, slice)
    const rows = await entriesNumbered(
      db,
      workspaceId,
      numbers.map(({ number }) => number),
    )
    return pager.page(
      rows,
      paging,
      ({ number }) => String(number),
      fromRow,
      above === lowest ? null : String(above + 1),
    )
  }

/** Of these filters each has an index, in which no other entries stand: what it leaves is a page, or little. */
function isIndexed(filter: EntryFilter): boolean {
  const { createdAfter: _after, createdBefore: _before, ...given } = filter
  const names = Object.keys(given)
  return (
    filter.targetId !== undefined ||
    filter.requestId !== undefined ||
    (names.every((name) => byIndex.has(name)) && names.length < 2)
  )
}
const byIndex = new Set(['action', 'actorId'])

const entriesPerBatch = 1_000
const entriesPerCallMax = 20_000

/**
 * Entries from `next` on are still to be checked. `end` is the entry that they must follow; null when it was deleted.
 */
type Progress = { readonly next: number; readonly end: Link | null; readonly chainBreak: ChainBreak | null }

type Verdict = Output<typeof verifyAuditEntries>

const verify: Handler<typeof verifyAuditEntries> = ({ from = 1 }, { db, workspaceId }) =>
  verifyChain(db, workspaceId, from)

/** Reads the stored entries of a workspace in batches and checks their chain. */
export async function verifyChain(db: Db, workspaceId: string, from: number): Promise<Verdict> {
  const first = await check(db, workspaceId, from)
  const isPurged =
    first.chainBreak !== null && (await endsOf(db, workspaceId)).oldest?.number !== first.ends.oldest?.number
  // Outdated entries may have been deleted while the chain was read, which is allowed: check once more.
  const { ends, start, next, end, chainBreak } = isPurged ? await check(db, workspaceId, from) : first
  const brokenAt = chainBreak?.entryNumber ?? null
  const [firstEntry] = await entriesBetween(db, workspaceId, start, start)
  const [brokenEntry] = brokenAt === null ? [] : await entriesBetween(db, workspaceId, brokenAt, brokenAt)
  return {
    checked: next - start,
    since: firstEntry?.at ?? null,
    intact: chainBreak === null,
    brokenAt,
    brokenEntry: brokenEntry === undefined ? null : shownBroken(brokenEntry),
    reason: chainBreak?.reason ?? null,
    complete: chainBreak === null && next > ends.last.number,
    lastNumber: end?.number ?? start - 1,
    lastHash: end?.hash ?? chainStart.hash,
  }
}

/** An entry that was changed may hold anything. */
const shownBroken = ({ at, action, actor }: Pick<AuditEntry, 'at' | 'action' | 'actor'>) => ({
  at,
  action: action.slice(0, 80),
  actorName: ((actor as Partial<AuditEntry['actor']> | null)?.name ?? '').slice(0, 200),
})

async function check(db: Db, workspaceId: string, from: number): Promise<Progress & { ends: Ends; start: number }> {
  const ends = await endsOf(db, workspaceId)
  const start = Math.max(from, ends.oldest?.number ?? 1)
  if (from > ends.last.number + 1)
    throw new Fault('invalid_parameter', `from: The newest entry is number ${ends.last.number}.`)
  const started = await startAt(db, workspaceId, start, ends)
  const progress = started.chainBreak === null ? await checkBatches(db, workspaceId, started, ends) : started
  const isComplete = progress.chainBreak === null && progress.next > Math.min(ends.last.number, ends.newest)
  return {
    ...progress,
    ends,
    start,
    chainBreak: isComplete ? breakAtEnd(ends, progress.end ?? chainStart) : progress.chainBreak,
  }
}

async function startAt(db: Db, workspaceId: string, start: number, ends: Ends): Promise<Progress> {
  if (start === 1) return { next: start, end: chainStart, chainBreak: null }
  if (start === ends.oldest?.number) return { next: start, end: null, chainBreak: breakAtStart(ends) }
  const end = await linkAt(db, workspaceId, start - 1)
  return { next: start, end, chainBreak: end === null ? { entryNumber: start - 1, reason: 'entry_missing' } : null }
}

async function checkBatches(db: Db, workspaceId: string, started: Progress, ends: Ends): Promise<Progress> {
  const last = Math.min(ends.last.number, ends.newest, started.next + entriesPerCallMax - 1)
  let progress = started
  while (progress.chainBreak === null && progress.next <= last) {
    const { next, end } = progress
    const entries = await entriesBetween(db, workspaceId, next, Math.min(last, next + entriesPerBatch - 1))
    const followed = follow(entries, end)
    const reached = followed.end?.number ?? next - 1
    // The entries are right but fewer than asked for.
    const isShort = followed.chainBreak === null && reached < Math.min(last, next + entriesPerBatch - 1)
    const chainBreak = isShort ? { entryNumber: reached + 1, reason: 'entry_missing' as const } : followed.chainBreak
    progress = { next: reached + 1, end: followed.end, chainBreak }
  }
  return progress
}
