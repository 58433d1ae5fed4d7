// How the statements of a connection are sent: under names, so that the server parses each of them once; BEGIN together
// with the first statement of its transaction; and behind a pooler each statement of its own in a transaction, which
// brings the settings along.

import type { Client, QueryConfig } from 'pg'
import type { Route } from './route.ts'

export const namedStatementsMax = 200

type Query = (config: unknown, ...rest: unknown[]) => Promise<unknown>

/**
 * Gives statements names, so that the server parses each once per connection and not at every call. The server keeps a
 * named statement until it is closed, and their number is unbounded (lists of any length, filters, limits). So a
 * connection keeps the most recently used ones and closes the others. A name is never reused, so it never stands for
 * two texts.
 */
export function nameStatements(client: Client): void {
  const nameOf = statementNames((name) => closeStatement(client, name))
  const query = client.query.bind(client) as Query
  // The overloads of `query` differ in their results only, which are returned unchanged.
  client.query = ((config: unknown, ...rest: unknown[]) => {
    // It was made for this statement alone, and the driver copies it.
    if (isNameable(config)) config.name = nameOf(config.text)
    return query(config, ...rest)
  }) as Client['query']
}

/** Scripts and the driver's own statements are plain strings and stay unnamed. */
const isNameable = (config: unknown): config is QueryConfig =>
  typeof config === 'object' && config !== null && 'text' in config && !('submit' in config)

const nothing = { rows: [], fields: [], rowCount: 0 }

/**
 * Sends what begins a transaction together with its first statement, which saves a round trip. Behind a pooler a
 * statement outside of a transaction is sent in one of its own, all three at once.
 */
export function sendInTransactions(client: Client, { begin, pooler }: Pick<Route, 'begin' | 'pooler'>): void {
  const query = client.query.bind(client) as Query
  const { stream } = client.connection
  let state: 'none' | 'held' | 'begun' = 'none'

  function sendBegin(): void {
    // Without a transaction the statements behind it must not run: the connection is closed.
    query(begin).catch((error: unknown) => stream.destroy(error as Error))
  }

  function sendBehindBegin(...given: Parameters<Query>): Promise<unknown> {
    stream.cork()
    sendBegin()
    const result = query(...given)
    stream.uncork()
    return result
  }

  async function sendAlone(...given: Parameters<Query>): Promise<unknown> {
    stream.cork()
    sendBegin()
    const sent = [query(...given), query('COMMIT')]
    stream.uncork()
    // Of a failed statement the commit is a rollback, which succeeds.
    const [result, ended] = await Promise.allSettled(sent)
    const failed = [result, ended].find((one) => one?.status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    return result?.status === 'fulfilled' ? result.value : undefined
  }

  client.query = ((config: unknown, ...rest: unknown[]) => {
    const text = isNameable(config) ? config.text : ''
    if (text === 'BEGIN') {
      state = 'held'
      return Promise.resolve(nothing)
    }
    const before = state
    if (text === 'COMMIT' || text === 'ROLLBACK') state = 'none'
    else if (state === 'held') state = 'begun'
    if (before === 'held') return sendBehindBegin(config, ...rest)
    return before === 'none' && pooler !== null ? sendAlone(config, ...rest) : query(config, ...rest)
  }) as Client['query']
}

/** Returns the name for a text. `forget` is called with each name that falls out of the bound. */
function statementNames(forget: (name: string) => void): (text: string) => string {
  // Least recently used first.
  const names = new Map<string, string>()
  let made = 0
  return (text) => {
    const name = names.get(text) ?? `s${made++}`
    names.delete(text)
    names.set(text, name)
    for (const [oldest, forgotten] of names) {
      if (names.size <= namedStatementsMax) break
      names.delete(oldest)
      forget(forgotten)
    }
    return name
  }
}

/** The server's answer comes with that of the next statement. Closing an unknown name is not an error. */
function closeStatement({ connection }: Client, name: string): void {
  // The driver's own cache of parsed statements, which its types leave out.
  const { parsedStatements } = connection as unknown as { readonly parsedStatements: Record<string, string> }
  delete parsedStatements[name]
  connection.close({ type: 'S', name }, true)
}
