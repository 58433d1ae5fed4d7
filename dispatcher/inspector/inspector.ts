// The inspector: a receiver within this process. An attempt at one of its deliveries is an ordinary one, over HTTP:
// only the connection leads to a port of this process. Nothing else gets an answer there, and no delivery gets there
// but those that are handed over here, which are of sandboxes (queue/delivery-rows.ts).
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { inspectorAnswer, inspectorBehavior, inspectorUrl } from '#contract/inspector.ts'
import { standardHeaders } from '#contract/webhook-headers.ts'
import type { Database } from '#prisma/client.ts'
import type { Keyring } from '#runtime/keyring.ts'
import type { Log } from '#runtime/log.ts'
import { newId } from '#runtime/new-id.ts'
import { waitAtMost } from '#runtime/timeouts.ts'
import { senderOver, type Send } from '../attempt/send.ts'
import type { LoadedDelivery } from '../queue/delivery-rows.ts'
import { checkSignatures } from './check-signatures.ts'
import { openOwnListener } from './own-listener.ts'
import { openRecorder } from './recorder.ts'

export type InspectorOptions = {
  readonly db: Database
  readonly brand: string
  /** Opens what the service sealed. */
  readonly keyring: Pick<Keyring, 'open'>
  readonly timeoutMs: number
  readonly log: Log
  readonly now?: () => Date
}
export type Inspector = {
  inspect(delivery: LoadedDelivery, headers: Readonly<Record<string, string>>, body: Buffer): ReturnType<Send>
  /** Whether it listens at this port. */
  isOwnPort(port: number): boolean
  /** Ends what is under way: its answer is that it was interrupted, by us. */
  close(): Promise<void>
}

/**
 * Bodies are of events, whose objects came in a body of 1 MiB at most; an update may hold what was there before too.
 */
const bodyBytesMax = 16 * 1024 * 1024
const mask = '***'
const closeWaitMs = 1_000

export function openInspector(options: InspectorOptions): Inspector {
  const { db, timeoutMs, log, now = () => new Date() } = options
  const recorder = openRecorder(db)
  // By the ids of their deliveries: what is on its way.
  const expected = new Map<string, LoadedDelivery>()
  const listener = openOwnListener((request, response) => {
    receive(request, response).catch((err: unknown) => {
      log.warn({ err }, 'the inspector could not keep a request')
      respond(response, 503, { error: 'The request could not be kept.' })
    })
  })
  const sender = senderOver(listener.connector, { allowHttp: false, timeoutMs })

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const delivery = expected.get(String(request.headers[standardHeaders.deliveryId]))
    if (delivery === undefined) return respond(response, 404, { error: 'No such delivery is expected.' })
    const body = await bodyOf(request)
    if (body === null) return respond(response, 413, { error: 'The body is too large.' })
    // A URL that was saved by another release may say what this one does not know.
    const behavior = inspectorBehavior(new URL(request.url ?? '/', inspectorUrl))
    if ('parameter' in behavior) return respond(response, 400, { error: `${behavior.parameter}: ${behavior.detail}` })
    const { status, retryAfterSeconds } = inspectorAnswer(behavior, delivery.attemptsSinceReplay + 1)
    const receivedAt = now()
    const id = newId(receivedAt)
    const { workspaceId, webhookId, eventType } = delivery
    await recorder.record({
      id,
      workspaceId,
      webhookId,
      deliveryId: delivery.id,
      eventType,
      attempt: delivery.attemptCount + 1,
      receivedAt,
      answeredStatus: status,
      ...(await arrived(request, body, receivedAt, delivery, options)),
    })
    // Without an answer the sender closes the connection when its time is over.
    if (status === null) return
    if (retryAfterSeconds !== null) response.setHeader('retry-after', retryAfterSeconds)
    respond(response, status, { object: 'inspected_request', id })
  }

  async function inspect(...[delivery, headers, body]: Parameters<Inspector['inspect']>): ReturnType<Send> {
    expected.set(delivery.id, delivery)
    try {
      return await sender.send(delivery.url, headers, body)
    } finally {
      expected.delete(delivery.id)
    }
  }

  async function close(): Promise<void> {
    await sender.close()
    await listener.close()
    await waitAtMost(closeWaitMs, recorder.flush())
  }
  return { inspect, isOwnPort: listener.isOwnPort, close }
}

/** What of the request is kept. */
async function arrived(
  { headers, method = '', url: path = '/' }: IncomingMessage,
  body: Buffer,
  at: Date,
  { webhookId, sealedHeaders, sealedSecrets }: LoadedDelivery,
  { keyring, brand }: InspectorOptions,
) {
  const opened = (sealed: string, context: string) => keyring.open(Buffer.from(sealed, 'base64'), context)
  const secrets = sealedSecrets.map(({ id, sealed }) => opened(sealed, `webhook-secret:${id}`))
  const custom = sealedHeaders === null ? {} : JSON.parse(opened(sealedHeaders, `webhook-headers:${webhookId}`))
  return {
    method,
    path,
    headers: shownHeaders(headers, Object.keys(custom as object)),
    body: body.toString('utf8'),
    bodyBytes: body.length,
    signatures: await checkSignatures({ headers, body, at, secrets, brand }),
  }
}

/** As they came, but for the values of the webhook's own, which are never shown. Several of one name in one line. */
function shownHeaders(headers: IncomingHttpHeaders, custom: readonly string[]): Record<string, string> {
  const masked = new Set(custom.map((name) => name.toLowerCase()))
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, masked.has(name) ? mask : [value].flat().join(', ')]),
  )
}

/** Returns null for one that is too large, which is not read to its end. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The sender may have gone. */
function respond(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent || response.destroyed) return
  const isEmpty = status === 204 || status === 304
  if (!isEmpty) response.setHeader('content-type', 'application/json')
  response.writeHead(status).end(isEmpty ? undefined : JSON.stringify(body))
}
