// Databases of the bench on the Postgres that is there: one that is migrated and seeded once, and a copy of it for each
// measurement, so that every row of every round starts from the same state.
import { Client, type QueryResultRow } from 'pg'
import { unlessInterrupted } from '../measure/child.ts'
import { letters } from '../measure/random-letters.ts'
import { databaseServer } from './settings.ts'

export type Database = AsyncDisposable & {
  readonly url: string
  /** Another one with the same content. Nobody may be connected to this one. */
  copy(): Promise<Database>
  /** One row of figures about this database or its server. */
  look<Row>(sql: string): Promise<Row>
  /** Work in one session. It leaves no connection behind, which a copy would have to wait for. */
  session<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** The server's processes that work for this database; none where the server is another machine. */
  backends(): Promise<readonly number[]>
}

export type Query = <Row extends QueryResultRow>(sql: string, values?: readonly unknown[]) => Promise<Row[]>

export const emptyDatabase = (): Promise<Database> => create()

async function create(template?: string): Promise<Database> {
  const name = `wia_bench_${letters(10).toLowerCase()}`
  const admin = new Client({ connectionString: databaseServer })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`)
  const url = new URL(databaseServer)
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  url.pathname = `/${name}`
  return {
    url: url.href,
    copy: async () => {
      const copied = await create(name)
      await inSession(copied.url, (query) => query(asAnotherInstallation))
      return copied
    },
    look: <Row>(sql: string) => inSession(url.href, async (query) => (await query(sql))[0] as Row),
    session: (work) => inSession(url.href, work),
    backends: async () =>
      isHere ? (await admin.query<{ pid: number }>(backendsOf, [name])).rows.map(({ pid }) => pid) : [],
    [Symbol.asyncDispose]: async () => {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
    },
  }
}

/** Redis has heard of the one that is copied, and would take its copy for a restore of it. */
const asAnotherInstallation = 'UPDATE installation SET identity = gen_random_uuid()'

async function inSession<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await unlessInterrupted(work(async (sql, values = []) => (await client.query(sql, [...values])).rows))
  } finally {
    await client.end()
  }
}

/** Not those that tidy it up. */
const backendsOf = `SELECT pid FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`

/** What decides how dear a commit is. */
export async function serverFacts({ look }: Database): Promise<Record<string, string>> {
  const { version, fsync, synchronous } = await look<Record<string, string>>(
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous`,
  )
  return { Postgres: `${version}, fsync ${fsync}, synchronous_commit ${synchronous}` }
}
