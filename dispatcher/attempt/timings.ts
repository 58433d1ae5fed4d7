// Measures where the time of an attempt goes. undici publishes when it makes a request and when it writes one to which
// socket; the sockets emit when their name was resolved and their connection was open. The time to open a connection
// counts for the first request on it, and for no other.
import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import type { Timings } from '#contract/deliveries.ts'

type Opening = { readonly startedAt: number; foundAt?: number; connectedAt?: number; readyAt?: number }
type Watch = { opening: Opening | undefined; sentAt: number }

const openings = new WeakMap<object, Opening>()
const watches = new WeakMap<object, Watch>()
// undici makes the request within the call that asks for it.
let asking: Watch | null = null

subscribe('undici:request:create', (message) => {
  if (asking !== null) watches.set((message as { request: object }).request, asking)
})

subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as { request: object; socket: object }
  const watch = watches.get(request)
  if (watch === undefined) return
  watch.sentAt = performance.now()
  watch.opening = openings.get(socket)
  openings.delete(socket)
})

/** `opened` is what a connector returns at once: the socket, though its type is unknown. */
export function timeOpening(opened: unknown): void {
  if (!(opened instanceof Socket)) return
  const opening: Opening = { startedAt: performance.now() }
  openings.set(opened, opening)
  opened.once('lookup', () => (opening.foundAt = performance.now()))
  opened.once('connect', () => (opening.connectedAt = performance.now()))
  opened.once('secureConnect', () => (opening.readyAt = performance.now()))
}

/** As above, of a connection through a proxy, whose tunnel is open now. */
export function timeTunnel(opened: unknown, startedAt: number): void {
  if (!(opened instanceof Socket)) return
  const opening: Opening = { startedAt, connectedAt: performance.now() }
  openings.set(opened, opening)
  opened.once('secureConnect', () => (opening.readyAt = performance.now()))
}

/** `ask` makes one request of undici's. Returns what it has taken, to be asked when the first byte of its answer is there. */
export function timed(ask: () => void): () => Timings {
  const watch: Watch = { opening: undefined, sentAt: performance.now() }
  asking = watch
  ask()
  asking = null
  return () => ({ ...stepsOf(watch.opening), firstByte: between(watch.sentAt, performance.now()) })
}

function stepsOf(opening: Opening | undefined): Omit<Timings, 'firstByte'> {
  if (opening === undefined) return { dns: null, connect: null, tls: null }
  const { startedAt, foundAt, connectedAt, readyAt } = opening
  return {
    dns: between(startedAt, foundAt),
    connect: between(foundAt ?? startedAt, connectedAt),
    tls: between(connectedAt, readyAt),
  }
}

const between = (from: number | undefined, to: number | undefined): number | null =>
  from === undefined || to === undefined ? null : Math.max(0, Math.round(to - from))
