// Takes deliveries on PORT (9000) and prints what happened. A delivery counts only if its signature fits the raw bytes.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { setting } from './client.ts'

const secret = Buffer.from(setting('WEBHOOK_SECRET').replace(/^whsec_/, ''), 'base64')
const port = Number(process.env['PORT'] ?? 9000)
const bodyBytesMax = 5 * 1024 * 1024
const toleranceSeconds = 300
const rememberedMax = 10_000
/** Ids of deliveries that were taken. Keep them in your database: the same id is the same delivery. */
const seen = new Set<string>()

createServer((request, response) => {
  take(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(400).end(),
  )
}).listen(port, '127.0.0.1', () => console.log(`Waiting for deliveries on http://127.0.0.1:${port}/`))

async function take(request: IncomingMessage): Promise<number> {
  const body = await rawBody(request)
  if (!isGenuine(request.headers, body)) return 401
  const id = String(request.headers['webhook-id'])
  if (seen.has(id)) return 204
  const event = JSON.parse(body.toString()) as { type: string; sequence: number; resource: { id: string } }
  console.log(`${event.type} ${event.resource.id} (number ${event.sequence})`)
  remember(id)
  return 204
}

/** Standard Webhooks: HMAC-SHA-256 over `<id>.<timestamp>.<body>`. There are two signatures while a secret is replaced. */
function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const [id = '', timestamp = '', signatures = ''] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => String(headers[name] ?? ''),
  )
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp))
  if (!(age <= toleranceSeconds)) return false
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures
    .split(' ')
    .map((signature) => Buffer.from(signature.replace(/^v1,/, ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}

async function rawBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > bodyBytesMax) throw new Error('The body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function remember(id: string): void {
  seen.add(id)
  const [oldest] = seen
  if (seen.size > rememberedMax && oldest !== undefined) seen.delete(oldest)
}
