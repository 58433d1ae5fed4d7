// A noisy neighbour: one key that sends the most expensive requests that the documented limits permit.
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { readPlan, report } from '../measure/plan.ts'
import { call } from '../product/calls.ts'

export type Kind = 'largest batches' | 'longest arrays' | 'slow bodies' | 'unread answers' | 'searches'
export type Plan = {
  readonly kind: Kind
  readonly url: string
  readonly token: string
  readonly seconds: number
  /** How many searches at a time. */
  readonly searches?: number
}
export type Result = { readonly sent: number }

const { kind, url, token, seconds, searches = 4 } = readPlan() as Plan
const itemsOfBatch = 100
const itemsOfArray = 50_000
const connections = 100
const slowBytesEveryMs = 100
const endsAt = performance.now() + seconds * 1_000
const end = new AbortController()
process.once('SIGTERM', () => end.abort())
const isOver = (): boolean => end.signal.aborted || performance.now() > endsAt
let sent = 0

/** Repeats requests with a fixed concurrency; after a 429 it waits for `Retry-After`. */
async function again(atATime: number, work: () => Promise<unknown>): Promise<void> {
  const worker = async () => {
    while (!isOver()) await work()
  }
  await Promise.all(Array.from({ length: atATime }, worker))
}

// Made once, so that the load costs its own process little.
const batchBody = JSON.stringify({
  items: Array.from({ length: itemsOfBatch }, (_, at) => ({ action: 'create', data: { name: `Item ${at}` } })),
})
const longArrayBody = JSON.stringify({
  name: 'x',
  url: 'https://example.com',
  eventTypes: Array.from({ length: itemsOfArray }, (_, at) => `projects.kind${at}`),
})

async function send(path: string, body: string): Promise<void> {
  const { status } = await call(url + path, token, body)
  sent += status === 429 ? 0 : 1
  if (status === 429) await after(1_000)
}

const batch = (): Promise<void> => send('/api/v1/projects/batch', batchBody)
const longArray = (): Promise<void> => send('/api/v1/webhooks', longArrayBody)

/** A word that all objects have. What is refused, for its price or because others wait, is asked again. */
async function search(): Promise<void> {
  const { status } = await call(`${url}/api/v1/search?q=report`, token)
  sent += status === 200 ? 1 : 0
  if (status !== 200) await after(status === 429 ? 1_000 : slowBytesEveryMs)
}

async function many(open: () => Promise<void>): Promise<void> {
  const opening = Array.from({ length: connections }, () => open().catch(() => {}))
  await Promise.race([Promise.all(opening), once(end.signal, 'abort'), after(seconds * 1_000)])
}

/** A large body, a byte at a time. */
async function slowBody(): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': 512 * 1024 }
  const slow = httpRequest(`${url}/api/v1/projects`, { method: 'POST', headers, agent: false })
  slow.on('error', () => {})
  sent += 1
  while (!isOver() && !slow.destroyed) {
    slow.write(' ')
    await after(slowBytesEveryMs)
  }
  slow.destroy()
}

/** A page of documents of a megabyte each, of which nothing is read. */
async function unreadAnswer(): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.pause()
  const head = `GET /api/v1/documents?fields=content&limit=20 HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`
  socket.write(head)
  sent += 1
  while (!isOver() && !socket.destroyed) await after(slowBytesEveryMs)
  socket.destroy()
}

const act: Record<Kind, () => Promise<unknown>> = {
  'largest batches': () => again(4, batch),
  'longest arrays': () => again(4, longArray),
  'slow bodies': () => many(slowBody),
  'unread answers': () => many(unreadAnswer),
  searches: () => again(searches, search),
}
await act[kind]()
report({ sent } satisfies Result)
process.exit(0)
