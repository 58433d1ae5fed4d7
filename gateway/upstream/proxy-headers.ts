// Which headers cross the gateway. Hop-by-hop headers end here in both directions (RFC 9110, section 7.6.1), and
// headers that say who is calling are set by the gateway and never taken from the caller.
import type { IncomingHttpHeaders } from 'node:http'
import { internalHeaderPrefix } from '#contract/internal/principal.ts'

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
  ...['authorization', 'cookie', 'host', 'expect', 'content-length'],
  ...['forwarded', 'x-real-ip', 'x-workspace-id', 'x-request-id'],
])

/** The caller's headers as the service gets them; those in `added` replace the caller's. */
export function upstreamHeaders(headers: IncomingHttpHeaders, added: IncomingHttpHeaders): IncomingHttpHeaders {
  const perConnection = tokensOf(headers.connection)
  return {
    ...kept(headers, (name) => !isInternal(name) && !notForwarded.has(name) && !perConnection.has(name)),
    ...added,
  }
}

/** The service's headers as the caller gets them; those in `added` replace the service's. */
export function responseHeaders(headers: IncomingHttpHeaders, added: IncomingHttpHeaders): IncomingHttpHeaders {
  const perConnection = tokensOf(headers.connection)
  return { ...kept(headers, (name) => !name.startsWith(internalHeaderPrefix) && !perConnection.has(name)), ...added }
}

const isInternal = (name: string): boolean => name.startsWith(internalHeaderPrefix) || name.startsWith('x-forwarded-')

function kept(headers: IncomingHttpHeaders, passes: (name: string) => boolean): IncomingHttpHeaders {
  const result: IncomingHttpHeaders = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !hopByHop.has(name) && passes(name)) result[name] = value
  }
  return result
}

const tokensOf = (connection: string | undefined): Set<string> =>
  new Set(
    connection
      ?.toLowerCase()
      .split(',')
      .map((token) => token.trim()),
  )
