// A session that runs whole SQL scripts on Postgres or PGlite, which Prisma's client cannot.
import type { PGlite } from '@electric-sql/pglite'
import type { Where } from './client.ts'
import { openDataFolder } from './pglite.ts'
import { findRoute } from './route.ts'
import { sessionSettings } from './session-settings.ts'

export type Session = {
  run(script: string): Promise<void>
  query<Row>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** Behind a pooler, only what runs within a transaction is sure to run in one session. */
  transaction<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
  /** Where tables are looked for and made. Null if there is no such schema. */
  readonly schema: string | null
}

/** Scripts take their time, whatever the limits of the role are. They do not wait for locks for ever. */
const limits = { statement_timeout: '0', idle_in_transaction_session_timeout: '0', lock_timeout: '60000' }

/** Closing the session leaves a PGlite open that was passed in. */
export async function openSession(where: Where): Promise<Session> {
  if ('url' in where) return postgresSession(where.url, where.application)
  if ('pglite' in where) return pgliteSession(where.pglite)
  const pglite = await openDataFolder(where.folder)
  return { ...pgliteSession(pglite), close: () => pglite.close() }
}

async function postgresSession(url: string, application: string | undefined): Promise<Session> {
  const { client, route } = await findRoute(url, sessionSettings(url, limits), application)
  const run = async (script: string) => void (await client.query(script))
  return {
    run,
    query: async (sql, values = []) => (await client.query(sql, [...values])).rows,
    transaction: inTransaction(run, route.begin),
    close: () => client.end(),
    schema: route.schema,
  }
}

function pgliteSession(pglite: PGlite): Session {
  const run = async (script: string) => void (await pglite.exec(script))
  return {
    run,
    query: async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await pglite.query<Row>(sql, [...values])).rows,
    transaction: inTransaction(run, 'BEGIN'),
    close: async () => {},
    schema: 'public',
  }
}

const inTransaction =
  (run: Session['run'], begin: string): Session['transaction'] =>
  async (work) => {
    await run(begin)
    try {
      const result = await work()
      await run('COMMIT')
      return result
    } catch (error) {
      // On a lost connection this fails as well, and the first error says why.
      await run('ROLLBACK').catch(() => {})
      throw error
    }
  }
