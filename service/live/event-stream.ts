// Server-sent events on the wire. The writer waits for a caller who reads slowly: then nothing more is read for it, and it
// holds no memory; it goes on from where it stands when it reads again.
import type { ServerResponse } from 'node:http'
import { openedMessage, type Opened } from '#contract/stream.ts'
import type { Page } from './follow.ts'

/** How soon a browser comes back. */
const retryMs = 1_000

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // For proxies that would gather it.
  'x-accel-buffering': 'no',
}

export type EventStream = {
  open(opened: Opened, position: string): Promise<void>
  /** Resolves when the caller has room for more, or has gone. */
  write(message: string, page: Page<unknown>): Promise<void>
  end(): void
}

export function eventStream(response: ServerResponse): EventStream {
  const send = async (text: string): Promise<void> => {
    if (!response.writableEnded && !response.write(text)) await drained(response)
  }
  return {
    open: (opened, position) => {
      response.writeHead(200, headers)
      return send(`retry: ${retryMs}\n${block(openedMessage, opened, position)}`)
    },
    write: (message, { items, position }) => send(textOf(message, items, position)),
    end: () => response.end(),
  }
}

/** Only the last of a page says where the caller stands: one that breaks off in between gets all of it again. */
function textOf(message: string, items: readonly unknown[], position: string | null): string {
  if (items.length === 0) return position === null ? '' : `id: ${position}\n\n`
  return items.map((item, at) => block(message, item, at === items.length - 1 ? position : null)).join('')
}

const block = (message: string, data: unknown, position: string | null): string =>
  `event: ${message}\n${position === null ? '' : `id: ${position}\n`}data: ${JSON.stringify(data)}\n\n`

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.once('drain', done).once('close', done)
    if (response.closed) done()
  })
}
