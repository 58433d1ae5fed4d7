// RateLimit-Policy and RateLimit, the header fields of the IETF draft (draft-ietf-httpapi-ratelimit-headers).
import type { BucketState, Quota } from '../request/request-context.ts'

type Rate = { readonly perMinute: number }
type Rates = { readonly key: Rate; readonly workspace: Rate; readonly handshake: Rate }

/** `RateLimit`: what is left for the key, and for its workspace when that is less. */
export function rateLimitHeader({ key, workspace }: Quota): string {
  const isTighter = workspace !== null && workspace.remaining < key.remaining
  return isTighter ? `${remaining('key', key)}, ${remaining('workspace', workspace)}` : remaining('key', key)
}

/** `RateLimit-Policy` of the API. */
export const policyHeader = ({ key, workspace }: Rates): string =>
  `${policy('key', key)}, ${policy('workspace', workspace)}`

/** `RateLimit-Policy` of MCP, which has a limit of its own for the calls that open a session. */
export const mcpPolicyHeader = (rates: Rates): string =>
  `${policyHeader(rates)}, ${policy('handshake', rates.handshake)}`

const policy = (name: string, { perMinute }: Rate): string => `"${name}";q=${perMinute};w=60`

const remaining = (name: string, { remaining, resetSeconds }: BucketState): string =>
  `"${name}";r=${remaining};t=${resetSeconds}`
