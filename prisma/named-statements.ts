// Statements with a name are parsed once a connection, not once a call, and the server keeps each until it is closed.
// Their texts are without end (lists of different lengths, filters, limits), so a connection keeps a bounded number: the
// one that was used longest ago is closed for the next. Names are never used twice, so that none can stand for two texts.
import type { Client, QueryConfig } from 'pg'

export const namedStatementsMax = 200

type Query = (config: unknown, ...rest: unknown[]) => unknown

export function nameStatements(client: Client): void {
  const nameOf = statementNames((name) => closeStatement(client, name))
  const query = client.query.bind(client) as Query
  // Its overloads differ in their answers only, which are handed on as they come.
  client.query = ((config: unknown, ...rest: unknown[]) =>
    query(isNameable(config) ? { ...config, name: nameOf(config.text) } : config, ...rest)) as Client['query']
}

/** Those of scripts and of the driver itself are plain text. */
const isNameable = (config: unknown): config is QueryConfig =>
  typeof config === 'object' && config !== null && 'text' in config && !('submit' in config)

function statementNames(forget: (name: string) => void): (text: string) => string {
  // In the order of their last use.
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

/** Its answer comes with that of the next statement. To close one that was never made is no error. */
function closeStatement({ connection }: Client, name: string): void {
  // The driver's own memory of it, which its types leave out.
  const { parsedStatements } = connection as unknown as { readonly parsedStatements: Record<string, string> }
  delete parsedStatements[name]
  connection.close({ type: 'S', name }, true)
}
