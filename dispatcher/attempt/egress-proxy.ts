// The proxy that the operator has webhooks sent through. Pure.

export type EgressProxy = {
  readonly host: string
  readonly port: number
  /** The value of Proxy-Authorization. A secret. */
  readonly authorization: string | null
}

/** Returns null for what is no address of a proxy. `url` is `http://host:port`, with a user name and a password or without. */
export function egressProxy(url: string): EgressProxy | null {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'http:' || `${parsed.pathname}${parsed.search}${parsed.hash}` !== '/') return null
  const [user, password] = [decoded(parsed.username), decoded(parsed.password)]
  // A colon would end the user name (RFC 7617, section 2).
  if (user === null || password === null || user.includes(':') || (user === '' && password !== '')) return null
  return {
    host: parsed.hostname.replaceAll(/[[\]]/g, ''),
    port: Number(parsed.port) || 80,
    authorization: user === '' ? null : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
