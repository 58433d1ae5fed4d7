// The filters of the events, as their address holds them, as the search takes them, and as the stream is sifted by
// them. Pure.
import type { EventRecord } from '#contract/event.ts'
import type { searchEvents } from '#contract/events.ts'
import type { Input } from '#contract/operation.ts'
import { oneOf, searchOf, text } from '../../app/search-params.ts'

export const spanWords = { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days' } as const
type Span = keyof typeof spanWords
// The names are those of the record.
export const spans = Object.keys(spanWords) as Span[]

const hourMs = 3_600_000
const spanMs: Readonly<Record<Span, number>> = { '1h': hourMs, '24h': 24 * hourMs, '7d': 168 * hourMs }

export const eventSearch = searchOf({
  q: text,
  kind: text,
  actor: text,
  since: oneOf(spans),
  // Those that other pages lead here with.
  object: text,
  request: text,
})
export type EventSearch = ReturnType<typeof eventSearch>

/** A span begins at a full minute, so that the same query can be answered from the cache. */
export function eventInput(search: EventSearch, nowMs: number): Input<typeof searchEvents> {
  const { q, kind, actor, since, object, request } = search
  const from = since === undefined ? null : Math.floor(nowMs / 60_000) * 60_000 - spanMs[since]
  return {
    ...(q !== undefined && { search: q }),
    ...(kind !== undefined && { eventTypes: [kind] }),
    ...(actor !== undefined && { actorId: actor }),
    ...(object !== undefined && { resourceId: object }),
    ...(request !== undefined && { requestId: request }),
    ...(from !== null && { occurredAfter: new Date(from).toISOString() }),
  }
}

/** Of an event of the stream, which knows the kind alone. */
export const matches = (event: EventRecord, { q, actor, object, request }: EventSearch): boolean =>
  (actor === undefined || event.actor.id === actor) &&
  (object === undefined || event.resource.id === object) &&
  (request === undefined || event.requestId === request) &&
  (q === undefined || JSON.stringify(event).toLowerCase().includes(JSON.stringify(q).slice(1, -1).toLowerCase()))
