// A caller who follows a stream of the settings API, and keeps what it was told.
import { messagesOf } from '#clients/server-sent-events.ts'
import { eventually } from './eventually.ts'

// A test states by its assertions what it expects of a message.
// oxlint-disable-next-line typescript/no-explicit-any
type Told = { readonly event: string; readonly id: string | null; readonly data: any }

export type LiveStream = {
  readonly response: Response
  /** Without the first, and without those that only say where the caller stands. */
  readonly told: readonly Told[]
  /** What the first message says. */
  readonly resumed: boolean
  readonly lastEventId: string | null
  /** Resolves when the stream has ended, in whichever way. */
  readonly ended: Promise<void>
  until(count: number): Promise<readonly Told[]>
  leave(): void
}

/** `as`: the operator's token, or the headers of somebody who is signed in. */
type Caller = string | Readonly<Record<string, string>>

export async function follow(url: string, as: Caller, lastEventId: string | null = null): Promise<LiveStream> {
  const gone = new AbortController()
  const credentials = typeof as === 'string' ? { authorization: `Bearer ${as}` } : as
  const headers = { ...credentials, ...(lastEventId !== null && { 'last-event-id': lastEventId }) }
  const response = await fetch(url, { headers, signal: gone.signal })
  const messages: Told[] = []
  const stand = { id: lastEventId }
  const ended = (async () => {
    for await (const { data, id, event } of messagesOf(response.body!)) {
      if (id !== null) stand.id = id
      if (data !== null) messages.push({ event, id, data: JSON.parse(data) })
    }
  })().catch(() => {})
  if (response.ok) await eventually(() => messages.length > 0, 'the first message of a stream')
  return {
    response,
    ended,
    get told() {
      return messages.slice(1)
    },
    get resumed() {
      return messages[0]?.data.resumed
    },
    get lastEventId() {
      return stand.id
    },
    until: (count) => eventually(() => (messages.length > count ? messages.slice(1) : null), `${count} messages`),
    leave: () => gone.abort(),
  }
}
