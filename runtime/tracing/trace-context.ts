// W3C Trace Context: which trace a call belongs to, as the text `00-<trace id>-<parent id>-<flags>`. Every call has
// one, the caller's or a new one, whether or not spans are exported: it stands in the log lines of all tiers, and in
// what the receivers of webhooks get.
import { randomBytes } from 'node:crypto'

/** Of a version that is not known yet, what this one says too is read. */
const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/
const version = '00'
const length = 55
/** The first of the two flags is the last bit: somebody may have recorded the trace. */
const sampledBit = 1

/** Returns null where the header is missing or malformed. */
export function readTraceparent(header: unknown): string | null {
  if (typeof header !== 'string' || !form.test(header)) return null
  if (header.length === length) return header.startsWith(version) ? header : version + header.slice(2)
  const isLater = !header.startsWith(version) && header.charAt(length) === '-'
  return isLater ? version + header.slice(2, length) : null
}

const stateForm = /^[\u{20}-\u{7e}]{1,512}$/u

/** What other tracing systems say of the trace. Returns null where the header is missing or malformed. */
export const readTracestate = (header: unknown): string | null =>
  typeof header === 'string' && stateForm.test(header) ? header : null

export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35)
export const spanIdOf = (traceparent: string): string => traceparent.slice(36, 52)
export const isSampled = (traceparent: string): boolean =>
  (Number.parseInt(traceparent.slice(53), 16) & sampledBit) === sampledBit

/** Of a trace that begins here. Nobody has recorded it so far. */
export const newTraceparent = (): string => `${version}-${randomHex(32)}-${randomHex(16)}-00`
/** A span of the same trace that is recorded. */
export const childOf = (traceparent: string): string => `${traceparent.slice(0, 36)}${randomHex(16)}-01`
export const sampled = (traceparent: string): string => `${traceparent.slice(0, 53)}01`
export const unsampled = (traceparent: string): string => `${traceparent.slice(0, 53)}00`

/** As it is stored: in hexadecimal digits of 25 bytes. */
export const storedTrace = (traceparent: string): string =>
  traceIdOf(traceparent) + spanIdOf(traceparent) + traceparent.slice(53)
export const fromStoredTrace = (digits: string): string =>
  `${version}-${digits.slice(0, 32)}-${digits.slice(32, 48)}-${digits.slice(48)}`

const pageBytes = 4_096
let page = ''
let at = 0

/** Each digit is handed out once. Random bytes come by the page: to ask the system for each id takes longer. */
function randomHex(digits: number): string {
  if (at + digits > page.length) {
    page = randomBytes(pageBytes).toString('hex')
    at = 0
  }
  at += digits
  return page.slice(at - digits, at)
}
