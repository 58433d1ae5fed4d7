// A receiver may say `100 Continue` unasked, or send early hints, before it answers. undici takes a 100 for a broken answer,
// so what is interim is taken out of the bytes before undici reads them. Where an answer begins is known from the request
// before it: a connection carries one at a time.
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

export type InterimFilter = {
  /** What comes next is the beginning of an answer. */
  begin(): void
  /** What is left of these bytes, and of those that were held back before; may be empty. */
  pass(chunk: Buffer): Buffer
}

/** Of all interim answers to one request. What is more is left for undici to refuse. */
const interimBytesMax = 16 * 1024
const nothing = Buffer.alloc(0)

const filters = new WeakMap<object, InterimFilter>()

subscribe('undici:client:sendHeaders', (message) => {
  filters.get((message as { socket: object }).socket)?.begin()
})

/** undici reads its sockets by `read` and in no other way. */
export function dropInterim(socket: Socket): void {
  const filter = interimFilter()
  filters.set(socket, filter)
  const read = socket.read.bind(socket)
  socket.read = (size) => {
    for (;;) {
      const chunk: unknown = read(size)
      if (!Buffer.isBuffer(chunk)) return chunk
      const rest = filter.pass(chunk)
      if (rest.length > 0) return rest
    }
  }
}

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

/** Behind the interim answer that these bytes begin with; 0 while that is not sure or not all there, null where they do not. */
function endOfInterim(bytes: Buffer): number | null {
  const start = bytes.subarray(0, sample.length).toString('latin1')
  if (!interim.test(start + sample.slice(start.length))) return null
  if (start.length < sample.length) return 0
  const at = bytes.indexOf(endOfHead)
  return at === -1 ? 0 : at + endOfHead.length
}
