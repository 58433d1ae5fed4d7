// Gives statements names, so that the server parses each once per connection and not at every call. The server keeps a
// named statement until it is closed, and their number is unbounded (lists of any length, filters, limits). So a
// connection keeps the most recently used ones and closes the others. A name is never reused, so it never stands for
// two texts.
import type { Client, QueryConfig } from 'pg'

export const namedStatementsMax = 200

type Query = (config: unknown, ...rest: unknown[]) => unknown

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
