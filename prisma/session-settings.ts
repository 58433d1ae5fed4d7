// The settings of Postgres that this product's sessions need, whatever the server's own are. A connection that leads to
// a session of its own carries them in its first message. Behind a pooler, where each transaction may run in another
// session, they are set anew in each transaction (`route.ts`).

import { StartupError } from '#runtime/process.ts'

/** By the names of Postgres. Limits are in milliseconds. */
export type SessionSettings = Readonly<Record<string, string>>

/**
 * Statements here are short: compiling one takes longer than running it, even where the planner expects the worst. A
 * row found by an index costs little more than the next one, as on any disk of today: a planner that expects otherwise
 * sorts a whole workspace to find the first page.
 */
const ofEachSession: SessionSettings = { TimeZone: 'UTC', jit: 'off', random_page_cost: '1.1' }

/** An address may set these as parameters of their own, and then they are those of the address. */
const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']

/** `more` are those of the process. What the address sets in its `options` is not among the result. */
export function sessionSettings(url: string, more: SessionSettings = {}): SessionSettings {
  const { searchParams } = new URL(url)
  const given = limits.flatMap((name) => {
    const value = searchParams.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return { ...ofEachSession, ...more, ...Object.fromEntries(given) }
}

/** For the first message of a connection. */
export const asOptions = (settings: SessionSettings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\\s]/g, String.raw`\$&`)}`)
    .join(' ')

/** For the beginning of a transaction. */
export const asStatements = (settings: SessionSettings): string =>
  Object.entries(settings)
    .map(
      ([name, value]) => `SET LOCAL ${name} = ${name === 'search_path' ? value : `'${value.replaceAll("'", "''")}'`}`,
    )
    .join('; ')

/**
 * Reads what the address itself sets in its `options`. Throws a StartupError where there is anything that cannot be set
 * in a transaction.
 */
export function settingsInOptions(url: string): SessionSettings {
  const options = new URL(url).searchParams.get('options') ?? ''
  const words = options.match(/(?:\\.|\S)+/g)?.map((word) => word.replaceAll(/\\(.)/g, '$1')) ?? []
  const settings: Record<string, string> = {}
  const each = words.values()
  for (const word of each) {
    const assignment = word === '-c' ? (each.next().value ?? '') : word.replace(/^(?:-c|--)/, '')
    const [, name, value] = /^([a-z_][\w.]*)=(.*)$/i.exec(assignment) ?? []
    if (name === undefined || value === undefined || (name === 'search_path' && !/^[\w$", ]+$/.test(value)))
      throw new StartupError(
        `The options of DATABASE_URL contain "${word}", which cannot be set behind a pooler: give each setting as -c name=value.`,
      )
    settings[name] = value
  }
  return settings
}
