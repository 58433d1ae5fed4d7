// An operation that will end says so on every answer: since when it is deprecated (RFC 9745), when it ends (RFC 8594),
// and where it is written what to call instead.
import type { Operation } from '#contract/operation.ts'
import type { Headers } from '../upstream/proxy-headers.ts'

export function deprecationHeaders({ deprecation }: Operation): Headers {
  if (deprecation === undefined) return {}
  const { since, sunset, link } = deprecation
  return {
    deprecation: `@${Math.floor(since.getTime() / 1_000)}`,
    sunset: sunset.toUTCString(),
    link: `<${link}>; rel="deprecation"`,
  }
}

/** The service may have links of its own, such as that to the next page. */
export function joinedLinks(ours: Headers, theirs: Headers): Headers {
  const links = [theirs['link'] ?? [], ours['link'] ?? []].flat()
  return links.length === 0 ? theirs : { ...theirs, link: links.join(', ') }
}
