// An operation that will end says so on every answer: since when it is deprecated (RFC 9745), when it ends (RFC 8594),
// and where it is written what to call instead.
import type { IncomingHttpHeaders } from 'node:http'
import type { Operation } from '#contract/operation.ts'

export function deprecationHeaders({ deprecation }: Operation): Record<string, string> {
  if (deprecation === undefined) return {}
  const { since, sunset, link } = deprecation
  return {
    deprecation: `@${Math.floor(since.getTime() / 1_000)}`,
    sunset: sunset.toUTCString(),
    link: `<${link}>; rel="deprecation"`,
  }
}

/** The service's headers with our link added to its own, such as that to the next page. */
export function withLink(headers: IncomingHttpHeaders, link: string | undefined): IncomingHttpHeaders {
  const links = [headers['link'] ?? [], link ?? []].flat()
  return links.length === 0 ? headers : { ...headers, link: links.join(', ') }
}
