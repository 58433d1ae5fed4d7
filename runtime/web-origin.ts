// Origins of web pages (RFC 6454) in their one spelling, so that two of them can be compared as text.

const shape = /^([a-z][a-z0-9+.-]*):\/\/[^\s/?#@,]+\/?$/i

/**
 * Returns null for what is no origin, such as `null`, which a browser sends for a page that has none, or an address with
 * a path. Schemes of browser extensions and desktop applications are taken as well.
 */
export function webOrigin(text: string): string | null {
  const scheme = shape.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined || !URL.canParse(text)) return null
  const isWeb = scheme === 'http' || scheme === 'https'
  return isWeb ? new URL(text).origin : text.replace(/\/$/, '').toLowerCase()
}

/** Of a value of the header Host, with or without a port. Returns null for what is none. */
export function hostnameIn(host: string): string | null {
  const origin = webOrigin(`http://${host}`)
  return origin === null || host.endsWith('/') ? null : new URL(origin).hostname
}
