// The event feed of a workspace: its events in the order of their sequence, those that a caller's scopes let it read,
// as pages and as a stream that grows.
import { setTimeout as pause } from 'node:timers/promises'
import { eventCatalogue } from '#contract/api.ts'
import type { EventRecord } from '#contract/event.ts'
import type { streamEvents } from '#contract/events.ts'
import { Fault } from '#contract/faults/fault.ts'
import { covers, readScopeOf } from '#contract/scopes.ts'
import { typesOf, scopesOf } from '#contract/webhook-grants.ts'
import { cutAt, rowsFor } from '../collection/pagination.ts'
import { assertHolds } from '../execution/authorize.ts'
import type { Db } from '../execution/call.ts'
import { invalidParameter } from '../faults/shared-faults.ts'
import { pageEveryMs, type StreamSource, type StreamCall } from '../http/stream-source.ts'
import type { LongPoll } from './long-poll.ts'
import { firstIdAt } from './partitions.ts'
import { feedRows, positionBefore, type FeedRow } from './rows.ts'

const types = eventCatalogue.map(({ type }) => type)

/** The event types of resources that these scopes let a caller read. */
export const readableTypes = (heldScopes: readonly string[]): string[] =>
  types.filter((type) => covers(heldScopes, readScopeOf(type)))

/** Throws `insufficient_scope` when the patterns match event types that the caller may not read. */
export const assertReadable = (patterns: readonly string[], heldScopes: readonly string[]): void =>
  assertHolds(scopesOf(patterns), heldScopes, 'To receive these events')

/** The event types that were asked for, or all that the caller may read. Throws as above. */
export function typesFor(patterns: readonly string[] | undefined, heldScopes: readonly string[]): readonly string[] {
  if (patterns === undefined) return readableTypes(heldScopes)
  assertReadable(patterns, heldScopes)
  return typesOf(patterns)
}

export type FeedQuery = {
  readonly after: number | undefined
  readonly types: readonly string[]
  readonly resourceId?: string | undefined
  readonly actorId?: string | undefined
  /** In names and values of any field. */
  readonly text?: string | undefined
  readonly limit: number
}
export type FeedPage = { readonly data: EventRecord[]; readonly lastSequence: number; readonly hasMore: boolean }
/** The sequences that one statement scans; a reader of rare event types calls again for the rest. */
const scannedMax = 10_000
/**
 * The events of one object, and of one actor, have an index, which no others are in. An actor may have done much: a
 * text would be looked for in all of it.
 */
const scannedByIndexMax = 2_147_483_647

/** Bodies are JSON: a quotation mark stands in them behind a backslash. */
export const textInBody = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * One statement, so that the end of the feed and its events are of the same moment: no event up to that end is missing,
 * since sequences rise in the order of commits.
 */
export async function readFeed(db: Db, workspaceId: string, query: FeedQuery): Promise<FeedPage> {
  const { after = null, types, resourceId = null, actorId = null, limit } = query
  const text = query.text === undefined ? null : textInBody(query.text)
  const isIndexed = resourceId !== null || (actorId !== null && text === null)
  const scanned = isIndexed ? scannedByIndexMax : scannedMax
  const slice = { after, types, resourceId, actorId, text, rows: rowsFor(limit), scannedMax: scanned }
  const rows = await feedRows(db, workspaceId, slice)
  const [first] = rows
  if (first === undefined) throw new Error(`Workspace ${workspaceId} has no event sequence`)
  const [last, expired] = [Number(first.last), Number(first.expired)]
  const from = after ?? expired
  const gaps = gapsIn(first.gaps)
  assertKept(from, last, expired, gaps)
  const ended = gaps.find((gap) => gap.after === from)
  // Nothing comes in a gap: at its beginning, its end is the same place.
  if (ended !== undefined) return readFeed(db, workspaceId, { ...query, after: ended.before })
  const next = gaps.find((gap) => gap.after > from)
  const end = next !== undefined && next.after <= from + scanned ? next.before : Math.min(last, from + scanned)
  return pageOf(rows, limit, end, last)
}

/**
 * Numbers that were left out when the installation was restored from a backup (prisma/restore.ts): those after the one
 * and up to the other.
 */
type Gap = { readonly after: number; readonly before: number }

const gapsIn = (numbers: readonly bigint[]): Gap[] =>
  Array.from({ length: numbers.length / 2 }, (_, at) => ({
    after: Number(numbers[2 * at]),
    before: Number(numbers[2 * at + 1]),
  }))

/**
 * The position before the first event after a time. Ids of events begin with the milliseconds of their time and rise
 * with the sequence, so the primary key finds it.
 */
export async function positionAfter(db: Db, workspaceId: string, time: Date): Promise<number> {
  const [found] = await positionBefore(db, workspaceId, firstIdAt(time.getTime() + 1))
  if (found === undefined) throw new Error(`Workspace ${workspaceId} has no event sequence`)
  return Number(found.position)
}

function pageOf(rows: readonly FeedRow[], limit: number, end: number, last: number): FeedPage {
  const found = rows.filter(({ body }) => body !== null)
  const { shown, hasMore } = cutAt(found, limit)
  const lastSequence = hasMore ? Number(shown.at(-1)?.sequence ?? end) : end
  const data = shown.map(({ body }) => JSON.parse(body ?? '') as EventRecord)
  return { data, lastSequence, hasMore: lastSequence < last }
}

// A position beyond the end of the feed comes from another workspace: waiting there would skip events in silence.
function assertKept(from: number, last: number, expired: number, gaps: readonly Gap[]): void {
  if (from > last) {
    const detail = `The newest event has sequence ${last}.`
    throw invalidParameter('after', 'too_large', detail)
  }
  const lost = gaps.find(({ after, before }) => after < from && from < before)
  if (lost !== undefined)
    throw new Fault(
      'feed_rewound',
      `The installation was restored from a backup, whose last event has sequence ${lost.after}. Later events, up to your position, are lost.`,
      {
        hint: 'First get the current end of the feed: send a feed request with `occurredAfter` set to a future time, and save `lastSequence` of the response. Then read all objects again, delete from your copy what no longer exists, and continue from the saved sequence.',
        restoredAt: lost.after,
        continuesAfter: lost.before,
      },
    )
  if (from >= expired) return
  throw new Fault('cursor_expired', `Events up to sequence ${expired} are no longer kept.`, {
    hint: 'First get the current end of the feed: send a feed request with `occurredAfter` set to a future time, and save `lastSequence` of the response. Then read all objects again, and continue from the saved sequence.',
    oldestKept: expired + 1,
  })
}

const pageMax = 100
/** The feed answers at once when too many wait: then it is read no more often than this. */
const pauseMs = 1_000

/** Pages of `events.list`, each when there is something new. */
export const followEvents = ({ waitForEvents }: Pick<LongPoll, 'waitForEvents'>): StreamSource<typeof streamEvents> =>
  async function* follow({ eventTypes }, call) {
    const { workspaceId, principal, signal, read } = call
    const types = typesFor(eventTypes, principal.scopes)
    const kept = await keptSequence(call)
    let after = kept ?? (await read((db) => positionAfter(db, workspaceId, new Date())))
    await call.opened(kept !== null, String(after))
    while (!signal.aborted) {
      const page = await read((db) => readFeed(db, workspaceId, { after, types, limit: pageMax }))
      after = page.lastSequence
      yield { items: page.data, position: String(after) }
      if (!page.hasMore) await untilEvents(after, call)
    }

    async function untilEvents(sequence: number, { workspaceId: of }: StreamCall): Promise<void> {
      const until = AbortSignal.any([signal, AbortSignal.timeout(pageEveryMs)])
      const isThere = await waitForEvents(of, sequence, until)
      if (!isThere && !until.aborted) await pause(pauseMs, undefined, { signal }).catch(() => {})
    }
  }

/** Null when the caller has none, or the feed does not reach back to it, or not yet up to it. */
async function keptSequence({ lastEventId, workspaceId, read }: StreamCall): Promise<number | null> {
  const after = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : null
  if (after === null) return null
  try {
    await read((db) => readFeed(db, workspaceId, { after, types: [], limit: 1 }))
    return after
  } catch (thrown) {
    if (thrown instanceof Fault) return null
    throw thrown
  }
}
