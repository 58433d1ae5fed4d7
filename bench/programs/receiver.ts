// Receives webhooks, records the time and the event of each, and answers 200 at once. At paths that begin with /hang it
// records nothing and never answers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EventRecord } from '#contract/event.ts'
import { clock } from '../measure/clock.ts'
import { report } from '../measure/plan.ts'

/** Times in milliseconds since 1970. */
export type Received = { readonly at: number; readonly body: string }
export type Arrival = { readonly at: number; readonly occurredAt: number; readonly resourceId: string }

const keepAliveMs = 120_000
const keptMax = 20_000
let count = 0
let received: Received[] = []

const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
  if (request.method === 'POST')
    return request.url?.startsWith('/hang') ? void request.resume() : take(request, response)
  if (request.method === 'DELETE') forget()
  response.end(JSON.stringify(request.url === '/count' ? { count } : { arrivals: received.map(arrival) }))
})
server.listen(0, '127.0.0.1', () => report({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
process.once('SIGTERM', () => process.exit(0))

// Node calls with the head of a request: its first byte came in no more than one read before.
function take(request: IncomingMessage, response: ServerResponse): void {
  const at = clock()
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    count += 1
    if (received.length < keptMax) received.push({ at, body: Buffer.concat(chunks).toString() })
    response.end('ok')
  })
}

function forget(): void {
  count = 0
  received = []
}

function arrival({ at, body }: Received): Arrival {
  const { occurredAt, resource } = JSON.parse(body) as EventRecord
  return { at, occurredAt: Date.parse(occurredAt), resourceId: resource.id }
}
