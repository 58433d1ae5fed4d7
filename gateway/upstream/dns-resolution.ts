// The addresses behind SERVICE_URLS. A name in an http URL stands for all the addresses that it resolves to, so that
// one name with several service containers is several addresses, each with a health of its own; a name in an https URL
// stays one address, since the certificate is for the name. Names are resolved again at intervals; while that fails,
// the last good answer is kept.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

export type ServiceAddress = {
  /** Where calls are sent: `http://10.0.0.7:8081`. */
  readonly origin: string
  /** The Host header that the service expects: `service:8081`. */
  readonly host: string
}
export type Resolve = (name: string) => Promise<readonly string[]>
export type ServiceNames = {
  addresses(): readonly ServiceAddress[]
  /** Resolves all names again, each at most once at a time. Never rejects. */
  refresh(): Promise<void>
}

/** A name server may answer with some of the addresses only: one that is missing stays for this long. */
export const absentKeptMs = 10_000
const addressesPerNameMax = 64

export const resolveAll: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

/** `onError` is called once when a name can no longer be resolved. */
export function watchNames(
  urls: readonly string[],
  resolve: Resolve,
  onError: (error: unknown, name: string) => void,
  now: () => number,
): ServiceNames {
  const watched = urls.map((url) => watchUrl(new URL(url), resolve, onError, now))
  return {
    addresses: () => [
      ...new Map(watched.flatMap(({ addresses }) => addresses()).map((at) => [at.origin, at])).values(),
    ],
    refresh: async () => {
      await Promise.all(watched.map(({ refresh }) => refresh()))
    },
  }
}

function watchUrl(
  url: URL,
  resolve: Resolve,
  onError: (error: unknown, name: string) => void,
  now: () => number,
): ServiceNames {
  if (url.protocol !== 'http:' || isIP(withoutBrackets(url.hostname)) !== 0)
    return { addresses: () => [{ origin: url.origin, host: url.host }], refresh: async () => {} }
  const seenAt = new Map<string, number>()
  let resolving: Promise<void> | null = null
  let isFailing = false

  async function resolveName(): Promise<void> {
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
    refresh: () => (resolving ??= resolveName().finally(() => (resolving = null))),
  }
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

function originAt(url: URL, address: string): string {
  const at = new URL(url.origin)
  at.hostname = isIP(address) === 6 ? `[${address}]` : address
  return at.origin
}
