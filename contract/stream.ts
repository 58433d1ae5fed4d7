// A stream: what changes, told as it happens, by server-sent events under the settings API. It is declared like the
// operation that lists the same, and reached by the same rules; it is no operation, since its answer does not end.
import type { TObject, TSchema } from 'typebox'
import { operation, type Operation } from './operation.ts'
import type { Scope } from './scopes.ts'

export type Stream<N extends string = string, I extends TObject = TObject, M extends TSchema = TSchema> = {
  readonly kind: 'stream'
  /** Its name, way, scope and input; its output is what one message holds. */
  readonly asked: Operation<N, I, M, never>
  /** What its messages are called on the wire. The first is called `opened`, and says whether anything was missed. */
  readonly message: string
}

type Declaration<N extends string, I extends TObject, M extends TSchema> = {
  readonly name: N
  readonly http: `GET /${string}`
  readonly summary: string
  readonly description: string
  readonly scope: Scope
  readonly input: I
  readonly message: string
  readonly output: M
}

export const stream = <N extends string, I extends TObject, M extends TSchema>({
  message,
  ...declared
}: Declaration<N, I, M>): Stream<N, I, M> => ({
  kind: 'stream',
  message,
  asked: operation({ ...declared, audiences: ['settings'], success: 200, errors: ['insufficient_scope'] }),
})

/** The data of the first message: whether all since the last message that the caller had is still to come. */
export type Opened = { readonly resumed: boolean }
export const openedMessage = 'opened'
export const lastEventIdHeader = 'last-event-id'
/** No longer one is ours. */
export const lastEventIdLengthMax = 4_096
export const eventStreamType = 'text/event-stream'
