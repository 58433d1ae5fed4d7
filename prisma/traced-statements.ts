// The spans of statements, where spans are recorded: each statement that is sent for a sampled call has one. They hold
// its text, in which values are placeholders, and never a value.
import type { SqlDriverAdapterFactory, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils'
import { activeSpan, type Span } from '#runtime/tracing/span.ts'
import type { AddressParts } from './address.ts'

/** Null for a database in this process. */
type DatabaseAddress = AddressParts | null

export const tracedStatements = (factory: SqlDriverAdapterFactory, at: DatabaseAddress): SqlDriverAdapterFactory => ({
  provider: factory.provider,
  adapterName: factory.adapterName,
  connect: async () => {
    const adapter = traced(await factory.connect(), at)
    const start = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (isolationLevel) => traced(await start(isolationLevel), at)
    return adapter
  },
})

function traced<Q extends SqlQueryable>(queryable: Q, at: DatabaseAddress): Q {
  const [queryRaw, executeRaw] = [queryable.queryRaw.bind(queryable), queryable.executeRaw.bind(queryable)]
  queryable.queryRaw = (query) => inSpan(query, at, () => queryRaw(query))
  queryable.executeRaw = (query) => inSpan(query, at, () => executeRaw(query))
  return queryable
}

function inSpan<T>({ sql }: SqlQuery, at: DatabaseAddress, send: () => Promise<T>): Promise<T> {
  const span = activeSpan()?.child()
  if (span === undefined) return send()
  const sent = send()
  sent.then(
    () => endSpan(span, sql, at, null),
    (error: unknown) => endSpan(span, sql, at, codeOf(error)),
  )
  return sent
}

function endSpan(span: Span, sql: string, at: DatabaseAddress, error: string | null): void {
  const { summary, operation, text } = aboutStatement(sql)
  span.end({
    name: summary,
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.namespace': at?.name ?? null,
      'server.address': at?.host ?? null,
      'server.port': at?.port ?? null,
      'db.operation.name': operation,
      'db.query.summary': summary,
      'db.query.text': text,
      'db.response.status_code': error !== null && sqlState.test(error) ? error : null,
    },
    error,
  })
}

const sqlState = /^[0-9A-Z]{5}$/
type Failed = { readonly cause?: { readonly originalCode?: unknown; readonly kind?: unknown } }

/** Postgres' own code, else the adapter's name for the failure. */
function codeOf(error: unknown): string {
  const { originalCode, kind } = (error as Failed | null)?.cause ?? {}
  if (typeof originalCode === 'string') return originalCode
  return typeof kind === 'string' ? kind : error instanceof Error ? error.name : 'unknown'
}

type Statement = { readonly summary: string; readonly operation: string; readonly text: string }

const textLengthMax = 2_048
const summaryLengthMax = 255
const knownMax = 1_000
const known = new Map<string, Statement>()

/** Texts are few; those of lists of other lengths push out the oldest. */
function aboutStatement(sql: string): Statement {
  const found = known.get(sql)
  if (found !== undefined) return found
  const [oldest] = known.keys()
  if (known.size >= knownMax && oldest !== undefined) known.delete(oldest)
  const summary = summaryOf(sql)
  const [operation = summary] = summary.split(' ')
  const made = { summary, operation, text: sql.slice(0, textLengthMax) }
  known.set(sql, made)
  return made
}

const name = String.raw`"?(?:[a-z_]\w*"?\."?)?([a-z_]\w*)"?`
const actions = new RegExp(String.raw`\b(INSERT INTO|UPDATE|DELETE FROM|FROM|JOIN)\s+(?:ONLY\s+)?${name}`, 'gi')
const within = new RegExp(String.raw`\b${name}\s+AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(`, 'gi')
const operations: Readonly<Record<string, string>> = {
  'INSERT INTO': 'INSERT',
  UPDATE: 'UPDATE',
  'DELETE FROM': 'DELETE',
  FROM: 'SELECT',
  JOIN: 'SELECT',
}

/** What a statement does to which tables: `INSERT event`. What it changes comes first. */
export function summaryOf(sql: string): string {
  const own = new Set(Array.from(sql.matchAll(within), ([, each = '']) => each))
  const done = Array.from(sql.matchAll(actions), ([, action = '', table = '']) => ({
    operation: operations[action.toUpperCase().replace(/\s+/, ' ')] ?? '',
    table,
  })).filter(({ table }) => !own.has(table))
  const changes = done.filter(({ operation }) => operation !== 'SELECT')
  const all = [...new Set((changes.length > 0 ? changes : done).map(({ operation, table }) => `${operation} ${table}`))]
  return (all.join(' ') || (/\w+/.exec(sql)?.[0] ?? 'statement').toUpperCase()).slice(0, summaryLengthMax)
}
