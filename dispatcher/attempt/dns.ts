// Resolves host names to addresses. Node's usual look-up runs on four threads that the whole process shares, so a few names whose
// servers never answer would stall every delivery; this one waits on sockets, within a bound. Names are asked for as they are
// written: search domains are not tried.
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { dnsCache, type Found, type Resolve } from './dns-cache.ts'
import { hostsFileAddresses } from './hosts-file.ts'

export type ResolverOptions = {
  /** Names from this machine's hosts file are found too, for deployments with private targets. */
  readonly local: boolean
  /** Name servers, as `address:port`. Left out, those of the system. */
  readonly servers?: readonly string[]
  readonly queryMs?: number
  readonly hostsFile?: string
  readonly now?: () => number
}

const queryMsDefault = 1_000
const queriesMax = 2
/** No receiver has so many. An answer over TCP has room for thousands, and each would be tried. */
const addressesMax = 64

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

export function resolver({ local, servers, queryMs = queryMsDefault, hostsFile, now }: ResolverOptions): Resolve {
  const dns = new Resolver({ timeout: queryMs, maxTimeout: queryMs, tries: queriesMax })
  if (servers !== undefined) dns.setServers(servers)
  const cached = dnsCache(async (name) => {
    const addresses = local ? await hostsFileAddresses(name, hostsFile) : []
    return addresses.length > 0 ? { addresses, ttlSeconds: 0 } : ask(dns, name)
  }, now)
  return async (name) => localhostAddresses(name) ?? cached(name)
}

/** Nobody is asked for these names (RFC 6761, section 6.3). Returns null for any other. */
export const localhostAddresses = (name: string): readonly LookupAddress[] | null =>
  /^(.*\.)?localhost\.?$/i.test(name) ? loopback : null

async function ask(dns: Resolver, name: string): Promise<Found> {
  const [four, six] = await Promise.allSettled([dns.resolve4(name, { ttl: true }), dns.resolve6(name, { ttl: true })])
  const records = [...recordsOf(four, 4), ...recordsOf(six, 6)]
  if (records.length === 0 || records.length > addressesMax) return { addresses: [], ttlSeconds: 0 }
  return {
    addresses: records.map(({ address, family }) => ({ address, family })),
    ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
  }
}

type Records = PromiseSettledResult<readonly { readonly address: string; readonly ttl: number }[]>

const recordsOf = (answer: Records, family: 4 | 6) =>
  answer.status === 'fulfilled' ? answer.value.map((record) => ({ ...record, family })) : []
