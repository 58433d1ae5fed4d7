// Headers on which a decision rests must be sent once. Of two, one tier might read the first and another the last.
import { Fault } from '#contract/fault.ts'

const once = new Set([
  ...['authorization', 'x-api-key', 'host', 'content-length', 'content-type'],
  ...['x-workspace-id', 'idempotency-key'],
])

/** `rawHeaders` as Node gives them: name, value, name, value… */
export function checkSingleHeaders(rawHeaders: readonly string[]): void {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    if (!once.has(name)) continue
    if (seen.has(name)) throw duplicated(name)
    seen.add(name)
  }
}

function duplicated(header: string): Fault {
  const detail = `The header ${header} was sent more than once.`
  return new Fault('invalid_header', detail, { errors: [{ header, code: 'not_unique', detail }] })
}
