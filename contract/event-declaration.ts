// How a type of event is declared: its name, the schema of its data, and a sentence that says when it is recorded.
import type { Static, TSchema } from 'typebox'
import type { Segment } from './scopes.ts'

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
