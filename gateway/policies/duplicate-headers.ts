// Headers on which a decision rests must be sent once. Of two, one tier might read the first and another the last.
import { Fault } from '#contract/faults/fault.ts'

const once = [
  ...['authorization', 'x-api-key', 'host', 'content-length', 'content-type'],
  ...['x-workspace-id', 'idempotency-key'],
]
/** A bit for each. */
const bits = new Map(once.map((name, at) => [name, 1 << at]))

/** `rawHeaders` as Node gives them: name, value, name, value… */
export function checkSingleHeaders(rawHeaders: readonly string[]): void {
  let seen = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    const bit = bits.get(name) ?? 0
    if ((seen & bit) !== 0) throw duplicated(name)
    seen |= bit
  }
}

function duplicated(header: string): Fault {
  const detail = `The header ${header} was sent more than once.`
  return new Fault('invalid_header', detail, { errors: [{ header, code: 'not_unique', detail }] })
}
