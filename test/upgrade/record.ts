// `node test/upgrade/record.ts`: the oldest release that can be installed is used over its own API; then all rows of
// its database are kept, and what it answers to each operation that reads. To be run anew when an older release is
// supported no more. Needs Postgres, RabbitMQ and Redis installed: it starts its own.
import { join } from 'node:path'
import { Client as Connection } from 'pg'
import type { Audience, Operation } from '#contract/operation.ts'
import { earlierReleases, installRelease } from '../chaos/releases.ts'
import { clientOf, type Client } from '../support/client.ts'
import { startConnectProxy } from '../support/connect-proxy.ts'
import { runToEnd, start, type Place } from '../support/processes.ts'
import { startReceiver } from '../support/receiver.ts'
import { startPostgres } from '../support/servers/postgres.ts'
import { startRabbit } from '../support/servers/rabbit.ts'
import { startRedis } from '../support/servers/redis.ts'
import { failingHost, fill } from './fill.ts'
import { keepRecording, rate, type RecordedRead, type Recording } from './recording.ts'

const installation = {
  brand: 'acme',
  internalSecret: 'the internal secret of a recorded installation',
  operatorToken: 'the-operator-token-of-a-recorded-installation',
}
const pageLimit = 5
/** What some operations must be asked. */
const queries: Readonly<Record<string, string>> = {
  'search.query': '?q=roof',
  'resources.read': `?uri=${encodeURIComponent('workspace://overview')}`,
  'webhooks.check-url': `?url=${encodeURIComponent('https://hooks.example.com/')}`,
}

const release = earlierReleases().at(-1)
if (release === undefined) throw new Error('There is no earlier release')
using place = installRelease(release)
await using stack = new AsyncDisposableStack()
const [postgres, rabbit, redis] = await Promise.all([startPostgres(), startRabbit(), startRedis()])
if (postgres === null || rabbit === null || redis === null)
  throw new Error('Postgres, RabbitMQ and Redis must be installed')
for (const server of [postgres, rabbit, redis]) stack.use(server)
const receiver = stack.use(await startReceiver(({ headers }) => (headers.host === failingHost ? 500 : 200)))
const proxy = stack.use(await startConnectProxy({ leadTo: Number(new URL(receiver.url).port) }))
const env = {
  DATABASE_URL: postgres.url,
  AMQP_URL: rabbit.url,
  REDIS_URL: redis.url,
  BRAND: installation.brand,
  INTERNAL_SECRET: installation.internalSecret,
  OPERATOR_TOKEN: installation.operatorToken,
  LOG_LEVEL: 'fatal',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_PROXY_URL: proxy.url,
  WEBHOOK_RETRY_SCHEDULE: '1,1',
  RATE_LIMIT_KEY_PER_MINUTE: String(rate.perMinute),
  RATE_LIMIT_KEY_BURST: String(rate.burst),
  RATE_LIMIT_WORKSPACE_PER_MINUTE: String(rate.perMinute),
  RATE_LIMIT_WORKSPACE_BURST: String(rate.burst),
}
const { code, stderr } = await runToEnd('prisma/main.ts', { DATABASE_URL: postgres.url }, place)
if (code !== 0) throw new Error(stderr)
const { operations, pathFor, scopes } = await contractOf(place)
const filled = await whileItRuns((client) => fill(client, scopes), true)
// What gateways and dispatchers count is written down when they stop: read are rows that nothing changes any more.
const reads = await whileItRuns((client) => allReads(client), false)
const connection = new Connection({ connectionString: postgres.url })
await connection.connect()
const recording: Recording = { ...release, settings: installation, ...filled, ...(await rowsIn(connection)), reads }
await connection.end()
keepRecording(recording)
console.log(`${release.version}: ${Object.keys(recording.tables).length} tables, ${reads.length} answers`)

type Contract = {
  readonly operations: readonly Operation[]
  readonly pathFor: (operation: Operation, audience: Audience) => string
  readonly scopes: readonly string[]
}

/** That of the release, with the operations that it has. */
async function contractOf({ folder }: Place): Promise<Contract> {
  const load = async (name: string) => (await import(join(folder, 'contract', name))) as unknown
  const [api, paths, held] = await Promise.all([load('api.ts'), load('route-paths.ts'), load('scopes.ts')])
  return { ...(api as Contract), ...(paths as Contract), ...(held as Contract) }
}

async function whileItRuns<T>(work: (client: Client) => Promise<T>, delivers: boolean): Promise<T> {
  const service = await start('service/main.ts', env, place)
  const dispatcher = delivers ? await start('dispatcher/main.ts', env, place) : null
  const gateway = await start('gateway/main.ts', { ...env, SERVICE_URLS: service.url }, place)
  try {
    return await work(clientOf(gateway.url, installation.operatorToken))
  } finally {
    for (const process of [gateway, dispatcher, service]) await process?.kill('SIGTERM')
  }
}

/** Of lists also a page and the next, by its cursor; of what a path names, all that lists have shown. */
async function allReads(client: Client): Promise<RecordedRead[]> {
  const found: RecordedRead[] = []
  const read = async (operation: string, as: RecordedRead['as'], path: string) => {
    const headers = { authorization: `Bearer ${as === 'key' ? filled.keySecret : installation.operatorToken}` }
    const { status, body } = await client.call('GET', path, undefined, headers)
    found.push({ operation, as, path, status, body })
    return body as { readonly data?: readonly Item[]; readonly nextCursor?: string | null } | null
  }
  const reading = operations.filter(({ http }) => http.startsWith('GET '))
  for (const operation of reading.toSorted((one, other) => one.http.length - other.http.length)) {
    const { name, audiences, admits } = operation
    for (const audience of audiences) {
      if (audience === 'settings' && admits !== 'operator' && admits !== 'member') continue
      const as = audience === 'api' ? 'key' : 'operator'
      const template = pathFor(operation, audience).replace('{workspaceId}', filled.workspaceId)
      for (const path of pathsOf(template, found)) {
        const page = await read(name, as, path + (queries[name] ?? ''))
        if (!Array.isArray(page?.data) || page.data.length <= 1) continue
        const half = await read(name, as, `${path}?limit=${pageLimit}${(queries[name] ?? '').replace('?', '&')}`)
        if (half?.nextCursor) await read(name, as, `${path}?limit=${pageLimit}&cursor=${half.nextCursor}`)
      }
    }
  }
  return found
}

type Item = {
  readonly id?: string
  readonly uri?: string
  readonly externalSource?: string
  readonly externalId?: string
}

function pathsOf(template: string, found: readonly RecordedRead[]): string[] {
  if (!template.includes('{')) return [template]
  const [before = '', after = ''] = template.split(/\{.*\}/)
  const listed = found
    .filter(({ path }) => path === before.replace(/\/(by-external-id\/)?$/, ''))
    .flatMap(({ body }) => (body as { readonly data: readonly Item[] }).data ?? [])
  return listed.flatMap((item) => {
    const { id, externalSource, externalId } = item
    if (!template.includes('by-external-id')) return id === undefined ? [] : [before + id + after]
    return externalId ? [`${before}${externalSource}/${externalId}${after}`] : []
  })
}

async function rowsIn(sql: Connection): Promise<Pick<Recording, 'migrations' | 'tables' | 'sequences'>> {
  const query = async <Row>(text: string): Promise<Row[]> => (await sql.query(text)).rows as Row[]
  const columns = await query<{ table: string; columns: string[] }>(`
    SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND c.relname <> '_prisma_migrations'
    GROUP BY 1 ORDER BY 1`)
  const tables: Record<string, Recording['tables'][string]> = {}
  for (const { table, columns: names } of columns) {
    const list = names.map((name) => `"${name}"`).join()
    const rows = await query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(each) AS row FROM (SELECT ${list} FROM "${table}") AS each`,
    )
    if (rows.length > 0) tables[table] = { columns: names, rows: rows.map(({ row }) => row) }
  }
  const applied = await query<{ name: string; checksum: string }>(
    'SELECT migration_name AS name, checksum FROM _prisma_migrations ORDER BY migration_name',
  )
  const counters = await query<{ name: string; value: string | null }>(
    `SELECT sequencename::text AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public'`,
  )
  return {
    migrations: Object.fromEntries(applied.map(({ name, checksum }) => [name, checksum])),
    tables,
    sequences: Object.fromEntries(counters.flatMap(({ name, value }) => (value ? [[name, Number(value)]] : []))),
  }
}
