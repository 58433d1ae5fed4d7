// Whether a host name can be one of the public internet. Names of one label and names below the reserved suffixes cannot.
// Pure.

const reservedSuffixes = new Set([
  // Special-use names: RFC 6761, 6762, 7686, 9476, and everything below `arpa`.
  'localhost',
  'test',
  'example',
  'invalid',
  'local',
  'onion',
  'alt',
  'arpa',
  // ICANN: kept for private use, and never to be delegated because so many networks use them.
  'internal',
  'home',
  'corp',
  'mail',
  // In use inside networks (RFC 6762, appendix G), and what routers and hosts give out.
  'intranet',
  'private',
  'lan',
  'localdomain',
  'domain',
  'workgroup',
])

/** `host` as `URL.hostname` gives it: lower case, punycode. A dot at its end is ignored. */
export function isPublicName(host: string): boolean {
  const labels = host.replace(/\.$/, '').split('.')
  return labels.length > 1 && !labels.includes('') && !reservedSuffixes.has(labels.at(-1) ?? '')
}
