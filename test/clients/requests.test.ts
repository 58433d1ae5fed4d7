// An operation's input as a request, and the answer read back.
import fc from 'fast-check'
import { expect, test, onTestFinished } from 'vitest'
import { itemsOfList } from '#contract/text-values.ts'
import { buildRequest } from '#clients/typescript/src/request.ts'
import { readAnswer } from '#clients/typescript/src/answer.ts'
import { ApiError } from '#clients/typescript/src/errors.ts'
import { errorMessage } from '../../cli/answers.ts'
import { failureOf } from '../../console/app/failure.ts'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { follow } from '#clients/follow.ts'
import { openedMessage } from '#contract/stream.ts'

const path = '/workspaces/{workspaceId}/things/{id}'

test('the path is filled, the rest of a change is its body, and the expected version a header', () => {
  const input = { id: 'a/b', name: 'Fjällräven', none: undefined, tags: ['x'], expectedVersion: 3 }

  expect(buildRequest({ method: 'PATCH', path }, input, 'w')).toEqual({
    method: 'PATCH',
    target: '/workspaces/w/things/a%2Fb',
    headers: { 'content-type': 'application/json', 'if-match': '"3"' },
    body: '{"name":"Fjällräven","tags":["x"]}',
  })
})

test.each(['GET', 'DELETE'])('the rest of a %s is its query', (method) => {
  const input = { id: '1', q: 'a&b=c', limit: 20, deep: true, gone: undefined }

  expect(buildRequest({ method, path }, input, 'w')).toEqual({
    method,
    target: '/workspaces/w/things/1?q=a%26b%3Dc&limit=20&deep=true',
    headers: { 'content-type': 'application/json' },
    body: null,
  })
  expect(buildRequest({ method, path }, { id: '1' }, 'w').target).toBe('/workspaces/w/things/1')
})

test.each([{}, { id: '' }, { id: '.' }, { id: '..' }])(
  'a path that %j does not fill is a mistake of the caller',
  (input) => {
    expect(() => buildRequest({ method: 'GET', path }, input, 'w')).toThrow(`${path} needs id`)
  },
)

test('whatever text an input holds, it arrives as that text, and never as another part of the address', () => {
  const anyText = fc.string({ unit: 'grapheme' })
  const listed = fc.oneof(anyText, fc.string({ unit: fc.constantFrom('a', ',', '\\') }))
  const anyId = anyText.filter((text) => !['', '.', '..'].includes(text))
  fc.assert(
    fc.property(anyId, anyText, fc.array(listed, { minLength: 1 }), (id, q, items) => {
      const { target } = buildRequest({ method: 'GET', path }, { id, q, items }, 'w')
      const { pathname, searchParams } = new URL(target, 'https://acme.example')

      expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'workspaces', 'w', 'things', id])
      expect(searchParams.get('q')).toBe(q)
      expect(itemsOfList(searchParams.get('items') ?? '')).toEqual(items)
    }),
  )
})

test('a comma parts a list, unless a backslash stands before it', () => {
  const texts = ['', 'a,b', 'a,,b,', 'Berlin\\, west,b', 'a\\\\,b', 'a\\b', 'a\\', '\\!a']
  const held = texts.map((text) => itemsOfList(text))

  expect(held.slice(0, 4)).toEqual([[''], ['a', 'b'], ['a', '', 'b', ''], ['Berlin, west', 'b']])
  expect(held.slice(4)).toEqual([['a\\', 'b'], ['a\\b'], ['a\\'], ['\\!a']])
})

const answer = (status: number, body: string | null): Response => {
  const response = new Response(body, { status })
  Object.defineProperty(response, 'url', { value: 'https://acme.example/api' })
  return response
}

const errorOf = (status: number, body: string) => readAnswer(answer(status, body)).catch((caught: unknown) => caught)

test('an answer is its JSON; without a body it is null', async () => {
  expect(await readAnswer(answer(200, '{"a":1}'))).toEqual({ a: 1 })
  expect(await readAnswer(answer(204, null))).toBeNull()
})

test('a refusal is an error with its code, and in words what the API has said, with the id to quote', async () => {
  const problem = { code: 'not_found', title: 'Not found', detail: 'Nothing has this ID.', requestId: 'r-1' }

  const error = await errorOf(404, JSON.stringify(problem))

  expect(error).toBeInstanceOf(ApiError)
  expect(errorMessage(error, '')).toBe('not_found: Nothing has this ID.\nRequest r-1')
  expect(failureOf(error)).toEqual({ title: 'Not found', detail: 'Nothing has this ID.', hint: null, requestId: 'r-1' })
})

test('what something in front of the API has answered is said as such, in the console and on the command line', async () => {
  const error = await errorOf(502, '<html>')

  const detail = 'https://acme.example answered 502, with something that is no JSON.'
  expect(failureOf(error)).toMatchObject({ title: 'No response', requestId: null, detail })
  expect(errorMessage(error, '')).toBe(detail)
  expect(failureOf(new TypeError('Failed to fetch')).detail).toBe('The server could not be reached.')
})

// A follower whose stream ends or breaks off, against a server that answers what the test says.

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
