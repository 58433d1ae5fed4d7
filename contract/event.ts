// How a type of event is declared: its name, the schema of its data, and a sentence that says when it is recorded.
import { type Static, type TSchema, Type } from 'typebox'
import type { Segment } from './scopes.ts'
import { Actor, Id, Timestamp, Version, closed, nullable } from './shared-fields.ts'

export type EventType = `${Segment}.${string}`

export type Event<T extends EventType = EventType, D extends TSchema = TSchema> = {
  readonly type: T
  readonly summary: string
  /** Schema of `data`: the object after the change. */
  readonly data: D
  /** True: recorded by background work and in no call, so that no operation has it in `emits`. */
  readonly bySystem: boolean
}

export const event = <T extends EventType, D extends TSchema>(type: T, data: D, summary: string): Event<T, D> => ({
  type,
  data,
  summary,
  bySystem: false,
})

/** An event that background work records. */
export const systemEvent = <T extends EventType, D extends TSchema>(
  type: T,
  data: D,
  summary: string,
): Event<T, D> => ({ type, data, summary, bySystem: true })

export type EventData<E extends Event> = Static<E['data']>

// The record of one event: one committed change of one object. The same bytes are in the feed, in the console and in
// every webhook delivery with a full payload.

/** Each changed field with its value before and after. Empty for events of creation and deletion. */
export const Changes = Type.Record(
  Type.String({ maxLength: 100 }),
  closed({ from: Type.Unknown(), to: Type.Unknown() }),
)
export type Changes = Static<typeof Changes>

/** Enough for a message, without another call. */
export const Related = Type.Object(
  {
    task: Type.Optional({
      ...closed({ id: Id, identifier: Type.String({ maxLength: 21 }), title: Type.String() }),
      description: 'The task that a comment is on.',
    }),
    project: Type.Optional({
      ...closed({ id: Id, key: Type.String({ maxLength: 36 }), name: Type.String() }),
      description: 'The project that the object belongs to, or that a comment is on.',
    }),
    crmEntity: Type.Optional({
      ...closed({ id: Id, kind: Type.String({ maxLength: 20 }), name: Type.String() }),
      description: 'The company, contact or deal that a comment is on.',
    }),
  },
  {
    additionalProperties: false,
    description: 'What the object belongs to, with the names at the time of the event.',
  },
)

const EventOrigin = Type.Enum(['import', 'trigger'], {
  description:
    'Present if the change was not made here. `import`: what it is about happened in another system before. `trigger`: nothing has happened; the event was triggered in a sandbox, and the object is as it was.',
})
export type EventOrigin = Static<typeof EventOrigin>

export const EventRecord = closed({
  id: Id,
  object: Type.Literal('event'),
  type: Type.String({ maxLength: 100 }),
  workspaceId: Id,
  sequence: Type.Integer({
    minimum: 1,
    description:
      'Counts the events of a workspace in the order of commits, without gaps but for one where the installation was restored from a backup.',
  }),
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
  related: Type.Optional(Related),
  origin: Type.Optional(EventOrigin),
  test: Type.Optional(
    Type.Literal(true, {
      description: 'Present if a test delivers an example of this type: nothing has happened. It is in no feed.',
    }),
  ),
})
export type EventRecord = Static<typeof EventRecord>

/** Schema of the record of one type of event, with the schema of its `data`. */
export const eventRecordOf = ({ type, data }: Event) =>
  closed({ ...EventRecord.properties, type: Type.Literal(type), data })

export const Payload = Type.Enum(['full', 'thin'], {
  description: '`thin` leaves out `data`, `changes` and `related`.',
})
export type Payload = Static<typeof Payload>

/** The body of a webhook delivery. `full`: the bytes of the event as they are; `thin`: without what it tells of it. */
export function deliveryBody(eventBody: string, payload: Payload): string {
  if (payload === 'full') return eventBody
  const {
    data: _data,
    changes: _changes,
    related: _related,
    ...rest
  } = JSON.parse(eventBody) as Record<string, unknown>
  return JSON.stringify(rest)
}

// Patterns that select types of events: one type (`projects.created`), all of a segment (`projects.*`), or all (`*`).

const EventPattern = Type.String({ format: 'event-pattern', maxLength: 100 })

export const eventPatterns = (description: string) =>
  Type.Array(EventPattern, { minItems: 1, maxItems: 50, uniqueItems: true, description })

/** The types of events that carry `changes`. A filter by changed fields applies to these alone. */
export const isUpdate = (eventType: string): boolean => eventType.endsWith('.updated')

export const patternMatches = (pattern: string, eventType: string): boolean =>
  pattern === '*' || pattern === eventType || (pattern.endsWith('.*') && eventType.startsWith(pattern.slice(0, -1)))
