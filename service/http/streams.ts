// One route for each stream: checked like an operation, then answered until the caller goes, its time is over or the
// service is about to close. The gateway has bounded the caller's streams; here they are bounded for the process.
import type { KeyObject } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '#contract/faults/fault.ts'
import type { Input } from '#contract/operation.ts'
import { colonPath, pathFor } from '#contract/route-paths.ts'
import { lastEventIdHeader, lastEventIdLengthMax, openedMessage, type Stream, type Opened } from '#contract/stream.ts'
import { clientFor } from '#prisma/caller-signal.ts'
import type { Database } from '#prisma/client.ts'
import { authorize } from '../execution/authorize.ts'
import type { Db } from '../execution/call.ts'
import type { DatabaseSlots } from '../execution/database-slots.ts'
import { assertInput } from '../validation/validate-operation.ts'
import { principalOf, verifyPrincipal } from './principal.ts'
import { inputFrom } from './request-input.ts'
import { assertMayCall } from './routes.ts'
import { openPlaces, type StreamSource, type StreamCall, type PlaceBounds, type StreamPage } from './stream-source.ts'

/** After `lifetimeMs` a stream ends and its caller comes back, to be judged by what it may do by then. */
export type StreamBounds = PlaceBounds & { readonly lifetimeMs: number }
const defaultBounds: StreamBounds = { all: 64, perWorkspace: 16, lifetimeMs: 600_000 }

export type StreamDeps = {
  readonly db: Database
  readonly slots: DatabaseSlots
  readonly principalKey: KeyObject
  /** Throws `not_found` where there is no such workspace. */
  readonly assertWorkspace: (db: Db, workspaceId: string) => Promise<unknown>
  /** Aborted when the service is about to close, before it waits for its calls. */
  readonly closing: AbortSignal
  readonly onError: (error: unknown) => void
  readonly bounds?: StreamBounds | undefined
}
/** A stream with what feeds it. */
export type Followed<S extends Stream = Stream> = { readonly stream: S; readonly follow: StreamSource<S> }

export function serveStreams(app: FastifyInstance, followed: readonly Followed[], parts: StreamDeps): void {
  const { lifetimeMs, ...bounds } = parts.bounds ?? defaultBounds
  const places = openPlaces(bounds)

  for (const { stream, follow } of followed) {
    const { asked } = stream
    app.route({
      method: 'GET',
      url: colonPath(pathFor(asked, 'settings')),
      config: { operation: asked.name },
      onRequest: verifyPrincipal(parts.principalKey, (principal, { params }) =>
        assertMayCall({ audience: 'settings', operation: asked }, principal, params as object),
      ),
      handler: async (request, reply) => {
        const { call, input } = await admit(stream, request, parts)
        const leave = places.take(call.workspaceId)
        if (leave === null || parts.closing.aborted) throw tooMany()
        const gone = new AbortController()
        const timer = setTimeout(() => gone.abort(), lifetimeMs)
        reply.raw.once('close', () => {
          gone.abort()
          clearTimeout(timer)
          leave()
        })
        const signal = AbortSignal.any([gone.signal, parts.closing])
        await run(stream, follow, input, { ...call, signal }, reply, parts)
      },
    })
  }
}

type AdmittedCall = Pick<StreamCall, 'principal' | 'workspaceId' | 'lastEventId'>

async function admit({ asked }: Stream, request: FastifyRequest, { db, assertWorkspace }: StreamDeps) {
  const principal = principalOf(request)
  authorize(asked, principal)
  const workspaceId = principal.workspaceId ?? ''
  await assertWorkspace(db, workspaceId)
  const path = request.params as Record<string, unknown>
  const input = assertInput(
    asked,
    inputFrom(asked, { path, query: request.query as Record<string, unknown>, body: undefined }),
  )
  const [sent = null] = [request.headers[lastEventIdHeader]].flat()
  const lastEventId = sent !== null && sent.length <= lastEventIdLengthMax ? sent : null
  const call: AdmittedCall = { principal, workspaceId, lastEventId }
  return { call, input }
}

/** Faults before the first message are answered as of any call; after it, the stream ends and the caller comes back. */
async function run(
  { message }: Stream,
  follow: StreamSource<Stream>,
  input: unknown,
  admitted: AdmittedCall & Pick<StreamCall, 'signal'>,
  reply: FastifyReply,
  { db, slots, onError }: StreamDeps,
): Promise<void> {
  const { principal, signal } = admitted
  let stream: EventStream | null = null
  const call: StreamCall = {
    ...admitted,
    read: (from) => slots.read(principal, signal, () => from(clientFor(db, signal))),
    opened: (resumed, position) => {
      reply.hijack()
      stream = eventStream(reply.raw)
      return stream.open({ resumed }, position)
    },
  }
  const sent = (): EventStream | null => stream
  try {
    for await (const page of follow(input as Input<Stream['asked']>, call)) {
      await sent()?.write(message, page)
      if (signal.aborted) break
    }
  } catch (thrown) {
    if (sent() === null) throw thrown
    if (!signal.aborted) onError(thrown)
  }
  if (sent() === null) throw tooMany()
  sent()?.end()
}

const tooMany = (): Error =>
  unavailable('Too many streams are open here, or this part of the service is about to stop. Open the stream again.')

/** The time after which a browser comes back. */
const retryMs = 1_000

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // For proxies that would gather it.
  'x-accel-buffering': 'no',
}

export type EventStream = {
  open(opened: Opened, position: string): Promise<void>
  /** Resolves when the caller has room for more, or has gone. */
  write(message: string, page: StreamPage<unknown>): Promise<void>
  end(): void
}

/**
 * Writes server-sent events. It waits for a caller who reads slowly: then nothing more is read for it, and it holds no
 * memory; it goes on from where it stands when the caller reads again.
 */
export function eventStream(response: ServerResponse): EventStream {
  const send = async (text: string): Promise<void> => {
    if (!response.writableEnded && !response.write(text)) await drained(response)
  }
  return {
    open: (opened, position) => {
      response.writeHead(200, headers)
      return send(`retry: ${retryMs}\n${block(openedMessage, opened, position)}`)
    },
    write: (message, { items, position }) => send(textOf(message, items, position)),
    end: () => response.end(),
  }
}

/** Only the last of a page says where the caller stands: one that breaks off in between gets all of it again. */
function textOf(message: string, items: readonly unknown[], position: string | null): string {
  if (items.length === 0) return position === null ? '' : `id: ${position}\n\n`
  return items.map((item, at) => block(message, item, at === items.length - 1 ? position : null)).join('')
}

const block = (message: string, data: unknown, position: string | null): string =>
  `event: ${message}\n${position === null ? '' : `id: ${position}\n`}data: ${JSON.stringify(data)}\n\n`

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.once('drain', done).once('close', done)
    if (response.closed) done()
  })
}
