// The addresses behind SERVICE_URLS. A name behind plain http stands for all the addresses that it resolves to, so that
// one name with several service containers is several addresses, each with a health of its own; a name behind https
// stays one address, since its certificate speaks for the name. Names are asked for again in the background; the last
// good answer is kept while no better one is to be had.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

export type Address = {
  /** Where calls are sent: `http://10.0.0.7:8081`. */
  readonly origin: string
  /** The Host header that the service expects: `service:8081`. */
  readonly host: string
}
export type Resolve = (name: string) => Promise<readonly string[]>
export type Names = {
  addresses(): readonly Address[]
  /** Asks for all names once more; at most once at a time. Never rejects. */
  refresh(): Promise<void>
}

/** A name server may give some of the addresses at a time; calls do not follow its every whim. */
export const absentKeptMs = 10_000
const addressesPerNameMax = 64

export const resolveAll: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

/** `onError` is called once for a name that cannot be resolved, and again only after it could. */
export function watchNames(
  urls: readonly string[],
  resolve: Resolve,
  onError: (error: unknown, name: string) => void,
  now: () => number,
): Names {
  const watched = urls.map((url) => watchUrl(new URL(url), resolve, onError, now))
  return {
    addresses: () => [
      ...new Map(watched.flatMap(({ addresses }) => addresses()).map((at) => [at.origin, at])).values(),
    ],
    refresh: async () => void (await Promise.all(watched.map(({ refresh }) => refresh()))),
  }
}

function watchUrl(
  url: URL,
  resolve: Resolve,
  onError: (error: unknown, name: string) => void,
  now: () => number,
): Names {
  if (url.protocol !== 'http:' || isIP(bare(url.hostname)) !== 0)
    return { addresses: () => [{ origin: url.origin, host: url.host }], refresh: async () => {} }
  const seenAt = new Map<string, number>()
  let asking: Promise<void> | null = null
  let isFailing = false

  async function ask(): Promise<void> {
    try {
      const found = await resolve(url.hostname)
      isFailing = false
      for (const address of found.slice(0, addressesPerNameMax)) seenAt.set(address, now())
      for (const [address, at] of seenAt) if (now() - at > absentKeptMs) seenAt.delete(address)
    } catch (error) {
      if (!isFailing) onError(error, url.hostname)
      isFailing = true
    }
  }
  return {
    addresses: () => [...seenAt.keys()].map((address) => ({ origin: originAt(url, address), host: url.host })),
    refresh: () => (asking ??= ask().finally(() => (asking = null))),
  }
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

function originAt(url: URL, address: string): string {
  const at = new URL(url.origin)
  at.hostname = isIP(address) === 6 ? `[${address}]` : address
  return at.origin
}
