// One committed change of one object. The same bytes reach the feed, the console and every webhook receiver.
import { Type, type Static, type TSchema } from 'typebox'
import { Actor, Id, Timestamp, Version, closed, nullable } from './fields.ts'
import type { Segment } from './scope.ts'

export type EventType = `${Segment}.${string}`

export type Event<T extends EventType = EventType, D extends TSchema = TSchema> = {
  readonly type: T
  readonly summary: string
  /** Schema of `data`: the object after the change. */
  readonly data: D
  /** Recorded by a process of ours, in no call of anybody's: no operation declares it. */
  readonly bySystem: boolean
}

export const event = <T extends EventType, D extends TSchema>(type: T, data: D, summary: string): Event<T, D> => ({
  type,
  data,
  summary,
  bySystem: false,
})

export const systemEvent = <T extends EventType, D extends TSchema>(
  type: T,
  data: D,
  summary: string,
): Event<T, D> => ({ type, data, summary, bySystem: true })

/** Kinds of events (`projects.created`), all of a segment (`projects.*`), or all (`*`). */
export const eventPatterns = (description: string) =>
  Type.Array(Type.String({ format: 'event-pattern', maxLength: 100 }), {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description,
  })

export type EventData<E extends Event> = Static<E['data']>

/** `changes` maps a field to its value before and after; empty where the object came into being or went away. */
export const Changes = Type.Record(
  Type.String({ maxLength: 100 }),
  closed({ from: Type.Unknown(), to: Type.Unknown() }),
)
export type Changes = Static<typeof Changes>

export const EventRecord = closed({
  id: Id,
  object: Type.Literal('event'),
  type: Type.String({ maxLength: 100 }),
  workspaceId: Id,
  sequence: Type.Integer({ minimum: 1, description: 'Without gaps within a workspace, in the order of commits.' }),
  occurredAt: Timestamp,
  actor: Actor,
  requestId: Type.String({ maxLength: 128 }),
  resource: closed({
    type: Type.String({ maxLength: 40 }),
    id: Id,
    kind: nullable(Type.String({ maxLength: 40 })),
    version: nullable(Version),
  }),
  data: Type.Unknown({ description: 'The object after the change.' }),
  changes: Changes,
})
export type EventRecord = Static<typeof EventRecord>

/** The whole record of one kind of event, `data` included. */
export const recordOf = ({ type, data }: Event) => closed({ ...EventRecord.properties, type: Type.Literal(type), data })

export const Payload = Type.Enum(['full', 'thin'], { description: '`thin` leaves out `data` and `changes`.' })
export type Payload = Static<typeof Payload>

/** What is sent of an event. A full payload is its bytes as they were written; a thin one says what happened, not to what. */
export function bodyOf(eventBody: string, payload: Payload): string {
  if (payload === 'full') return eventBody
  const { data: _data, changes: _changes, ...rest } = JSON.parse(eventBody) as Record<string, unknown>
  return JSON.stringify(rest)
}

/** What travels through the broker: only where the ledger's row is. */
export const EventNotice = closed({ eventId: Id, workspaceId: Id })
export type EventNotice = Static<typeof EventNotice>
export const noticesPerMessageMax = 50
export const EventNotices = Type.Array(EventNotice, { minItems: 1, maxItems: noticesPerMessageMax })
