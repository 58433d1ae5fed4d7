// `subscriptions/listen` of 2026-07-28: a stream that tells when objects change that the client has named by their URIs,
// and when the list of resources does. Its source is the feed of events, read as the client itself could read it, so
// every replica learns of every change, and nobody of what its key may not read.
import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server'
import type { EventRecord } from '#contract/event.ts'
import { listEvents, feedWaitSecondsMax } from '#contract/events.ts'
import { collectionSegments, covers } from '#contract/scopes.ts'
import { openPlaces, type PlaceBounds } from '../live/places.ts'
import { callOperation } from '../mcp-tools/call-operation.ts'
import type { Caller, Exchange } from '../mcp-tools/exchange.ts'
import { uriOf } from '../mcp-context/uri.ts'
import { pageItemsMax } from '#contract/pagination.ts'

/** `lifetimeMs`: then a stream ends and its client asks again, with what its key may do by then. */
export type StreamBounds = PlaceBounds & { readonly lifetimeMs: number }
// For one replica; the gateway bounds those of a key and a workspace. Each stream is one reader of the feed, and most places
// there are left to those who read it themselves (`service/events/long-poll.ts`).
const streamBounds: StreamBounds = { all: 32, perWorkspace: 8, lifetimeMs: 600_000 }
/** The feed answers at once when too many wait: then it is asked no more often than this. */
const pauseMs = 1_000

/** The feed is for keys that hold its scope, and so are subscriptions. */
export const maySubscribe = ({ principal: { scopes } }: Caller): boolean =>
  covers(scopes, 'events:read') && segmentsOf(scopes).length > 0

type Stream = { readonly bus: ServerEventBus; end(): void }
export type Streams = {
  /** Null when there are too many. `onEnd`: its time is over, or the service is closing. */
  open(exchange: Omit<Exchange, 'signal'>, onEnd: () => void): Stream | null
}

export function openStreams(closing: AbortSignal, bounds: StreamBounds = streamBounds): Streams {
  const places = openPlaces(bounds)
  return {
    open: (exchange, onEnd) => {
      const leave = closing.aborted ? null : places.take(exchange.caller.principal.workspaceId ?? '')
      if (leave === null) return null
      const ended = new AbortController()
      const bus = new InMemoryServerEventBus()
      const signal = AbortSignal.any([ended.signal, closing])
      const timer = setTimeout(() => ended.abort(), bounds.lifetimeMs)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        leave()
        onEnd()
      })
      // What the feed refuses, such as a position that is no longer kept, ends the stream: its client starts anew.
      void follow({ ...exchange, signal }, bus)
        .catch(() => {})
        .finally(() => ended.abort())
      return { bus, end: () => ended.abort() }
    },
  }
}

async function follow(exchange: Exchange, bus: ServerEventBus): Promise<void> {
  const eventTypes = segmentsOf(exchange.caller.principal.scopes).map((segment) => `${segment}.*`)
  const page = { eventTypes, limit: pageItemsMax, wait: feedWaitSecondsMax }
  let from: object = { occurredAfter: new Date().toISOString() }
  while (!exchange.signal.aborted) {
    const { body } = await callOperation(listEvents, { ...from, ...page }, exchange)
    from = { after: body.lastSequence }
    publish(body.data, bus)
    if (body.data.length === 0) await pause(exchange.signal)
  }
}

function publish(events: readonly EventRecord[], bus: ServerEventBus): void {
  for (const uri of new Set(events.flatMap(urisOf))) bus.publish({ kind: 'resource_updated', uri })
  if (events.some(({ type }) => /\.(created|deleted|restored)$/.test(type)))
    bus.publish({ kind: 'resources_list_changed' })
}

/** An object is named by its id, and by its identifier or key. */
function urisOf({ type, resource: { id }, data }: EventRecord): string[] {
  const segment = collectionSegments.find((each) => type.startsWith(`${each}.`))
  return segment === undefined ? [] : [uriOf(segment, { id }), uriOf(segment, { ...(data as object), id })]
}

const segmentsOf = (scopes: readonly string[]) => collectionSegments.filter((each) => covers(scopes, `${each}:read`))

function pause(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, pauseMs)
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}
