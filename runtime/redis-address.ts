// The forms of REDIS_URL: one server, the nodes of a cluster, or sentinels and the name by which they know the server.
//
//   redis://user:password@host:6379/0
//   redis-cluster://user:password@host:6379,host:6379
//   redis-sentinel://user:password@host:26379,host:26379/name/0?sentinelPassword=…
//
// With `rediss` in place of `redis`, over TLS; then `?cacertfile=/etc/ssl/redis-ca.crt` may name the authorities.

type Node = { readonly host: string; readonly port: number }
type Credentials = { readonly username?: string; readonly password?: string }
/** `caFile`: the authorities of the servers' certificates; null where those are trusted that Node trusts. */
type Security = { readonly isTls: boolean; readonly caFile: string | null }
type Several = Security & { readonly nodes: readonly Node[]; readonly credentials: Credentials }
export type SentinelAddress = Several & {
  readonly kind: 'sentinel'
  readonly name: string
  readonly database: number
  readonly sentinelPassword: string | null
}
export type RedisAddress =
  | (Security & { readonly kind: 'one'; readonly url: string })
  | (Several & { readonly kind: 'cluster' })
  | SentinelAddress

const redisPort = 6_379
const sentinelPort = 26_379
const portMax = 65_535
const authoritiesIn = 'cacertfile'
const several =
  /^redis(?<tls>s?)-(?<kind>cluster|sentinel):\/\/(?:(?<user>[^@/?#]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$/
const node = /^(?:\[(?<v6>[\da-f:.]+)\]|(?<host>[^\s:[\]]+))(?::(?<port>\d{1,5}))?$/i
const sentinelPath = /^(?<name>[^/]+)(?:\/(?<database>\d{1,4}))?$/

/** Returns null for a text that is none of these. */
export function redisAddress(url: string): RedisAddress | null {
  if (/^rediss?:\/\//.test(url)) return URL.canParse(url) ? oneAt(url) : null
  const { tls, kind, user = '', hosts = '', path = '', query = '' } = several.exec(url)?.groups ?? {}
  const nodes = hosts.split(',').map((text) => nodeIn(text, kind === 'sentinel' ? sentinelPort : redisPort))
  const known = nodes.filter((each) => each !== null)
  const credentials = credentialsIn(user)
  const { [authoritiesIn]: caFile = null, ...options } = Object.fromEntries(new URLSearchParams(query))
  const isTls = tls === 's'
  if (known.length < nodes.length || credentials === null || (caFile !== null && !isTls)) return null
  const common = { nodes: known, credentials, isTls, caFile }
  if (kind === 'cluster') return path === '' && Object.keys(options).length === 0 ? { kind, ...common } : null
  return sentinelIn(common, path, options)
}

function oneAt(given: string): RedisAddress | null {
  const url = new URL(given)
  const isTls = url.protocol === 'rediss:'
  const caFile = url.searchParams.get(authoritiesIn)
  if (caFile === null) return { kind: 'one', url: given, isTls, caFile }
  url.searchParams.delete(authoritiesIn)
  return isTls ? { kind: 'one', url: url.href, isTls, caFile } : null
}

function sentinelIn(common: Several, path: string, options: Readonly<Record<string, string>>): SentinelAddress | null {
  const { name, database = '0' } = sentinelPath.exec(path)?.groups ?? {}
  const { sentinelPassword = null, ...others } = options
  const decoded = decodedIn(name ?? '')
  if (!decoded || Object.keys(others).length > 0) return null
  return { kind: 'sentinel', ...common, name: decoded, database: Number(database), sentinelPassword }
}

function nodeIn(text: string, usualPort: number): Node | null {
  const { v6, host = v6, port = String(usualPort) } = node.exec(text.trim())?.groups ?? {}
  return host === undefined || Number(port) > portMax ? null : { host, port: Number(port) }
}

function credentialsIn(user: string): Credentials | null {
  const [username, ...rest] = user.split(':').map(decodedIn)
  if (username === null || username === undefined || rest.length > 1 || rest[0] === null) return null
  return { ...(username === '' ? {} : { username }), ...(rest[0] ? { password: rest[0] } : {}) }
}

function decodedIn(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
