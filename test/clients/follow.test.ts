// A follower whose stream ends or breaks off, against a server that answers what the test says.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { follow } from '#clients/follow.ts'
import { openedMessage } from '#contract/stream.ts'

const block = (event: string, data: object, id?: string): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
const eventStream = { 'content-type': 'text/event-stream' }
const begin = (response: ServerResponse, text: string) => response.writeHead(200, eventStream).write(text)

/** Each request is answered by the next of these. */
async function following(...answers: readonly ((response: ServerResponse) => unknown)[]) {
  const askedAfter: unknown[] = []
  const server = createServer(({ headers }, response) => {
    const answer = answers[askedAfter.length]
    askedAfter.push(headers['last-event-id'])
    answer?.(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = { baseUrl, token: 't', audience: 'settings', workspaceId: crypto.randomUUID() } as const
  return { stream: follow('deliveries.stream', {}, options), askedAfter }
}

test('a follower goes on from the last place that it was told, also after items that name none', async () => {
  const first = { id: 'first of a page' }
  const opened = (resumed: boolean) => block(openedMessage, { resumed }, 'p1')
  const { stream, askedAfter } = await following(
    (response) => response.writeHead(200, eventStream).end(opened(false) + block('delivery', first)),
    (response) => response.writeHead(200, eventStream).end(opened(true) + block('delivery', first, 'p2')),
  )
  const told: unknown[] = []

  for await (const each of stream) {
    told.push(each.kind === 'opened' ? each.resumed : each.item)
    if (told.length === 4) break
  }

  expect(told).toEqual([false, first, true, first])
  expect(askedAfter).toEqual([undefined, 'p1'])
})

test('a stream whose first answer breaks off after it has opened is asked for again', async () => {
  const { stream } = await following(
    (response) => {
      begin(response, block(openedMessage, { resumed: false }))
      setTimeout(() => response.destroy(), 50)
    },
    (response) => begin(response, block(openedMessage, { resumed: true })),
  )

  expect((await stream.next()).value).toMatchObject({ kind: 'opened', resumed: false })
  expect((await stream.next()).value).toMatchObject({ kind: 'opened', resumed: true })
})

test('a stream that never opened says what is wrong with the connection', async () => {
  const { stream } = await following((response) => response.destroy())

  await expect(stream.next()).rejects.toThrow('fetch failed')
})
