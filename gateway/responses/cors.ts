// The headers with which a browser lets a page call MCP and read the answer (CORS, the Fetch standard). Never `*`:
// an origin is named only where it may call.
const takenHeaders = [
  'authorization',
  'content-type',
  'accept',
  'x-workspace-id',
  'x-request-id',
  'traceparent',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'x-mcp-readonly',
  'x-mcp-toolsets',
  'x-mcp-tool-names',
]
const shownHeaders = [
  'www-authenticate',
  'retry-after',
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
  'mcp-session-id',
  'x-key-expires-at',
  'x-key-rotate-by',
  'x-sandbox',
]
/** A tool's arguments that travel as headers: their names are the tool's, so that they cannot be listed before. */
const parameterHeader = /^mcp-param-[a-z0-9-]{1,100}$/
const preflightGoodForSeconds = 7_200

/** On every answer: what it says depends on the page. */
export const varyByOrigin = 'origin'

export const corsHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': shownHeaders.join(', '),
})

/** `asked`: Access-Control-Request-Headers. */
export function preflightHeaders(origin: string, asked: string | undefined): Record<string, string> {
  const parameters = (asked ?? '').toLowerCase().split(/[\s,]+/)
  const taken = [...takenHeaders, ...parameters.filter((name) => parameterHeader.test(name))]
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': taken.join(', '),
    'access-control-max-age': String(preflightGoodForSeconds),
    vary: `${varyByOrigin}, access-control-request-headers`,
  }
}
