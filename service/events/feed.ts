// The feed between the contract and the tables.
import type { EventRecord } from '#contract/event-envelope.ts'
import { Fault } from '#contract/fault.ts'
import type { Db } from '../execution/handler.ts'

export type Reading = { readonly after: number | undefined; readonly types: readonly string[]; readonly limit: number }
export type FeedPage = { readonly data: EventRecord[]; readonly lastSequence: number; readonly hasMore: boolean }
type Row = {
  readonly last: bigint
  readonly expired: bigint
  readonly sequence: bigint | null
  readonly body: string | null
}

/** How far one statement looks: a reader of rare kinds comes back for the rest. */
const lookThroughMax = 10_000

/**
 * One statement, so that the end of the feed and its events are of one moment: what is not there up to that end never
 * will be, since sequences are drawn in the order of commits.
 */
export async function readFeed(db: Db, workspaceId: string, { after, types, limit }: Reading): Promise<FeedPage> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT s.last, s.expired, e.sequence, e.body
    FROM event_sequence s LEFT JOIN LATERAL (
      SELECT sequence, body FROM event
      WHERE workspace_id = s.workspace_id AND type = ANY (${types}::text[])
        AND sequence > coalesce(${after ?? null}::bigint, s.expired)
        AND sequence <= coalesce(${after ?? null}::bigint, s.expired) + ${lookThroughMax}::int
      ORDER BY sequence LIMIT ${limit + 1}::int
    ) e ON true
    WHERE s.workspace_id = ${workspaceId}::uuid
    ORDER BY e.sequence`
  const [first] = rows
  if (first === undefined) throw new Error(`Workspace ${workspaceId} has no event sequence`)
  const [last, expired] = [Number(first.last), Number(first.expired)]
  const from = after ?? expired
  assertKept(from, last, expired)
  return pageOf(rows, limit, Math.min(last, from + lookThroughMax), last)
}

function pageOf(rows: readonly Row[], limit: number, end: number, last: number): FeedPage {
  const found = rows.filter(({ body }) => body !== null)
  const shown = found.slice(0, limit)
  const lastSequence = found.length > limit ? Number(shown.at(-1)?.sequence ?? end) : end
  const data = shown.map(({ body }) => JSON.parse(body ?? '') as EventRecord)
  return { data, lastSequence, hasMore: lastSequence < last }
}

// A position that the feed has not reached was made elsewhere, or by a database that was set back since: waiting there
// would skip events without a word.
function assertKept(from: number, last: number, expired: number): void {
  if (from > last) {
    const detail = `The newest event has the sequence ${last}.`
    throw new Fault('invalid_parameter', `after: ${detail}`, {
      errors: [{ parameter: 'after', code: 'too_large', detail }],
    })
  }
  if (from >= expired) return
  throw new Fault('cursor_expired', `Events up to the sequence ${expired} are no longer kept.`, {
    hint: 'Synchronise in full with `updatedAfter`, then read on from the `lastSequence` of a call without `after`.',
    oldestKept: expired + 1,
  })
}
