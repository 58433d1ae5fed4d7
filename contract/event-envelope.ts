// The record of one event: one committed change of one object. The same bytes are in the feed, in the console and in every
// webhook delivery with a full payload.
import { Type, type Static } from 'typebox'
import type { Event } from './event-declaration.ts'
import { Actor, Id, Timestamp, Version, closed, nullable } from './shared-fields.ts'

/** Each changed field with its value before and after. Empty for events of creation and deletion. */
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
  test: Type.Optional(
    Type.Literal(true, {
      description: 'There where a test delivers an example of this kind: nothing has happened. In no feed.',
    }),
  ),
})
export type EventRecord = Static<typeof EventRecord>

/** Schema of the record of one type of event, with the schema of its `data`. */
export const eventRecordOf = ({ type, data }: Event) =>
  closed({ ...EventRecord.properties, type: Type.Literal(type), data })

export const Payload = Type.Enum(['full', 'thin'], { description: '`thin` leaves out `data` and `changes`.' })
export type Payload = Static<typeof Payload>

/** The body of a webhook delivery. `full`: the bytes of the event as they are; `thin`: without `data` and `changes`. */
export function deliveryBody(eventBody: string, payload: Payload): string {
  if (payload === 'full') return eventBody
  const { data: _data, changes: _changes, ...rest } = JSON.parse(eventBody) as Record<string, unknown>
  return JSON.stringify(rest)
}
