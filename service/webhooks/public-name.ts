// Can a name be one of the public internet's? Those that never are: names of one label, and all below the suffixes that
// were set aside for other uses. Pure.

const setAside = new Set([
  // Special use: RFC 6761, 6762, 7686, 9476, and what lies below `arpa`.
  ...['localhost', 'test', 'example', 'invalid', 'local', 'onion', 'alt', 'arpa'],
  // ICANN: kept for private use, and never to be delegated because so many networks use them.
  ...['internal', 'home', 'corp', 'mail'],
  // In use inside networks (RFC 6762, appendix G), and what routers and hosts give out.
  ...['intranet', 'private', 'lan', 'localdomain', 'domain', 'workgroup'],
])

/** `host` as a URL has it: small letters, punycode. A dot at its end means the same name. */
export function isPublicName(host: string): boolean {
  const labels = host.replace(/\.$/, '').split('.')
  return labels.length > 1 && !labels.includes('') && !setAside.has(labels.at(-1) ?? '')
}
