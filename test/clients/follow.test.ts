// A follower whose stream ends in the middle of a page, against a server that writes what the test says.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { follow } from '#clients/follow.ts'
import { openedMessage } from '#contract/stream.ts'

const block = (event: string, data: object, id?: string): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** Each request is answered by the next of these, which ends then. */
async function startServer(...answers: readonly string[]) {
  const askedAfter: unknown[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const answer = answers[askedAfter.length] ?? ''
    askedAfter.push(request.headers['last-event-id'])
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, askedAfter, [Symbol.dispose]: () => void server.close() }
}

test('a follower goes on from the last place that it was told, also after items that name none', async () => {
  using server = await startServer(
    block(openedMessage, { resumed: false }, 'p1') + block('delivery', { id: 'first of a page' }),
    block(openedMessage, { resumed: true }, 'p1') + block('delivery', { id: 'first of a page' }, 'p2'),
  )
  const options = { baseUrl: server.url, token: 't', audience: 'settings', workspaceId: crypto.randomUUID() } as const
  const told: unknown[] = []

  for await (const each of follow('deliveries.stream', {}, options)) {
    told.push(each.kind === 'opened' ? each.resumed : each.item)
    if (told.length === 4) break
  }

  expect(told).toEqual([false, { id: 'first of a page' }, true, { id: 'first of a page' }])
  expect(server.askedAfter).toEqual([undefined, 'p1'])
})
