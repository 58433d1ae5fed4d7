// The event feed of a workspace: its events in the order of their sequence.
import type { EventRecord } from '#contract/event.ts'
import { Fault } from '#contract/faults/fault.ts'
import { invalidParameter } from '../faults/field-refusals.ts'
import type { Db } from '../execution/handler.ts'
import { firstIdAt } from './id-times.ts'

export type Reading = { readonly after: number | undefined; readonly types: readonly string[]; readonly limit: number }
export type FeedPage = { readonly data: EventRecord[]; readonly lastSequence: number; readonly hasMore: boolean }
type Row = {
  readonly last: bigint
  readonly expired: bigint
  readonly sequence: bigint | null
  readonly body: string | null
}

/** How many sequences one statement scans; a reader of rare event types calls again for the rest. */
const scannedMax = 10_000

/**
 * One statement, so that the end of the feed and its events are of the same moment: no event up to that end is missing,
 * since sequences rise in the order of commits.
 */
export async function readFeed(db: Db, workspaceId: string, { after, types, limit }: Reading): Promise<FeedPage> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT s.last, s.expired, e.sequence, e.body
    FROM event_sequence s LEFT JOIN LATERAL (
      SELECT sequence, body FROM event
      WHERE workspace_id = s.workspace_id AND type = ANY (${types}::text[])
        AND sequence > coalesce(${after ?? null}::bigint, s.expired)
        AND sequence <= coalesce(${after ?? null}::bigint, s.expired) + ${scannedMax}::int
      ORDER BY sequence LIMIT ${limit + 1}::int
    ) e ON true
    WHERE s.workspace_id = ${workspaceId}::uuid
    ORDER BY e.sequence`
  const [first] = rows
  if (first === undefined) throw new Error(`Workspace ${workspaceId} has no event sequence`)
  const [last, expired] = [Number(first.last), Number(first.expired)]
  const from = after ?? expired
  assertKept(from, last, expired)
  return pageOf(rows, limit, Math.min(last, from + scannedMax), last)
}

/**
 * The position before the first event after a time. Ids of events begin with the milliseconds of their time and rise
 * with the sequence, so the primary key finds it.
 */
export async function positionAfter(db: Db, workspaceId: string, time: Date): Promise<number> {
  const [found] = await db.$queryRaw<{ readonly position: bigint }[]>`
    SELECT greatest(s.expired, coalesce(
      (SELECT sequence - 1 FROM event
        WHERE workspace_id = s.workspace_id AND id >= ${firstIdAt(time.getTime() + 1)}::uuid ORDER BY id LIMIT 1),
      s.last)) AS position
    FROM event_sequence s WHERE s.workspace_id = ${workspaceId}::uuid`
  if (found === undefined) throw new Error(`Workspace ${workspaceId} has no event sequence`)
  return Number(found.position)
}

function pageOf(rows: readonly Row[], limit: number, end: number, last: number): FeedPage {
  const found = rows.filter(({ body }) => body !== null)
  const shown = found.slice(0, limit)
  const lastSequence = found.length > limit ? Number(shown.at(-1)?.sequence ?? end) : end
  const data = shown.map(({ body }) => JSON.parse(body ?? '') as EventRecord)
  return { data, lastSequence, hasMore: lastSequence < last }
}

// A position beyond the end of the feed comes from another workspace, or from before the database was restored to an
// earlier state: waiting there would skip events in silence.
function assertKept(from: number, last: number, expired: number): void {
  if (from > last) {
    const detail = `The newest event has the sequence ${last}.`
    throw invalidParameter('after', 'too_large', detail)
  }
  if (from >= expired) return
  throw new Fault('cursor_expired', `Events up to the sequence ${expired} are no longer kept.`, {
    hint: 'Synchronise in full with `updatedAfter`, then read on from the `lastSequence` of a call without `after`.',
    oldestKept: expired + 1,
  })
}
