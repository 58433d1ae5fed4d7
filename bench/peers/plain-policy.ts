// What a team writes in an afternoon: the record of a key, judged anew for each request. No cache of decisions, no
// notice of changes, nothing counted.
import ipaddr from 'ipaddr.js'
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'

export type Call = {
  readonly method: string
  readonly address: string
  readonly contentLength: number
}

const bodyBytesMax = 1024 * 1024
const dayMs = 86_400_000

/** Returns the status that refuses the call; null when the key may make it. */
export function refusalOf(record: KeyRecord, { method, address, contentLength }: Call): number | null {
  if (record.revokedAt !== null) return 401
  const age = Date.now() - Date.parse(record.secret.createdAt)
  if (record.maxAgeDays !== null && age > record.maxAgeDays * dayMs) return 403
  if (!isAllowed(address, record.ipAllowlist)) return 403
  if (!record.scopes.includes(method === 'GET' ? 'projects:read' : 'projects:write')) return 403
  return contentLength > bodyBytesMax ? 413 : null
}

function isAllowed(address: string, ranges: readonly string[]): boolean {
  const parsed = ipaddr.process(address)
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range)
    return network.kind() === parsed.kind() && parsed.match(network, bits)
  })
}
