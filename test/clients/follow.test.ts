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

/** Answers the first request with the first function, and so on. */
async function answering(...answers: readonly ((response: ServerResponse) => void)[]) {
  const left = [...answers]
  const server = createServer((_request, response) => left.shift()?.(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const opened = (resumed: boolean) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`event: ${openedMessage}\ndata: ${JSON.stringify({ resumed })}\n\n`)
}
const brokenOff = (response: ServerResponse): void => {
  opened(false)(response)
  setTimeout(() => response.destroy(), 50)
}
const options = { token: 'wsk_test', audience: 'settings', workspaceId: 'w' } as const

test('a stream whose first answer breaks off after it has opened is asked for again', async () => {
  await using server = await answering(brokenOff, opened(true))
  const stream = follow('deliveries.stream', {}, { ...options, baseUrl: server.baseUrl })

  expect((await stream.next()).value).toMatchObject({ kind: 'opened', resumed: false })
  expect((await stream.next()).value).toMatchObject({ kind: 'opened', resumed: true })
})

test('a stream that never opened says what is wrong with the connection', async () => {
  await using server = await answering((response) => response.destroy())

  await expect(follow('deliveries.stream', {}, { ...options, baseUrl: server.baseUrl }).next()).rejects.toThrow(
    'fetch failed',
  )
})
