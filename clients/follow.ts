// Follows a stream of the settings API for as long as it is listened to. When an answer ends or breaks off, it asks
// again and continues after the last message that it received.
import { setTimeout as pause } from 'node:timers/promises'
import type { StreamNamed, StreamName } from '#contract/api.ts'
import { streams } from '#contract/api.ts'
import type { Input, Output } from '#contract/operation.ts'
import { eventStreamType, lastEventIdHeader, openedMessage, type Opened } from '#contract/stream.ts'
import { requestFor, type Options } from './client.ts'
import { readAnswer } from './typescript/src/answer.ts'
import { ApiError } from './typescript/src/errors.ts'
import { messagesOf } from './server-sent-events.ts'

export type Told<T> =
  /** `resumed` is false where something may have been missed, as at the beginning. */
  ({ readonly kind: 'opened' } & Opened) | { readonly kind: 'told'; readonly item: T }

type Asked<N extends StreamName> = StreamNamed<N>['asked']

const againAfterMs = 1_000

/** Throws an ApiError when it is refused, and the error of the connection while no answer has opened yet. */
export async function* follow<N extends StreamName>(
  name: N,
  input: Input<Asked<N>>,
  options: Options,
): AsyncGenerator<Told<Output<Asked<N>>>, never> {
  const { asked } = streams.find((declared) => declared.asked.name === name)!
  let lastEventId: string | null = null
  let hasOpened = false
  for (;;) {
    try {
      const messages = await open()
      hasOpened = true
      for await (const { event, id, data } of messages) {
        lastEventId = id ?? lastEventId
        if (data === null) continue
        if (event === openedMessage) yield { kind: 'opened', ...(JSON.parse(data) as Opened) }
        else yield { kind: 'told', item: JSON.parse(data) as Output<Asked<N>> }
      }
    } catch (error) {
      if (!hasOpened || (error instanceof ApiError && !mayPass(error))) throw error
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
