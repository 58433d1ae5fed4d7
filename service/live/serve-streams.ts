// One route for each stream: checked like an operation, then answered until the caller goes, its time is over or the
// service is about to close. The gateway has bounded the caller's streams; here they are bounded for the process.
import type { KeyObject } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Input } from '#contract/operation.ts'
import { colonPath, pathFor } from '#contract/route-paths.ts'
import { lastEventIdHeader, lastEventIdLengthMax, type Stream } from '#contract/stream.ts'
import { clientFor } from '#prisma/caller-signal.ts'
import type { Database } from '#prisma/client.ts'
import type { DatabaseSlots } from '../execution/database-slots.ts'
import { authorize } from '../execution/authorize.ts'
import type { Db } from '../execution/handler.ts'
import { principalOf, verifyPrincipal } from '../http/principal.ts'
import { inputFrom } from '../http/request-input.ts'
import { assertMayCall } from '../http/rest.ts'
import { assertInput } from '../validation/validate-operation.ts'
import { eventStream, type EventStream } from './event-stream.ts'
import type { Follow, LiveCall } from './follow.ts'
import { openPlaces, type PlaceBounds } from './places.ts'
import { unavailable } from '#contract/faults/fault.ts'

/** After `lifetimeMs` a stream ends and its caller comes back, to be judged by what it may do by then. */
export type StreamBounds = PlaceBounds & { readonly lifetimeMs: number }
const defaultBounds: StreamBounds = { all: 64, perWorkspace: 16, lifetimeMs: 600_000 }

export type StreamParts = {
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
export type Followed<S extends Stream = Stream> = { readonly stream: S; readonly follow: Follow<S> }

export function serveStreams(app: FastifyInstance, followed: readonly Followed[], parts: StreamParts): void {
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

type Admitted = Pick<LiveCall, 'principal' | 'workspaceId' | 'lastEventId'>

async function admit({ asked }: Stream, request: FastifyRequest, { db, assertWorkspace }: StreamParts) {
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
  const call: Admitted = { principal, workspaceId, lastEventId }
  return { call, input }
}

/** Faults before the first message are answered as of any call; after it, the stream ends and the caller comes back. */
async function run(
  { message }: Stream,
  follow: Follow<Stream>,
  input: unknown,
  admitted: Admitted & Pick<LiveCall, 'signal'>,
  reply: FastifyReply,
  { db, slots, onError }: StreamParts,
): Promise<void> {
  const { principal, signal } = admitted
  let stream: EventStream | null = null
  const call: LiveCall = {
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
