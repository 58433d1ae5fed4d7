// Which headers cross the gateway. Hop-by-hop headers end here in both directions (RFC 9110, section 7.6.1), and
// headers that say who is calling are set by the gateway and never taken from the caller. All are lists of name, value,
// name, value…, each of which is read once and goes on the wire as it is made here.
import { outcomeHeader } from '#contract/internal/api-calls.ts'
import { databaseTimeHeader, internalHeaderPrefix } from '#contract/internal/principal.ts'
import type { ToCookies } from '../request/session-cookie.ts'

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
])
const notForwarded = new Set([
  'authorization',
  'cookie',
  'host',
  'expect',
  'content-length',
  'forwarded',
  'x-real-ip',
  'x-workspace-id',
  'x-request-id',
  // What the call hands on of its trace is set by the gateway.
  'traceparent',
  'tracestate',
])

/** Names are in lower case; `perConnection`: those that the Connection header names. */
const goesToService = (name: string, perConnection: ReadonlySet<string>): boolean =>
  !hopByHop.has(name) && !notForwarded.has(name) && !isOfGateway(name) && !perConnection.has(name)
const goesToCaller = (name: string, perConnection: ReadonlySet<string>): boolean =>
  !hopByHop.has(name) && !name.startsWith(internalHeaderPrefix) && !perConnection.has(name)

const isOfGateway = (name: string): boolean => name.startsWith(internalHeaderPrefix) || name.startsWith('x-forwarded-')

/** What they say of a body that is not there would be judged by the service. */
const ofContent = new Set(['content-type', 'content-encoding'])
type Sent = { readonly connection: string | undefined; readonly hasContent: boolean }

/** Adds to `head`, a list of name, value, name, value…, those of the caller's headers that the service gets. */
export function addCallerHeaders(
  head: string[],
  rawHeaders: readonly string[],
  { connection, hasContent }: Sent,
): void {
  const perConnection = namedBy(connection)
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const lower = name.toLowerCase()
    if (!hasContent && ofContent.has(lower)) continue
    if (goesToService(lower, perConnection)) head.push(name, rawHeaders[at + 1] ?? '')
  }
}

/** `contentLength` is null where the service tells none. */
type AnswerHead = { readonly headers: string[]; readonly contentLength: number | null }

/** The head that the caller gets: the service's but for what is `owned` by the gateway, then ours. */
export function answerHead(
  rawHeaders: readonly Buffer[],
  ours: readonly string[],
  owned: ReadonlySet<string>,
): AnswerHead {
  const headers: string[] = []
  const perConnection = namedBy(connectionIn(rawHeaders))
  let contentLength: number | null = null
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = textOf(rawHeaders[at])
    const lower = name.toLowerCase()
    if (owned.has(lower) || !goesToCaller(lower, perConnection)) continue
    const value = textOf(rawHeaders[at + 1])
    if (lower === 'content-length') contentLength = Number(value)
    headers.push(name, value)
  }
  headers.push(...ours)
  return { headers, contentLength }
}

function connectionIn(rawHeaders: readonly Buffer[]): string | undefined {
  let found: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length !== connectionLength || textOf(rawHeaders[at]).toLowerCase() !== 'connection') continue
    found = found === undefined ? textOf(rawHeaders[at + 1]) : `${found},${textOf(rawHeaders[at + 1])}`
  }
  return found
}

/** Set-Cookie of all that the service tells of the caller's session and browser, as name, value, name, value… */
export function cookiesIn(rawHeaders: readonly Buffer[], toCookies: ToCookies): string[] {
  const head: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const make = toCookies.get(textOf(rawHeaders[at]).toLowerCase())
    if (make !== undefined) head.push('set-cookie', make(textOf(rawHeaders[at + 1])))
  }
  return head
}

/** For how many milliseconds the call has held the database; 0 where the service says nothing. */
export const databaseMsIn = (rawHeaders: readonly Buffer[]): number =>
  Number(valueOf(databaseTimeHeader, rawHeaders) ?? 0)

/** What it says about its answer for the log of calls; null where it says nothing. */
export const outcomeIn = (rawHeaders: readonly Buffer[]): string | null => valueOf(outcomeHeader, rawHeaders)

function valueOf(name: string, rawHeaders: readonly Buffer[]): string | null {
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === name.length && textOf(rawHeaders[at]).toLowerCase() === name)
      return textOf(rawHeaders[at + 1])
  return null
}

const connectionLength = 'connection'.length

const noNames: ReadonlySet<string> = new Set()

/** Most say nothing but whether the connection stays. */
function namedBy(connection: string | undefined): ReadonlySet<string> {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return noNames
  return new Set(
    connection
      .toLowerCase()
      .split(',')
      .map((token) => token.trim()),
  )
}

/** As Node reads and writes headers. */
const textOf = (bytes: Buffer | undefined): string => bytes?.toString('latin1') ?? ''
