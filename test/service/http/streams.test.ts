// The writer of a stream: a caller who does not read costs no more than what is on its way.

import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { eventStream } from '../../../service/http/streams.ts'

/** An open stream that somebody has asked for, and what he gets of it. */
async function opened(resumed = false) {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const asking = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  const answered = once(asking, 'response') as Promise<[IncomingMessage]>
  asking.on('error', () => {}).end()
  onTestFinished(() => {
    asking.destroy()
    server.closeAllConnections()
    server.close()
  })
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  const stream = eventStream(response)
  await stream.open({ resumed }, '1')
  const [answer] = await answered
  return { ...stream, answer, toWait: () => eventually(() => response.writableNeedDrain, 'the writer to wait') }
}

const items = Array.from({ length: 100 }, () => 'x'.repeat(10_000))

/** Far more than a connection holds that nobody reads. */
function writingMuch({ write, end }: Awaited<ReturnType<typeof opened>>) {
  let written = 0
  const all = async () => {
    for (; written < 30; written++) await write('item', { items, position: String(written) })
    end()
  }
  return { count: () => written, ended: all() }
}

test('it waits for a caller who reads slowly, and goes on when he reads again', async () => {
  const stream = await opened()
  const writing = writingMuch(stream)

  await stream.toWait()
  expect(writing.count()).toBeLessThan(30)

  let read = 0
  for await (const chunk of stream.answer) read += (chunk as Buffer).length
  await writing.ended
  expect(writing.count()).toBe(30)
  expect(read).toBeGreaterThan(30 * 100 * 10_000)
})

test('it waits for nobody who has gone', async () => {
  const stream = await opened()
  const writing = writingMuch(stream)
  await stream.toWait()

  stream.answer.destroy()

  await writing.ended
})

test('only the last message of a page says where the caller stands', async () => {
  const { write, end, answer } = await opened(true)
  await write('item', { items: [{ text: 'a\nb' }, 2], position: '2' })
  await write('item', { items: [3], position: null })
  await write('item', { items: [], position: null })
  await write('item', { items: [], position: '3' })
  end()

  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  expect(text.split('\n\n').slice(0, -1)).toEqual([
    'retry: 1000\nevent: opened\nid: 1\ndata: {"resumed":true}',
    'event: item\ndata: {"text":"a\\nb"}',
    'event: item\nid: 2\ndata: 2',
    'event: item\ndata: 3',
    'id: 3',
  ])
})
