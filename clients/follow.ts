// Follows a stream of the settings API for as long as it is listened to: where an answer ends or breaks off, it asks again
// and goes on from the last message that it had.
import { setTimeout as pause } from 'node:timers/promises'
import type { StreamNamed, StreamName } from '#contract/api.ts'
import { streams } from '#contract/api.ts'
import type { Input, Output } from '#contract/operation.ts'
import { eventStreamType, lastEventIdHeader, openedMessage, type Opened } from '#contract/stream.ts'
import { requestFor, type Options } from './client.ts'
import { ApiError, readAnswer } from './read-answer.ts'
import { messagesOf } from './server-sent-events.ts'

export type Told<T> =
  /** `resumed` is false where something may have been missed, as at the beginning. */
  ({ readonly kind: 'opened' } & Opened) | { readonly kind: 'told'; readonly item: T }

type Asked<N extends StreamName> = StreamNamed<N>['asked']

const againAfterMs = 1_000

/** Throws an ApiError when it is refused, and what is wrong with the connection when the first one does not come about. */
export async function* follow<N extends StreamName>(
  name: N,
  input: Input<Asked<N>>,
  options: Options,
): AsyncGenerator<Told<Output<Asked<N>>>, never> {
  const { asked } = streams.find((declared) => declared.asked.name === name)!
  let lastEventId: string | null = null
  for (let isFirst = true; ; isFirst = false) {
    try {
      for await (const { event, id, data } of await open()) {
        lastEventId = id ?? lastEventId
        if (data === null) continue
        if (event === openedMessage) yield { kind: 'opened', ...(JSON.parse(data) as Opened) }
        else yield { kind: 'told', item: JSON.parse(data) as Output<Asked<N>> }
      }
    } catch (error) {
      if (isFirst || (error instanceof ApiError && !mayPass(error))) throw error
    }
    await pause(againAfterMs)
  }

  async function open() {
    const request = requestFor(asked, input, options)
    request.headers.set('accept', eventStreamType)
    if (lastEventId !== null) request.headers.set(lastEventIdHeader, lastEventId)
    const response = await fetch(request)
    if (!response.ok || response.body === null) await readAnswer(response)
    return messagesOf(response.body!)
  }
}

const mayPass = ({ problem: { status } }: ApiError): boolean => status >= 500 || status === 429
