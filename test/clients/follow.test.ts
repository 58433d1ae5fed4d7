// A stream that is followed over several answers: an answer that breaks off is no end.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { openedMessage } from '#contract/stream.ts'
import { follow } from '#clients/follow.ts'

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
