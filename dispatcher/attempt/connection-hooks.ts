// Hooks on undici's connections, for what undici does not do: the steps of an attempt are timed, interim responses are
// dropped, and an answer that is too long is cut off.
//
// undici publishes when it makes a request and when it writes one to which socket; the sockets emit when their name was
// resolved and their connection was open. The time to open a connection counts for the first request on it, and for no
// other.
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

/**
 * Times the one request of undici's that `ask` makes. The function returned is to be called at the first byte of its
 * answer.
 */
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

/** Room for as much as is read of headers, of interim responses and of a body in chunks of a single byte. */
const answerBytesMax = 512 * 1024

class OverlongAnswer extends Error {
  readonly code = 'ERR_ANSWER_TOO_LONG'
}

const answers = new WeakMap<object, { begin(): void }>()

// A connection carries one request at a time, so an answer begins after the request that was sent.
subscribe('undici:client:sendHeaders', (message) => {
  answers.get((message as { socket: object }).socket)?.begin()
})

/**
 * Filters what undici reads of this socket, which it does only by `read`. undici counts the bytes of headers and
 * bodies, and not those around them (a status line, sizes and extensions of chunks, empty lines before the answer),
 * which cost as much.
 */
export function boundAnswers(socket: Socket): void {
  const interim = interimFilter()
  let received = 0
  const begin = () => {
    interim.begin()
    received = 0
  }
  answers.set(socket, { begin })
  const read = socket.read.bind(socket)
  socket.read = (size) => {
    for (;;) {
      const chunk: unknown = read(size)
      if (!Buffer.isBuffer(chunk)) return chunk
      received += chunk.length
      if (received > answerBytesMax) {
        socket.destroy(new OverlongAnswer())
        return null
      }
      const rest = interim.pass(chunk)
      if (rest.length > 0) return rest
    }
  }
}

/**
 * Drops interim responses (1xx, RFC 9110, section 15.2). A receiver may send `100 Continue` or early hints before its
 * final response. undici takes an unexpected 100 for a broken response, so they are removed before undici reads the
 * bytes.
 */
type InterimFilter = {
  /** The next bytes are the beginning of a response. */
  begin(): void
  /** Returns these bytes, and those held back before, without interim responses; may be empty. */
  pass(chunk: Buffer): Buffer
}

/** The most bytes of interim responses to one request. More are passed on, and undici refuses them. */
const interimBytesMax = 16 * 1024
const nothing = Buffer.alloc(0)

export function interimFilter(): InterimFilter {
  // Null while the final answer passes.
  let held: Buffer | null = null
  let dropped = 0

  function pass(chunk: Buffer): Buffer {
    if (held === null) return chunk
    held = Buffer.concat([held, chunk])
    for (let end = endOfInterim(held); end !== null; end = endOfInterim(held)) {
      if (dropped + (end || held.length) > interimBytesMax) break
      if (end === 0) return nothing
      dropped += end
      held = held.subarray(end)
    }
    const final = held
    held = null
    return final
  }

  const begin = () => {
    held = nothing
    dropped = 0
  }
  return { begin, pass }
}

const sample = 'HTTP/1.1 100'
const endOfHead = '\r\n\r\n'
// 101 is final: the receiver speaks another protocol from there on.
const interim = /^HTTP\/1\.[01] 1(?!01)\d\d$/

/** The length of the interim response at the beginning; 0 while it is incomplete, null when there is none. */
function endOfInterim(bytes: Buffer): number | null {
  const start = bytes.subarray(0, sample.length).toString('latin1')
  if (!interim.test(start + sample.slice(start.length))) return null
  if (start.length < sample.length) return 0
  const at = bytes.indexOf(endOfHead)
  return at === -1 ? 0 : at + endOfHead.length
}
