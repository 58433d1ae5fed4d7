// An operation that will end says so on every answer: since when it is deprecated (RFC 9745), when it ends (RFC 8594),
// and where it is written what to call instead.
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
