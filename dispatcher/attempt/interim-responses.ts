// Drops interim responses (1xx, RFC 9110, section 15.2). A receiver may send `100 Continue` or early hints before its final
// response. undici takes an unexpected 100 for a broken response, so they are removed before undici reads the bytes. Pure.

export type InterimFilter = {
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
