// The filters of the API log, as its address holds them and as the list takes them. Pure.
import type { listRequests } from '#contract/api-calls.ts'
import type { Input } from '#contract/operation.ts'
import { oneOf, searchOf, text } from '../../app/search-params.ts'
import { texts } from './texts.ts'

export const outcomeWords = { refused: texts.failed, success: texts.succeeded } as const
export const surfaceWords = { http: 'HTTP', mcp: 'MCP' } as const
export const statuses = ['2xx', '3xx', '4xx', '429', '5xx'] as const
export const spanWords = { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days' } as const

const hourMs = 3_600_000
const spanMs = { '1h': hourMs, '24h': 24 * hourMs, '7d': 168 * hourMs } as const

export const namesOf = <Name extends string>(words: Readonly<Record<Name, unknown>>): Name[] =>
  // The names are those of the record.
  Object.keys(words) as Name[]

export const requestSearch = searchOf({
  q: text,
  outcome: oneOf(namesOf(outcomeWords)),
  status: oneOf(statuses),
  surface: oneOf(namesOf(surfaceWords)),
  since: oneOf(namesOf(spanWords)),
  // Those that other pages, and the page of a request, lead here with.
  key: text,
  member: text,
  object: text,
  operation: text,
  path: text,
  ip: text,
  code: text,
})
export type RequestSearch = ReturnType<typeof requestSearch>

/** A span begins at a full minute, so that the same query can be answered from the cache. */
export function requestInput(search: RequestSearch, nowMs: number): Input<typeof listRequests> {
  const { q, outcome, status, surface, since, key, member, object, operation, path, ip, code } = search
  const from = since === undefined ? null : Math.floor(nowMs / 60_000) * 60_000 - spanMs[since]
  return {
    ...(q !== undefined && { search: q }),
    ...(outcome !== undefined && { outcome }),
    ...(status !== undefined && { status: [status] }),
    ...(surface !== undefined && { surface }),
    ...(from !== null && { createdAfter: new Date(from).toISOString() }),
    ...(key !== undefined && { apiKeyId: key }),
    ...(member !== undefined && { memberId: member }),
    ...(object !== undefined && { objectId: object }),
    ...(operation !== undefined && { operation: [operation] }),
    ...(path !== undefined && { path }),
    ...(ip !== undefined && { ip }),
    ...(code !== undefined && { code: [code] }),
  }
}
