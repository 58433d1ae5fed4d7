// Resolves host names to addresses. Node's usual look-up runs on four threads that the whole process shares, so a few
// names whose servers never answer would stall every delivery; this one waits on sockets, within a bound. Names are
// asked for as they are written: search domains are not tried. Answers are remembered for as long as their records say,
// within bounds.
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/**
 * Resolves with no address where there is none, or no server answers. Rejects where too many names are being asked for.
 */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>

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

/** No server is asked for these names (RFC 6761, section 6.3). Returns null for any other. */
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

type Found = { readonly addresses: readonly LookupAddress[]; readonly ttlSeconds: number }
type Known = { readonly addresses: readonly LookupAddress[]; readonly goodUntilMs: number }

/** Names without addresses, or without an answer, are asked for again after the shorter time. */
const [goodSecondsMin, goodSecondsMax] = [5, 60]
/** Of more names, those that were asked for longest ago are forgotten. */
const namesMax = 10_000
/** More than attempts may be in flight, since a question may outlive the attempt that asked it. */
const questionsMax = 4_000

/** Remembers answers. Look-ups of a name that is being asked for wait for the same answer. */
export function dnsCache(
  ask: (name: string) => Promise<Found>,
  now: () => number = () => performance.now(),
  { names, questions } = { names: namesMax, questions: questionsMax },
): Resolve {
  const known = new Map<string, Known>()
  const asked = new Map<string, Promise<readonly LookupAddress[]>>()

  async function learn(name: string): Promise<readonly LookupAddress[]> {
    const { addresses, ttlSeconds } = await ask(name)
    const goodSeconds = Math.max(goodSecondsMin, Math.min(ttlSeconds, goodSecondsMax))
    known.delete(name)
    known.set(name, { addresses, goodUntilMs: now() + goodSeconds * 1_000 })
    if (known.size > names) known.delete(known.keys().next().value ?? '')
    return addresses
  }

  return async (name) => {
    const before = known.get(name)
    if (before !== undefined && now() < before.goodUntilMs) return before.addresses
    const question = asked.get(name)
    if (question !== undefined) return question
    if (asked.size >= questions) throw new Error('Too many names are being looked up')
    const answer = learn(name).finally(() => asked.delete(name))
    asked.set(name, answer)
    return answer
  }
}

/**
 * Finds a name in this machine's hosts file (hosts(5)). The file is read each time: the cache remembers the answers.
 */
async function hostsFileAddresses(name: string, file = '/etc/hosts'): Promise<LookupAddress[]> {
  return addressesIn(await readFile(file, 'utf8').catch(() => ''), name)
}

function addressesIn(hostsFile: string, name: string): LookupAddress[] {
  const wanted = name.replace(/\.$/, '').toLowerCase()
  return hostsFile.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    const family = isIP(address)
    return family > 0 && names.includes(wanted) ? [{ address, family }] : []
  })
}
