// Addresses of the web: origins of pages (RFC 6454) in their one spelling, so that two of them can be compared as text,
// and the ports that HTTP may be expected on.
const shape = /^([a-z][a-z0-9+.-]*):\/\/[^\s/?#@,]+\/?$/i

/**
 * Returns null for what is no origin, such as `null`, which a browser sends for a page that has none, or an address
 * with a path. Schemes of browser extensions and desktop applications are taken as well.
 */
export function webOrigin(text: string): string | null {
  const scheme = shape.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined || !URL.canParse(text)) return null
  const isWeb = scheme === 'http' || scheme === 'https'
  return isWeb ? new URL(text).origin : text.replace(/\/$/, '').toLowerCase()
}

/** Returns the host of a value of the header Host, with or without a port, and null where there is none. */
export function hostnameIn(host: string): string | null {
  const origin = webOrigin(`http://${host}`)
  return origin === null || host.endsWith('/') ? null : new URL(origin).hostname
}

/** The well-known range is left to what it was given out for. */
const privilegedPorts = 1_024
const webPorts = new Set([80, 443])

// From 1024 on: those that browsers block (the Fetch standard's bad ports), and where stores, brokers and remote
// control listen unless they are told otherwise.
const otherProtocols = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 10_080, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  // SQL Server, Oracle, MySQL, PostgreSQL and its pooler, CockroachDB
  1433, 1434, 1521, 3306, 5432, 6432, 26_257,
  // Redis, memcached, MongoDB, Cassandra, CouchDB, Elasticsearch, RethinkDB, ZooKeeper, etcd
  6379, 6380, 26_379, 11_211, 27_017, 27_018, 27_019, 9042, 5984, 9200, 9300, 28_015, 2181, 2379, 2380,
  // AMQP and its cluster, Kafka, MQTT, NATS
  5671, 5672, 4369, 25_672, 9092, 1883, 8883, 4222,
  // Docker, remote desktops, WinRM, kubelet
  2375, 2376, 3389, 5900, 5985, 5986, 10_250,
])

/**
 * Whether HTTP may be expected on this port, which is written as a URL has it: empty for its scheme's own. A server of
 * another protocol (mail, shells, databases, brokers) takes a request for lines of its own, some of which it obeys.
 */
export function isWebPort(port: string): boolean {
  const number = Number(port)
  return port === '' || webPorts.has(number) || (number >= privilegedPorts && !otherProtocols.has(number))
}
