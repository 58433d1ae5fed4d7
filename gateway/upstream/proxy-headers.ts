// Which headers cross the gateway. What concerns one connection ends here in both directions (RFC 9110, 7.6.1); what
// says who is calling is settled here and never taken from the caller.
import type { IncomingHttpHeaders } from 'node:http'
import { internalHeaderPrefix } from '#contract/principal.ts'
import { everyAnswer } from '../responses/response-headers.ts'

export type Headers = Record<string, string | string[]>

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
const endsHere = new Set([
  ...['authorization', 'cookie', 'host', 'expect', 'content-length'],
  ...['forwarded', 'x-real-ip', 'x-workspace-id', 'x-request-id'],
])

/** The caller's headers as the service gets them; `added` wins. */
export function towardsService(headers: IncomingHttpHeaders, added: Headers): Headers {
  const named = tokensOf(headers.connection)
  return { ...kept(headers, (name) => !isOurs(name) && !endsHere.has(name) && !named.has(name)), ...added }
}

/** The service's headers as the caller gets them. The service answers none but keys and operators. */
export function towardsCaller(headers: IncomingHttpHeaders): Headers {
  const named = tokensOf(headers.connection)
  return { ...kept(headers, (name) => !name.startsWith(internalHeaderPrefix) && !named.has(name)), ...everyAnswer }
}

const isOurs = (name: string): boolean => name.startsWith(internalHeaderPrefix) || name.startsWith('x-forwarded-')

function kept(headers: IncomingHttpHeaders, passes: (name: string) => boolean): Headers {
  const result: Headers = {}
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
