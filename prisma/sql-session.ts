// A session that runs whole SQL scripts on Postgres or PGlite, which Prisma's client cannot.
import type { PGlite } from '@electric-sql/pglite'
import { Client } from 'pg'
import type { Where } from './client.ts'
import { openDataFolder } from './pglite.ts'
import { connectionTo, databaseUnreachable } from './pool.ts'

export type Session = {
  run(script: string): Promise<void>
  query<Row>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>
  close(): Promise<void>
}

/** Closing the session leaves a PGlite open that was passed in. */
export async function openSession(where: Where): Promise<Session> {
  if ('url' in where) return postgresSession(where.url, where.application)
  if ('pglite' in where) return pgliteSession(where.pglite)
  const pglite = await openDataFolder(where.folder)
  return { ...pgliteSession(pglite), close: () => pglite.close() }
}

async function postgresSession(url: string, application: string | undefined): Promise<Session> {
  const client = new Client(connectionTo(url, application))
  // A connection that breaks fails the query that runs; without a listener it would also end the process.
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw databaseUnreachable(url, error)
  })
  return {
    run: async (script) => void (await client.query(script)),
    query: async (sql, values = []) => (await client.query(sql, [...values])).rows,
    close: () => client.end(),
  }
}

function pgliteSession(pglite: PGlite): Session {
  return {
    run: async (script) => void (await pglite.exec(script)),
    query: async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await pglite.query<Row>(sql, [...values])).rows,
    close: async () => {},
  }
}
