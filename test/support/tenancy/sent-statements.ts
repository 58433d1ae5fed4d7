// The statements that the product sends in this test file, through Prisma or past it, whichever engine they go to. What
// tests themselves send is left out: who asked is read off the stack when Prisma or the driver is called. Prisma sends
// later than it is called, so there it goes with the call.
import { AsyncLocalStorage } from 'node:async_hooks'
import { join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { PrismaClient } from '#prisma/generated/client.ts'

/** Each text once, with the file that sent it first; null where prisma/transaction.ts did. */
export const sent = new Map<string, string | null>()

const asking = new AsyncLocalStorage<string>()
const root = join(import.meta.dirname, '../../..')
const isOurs = (file: string): boolean =>
  file.startsWith(root) &&
  !/node_modules|generated|support\/tenancy|prisma\/(?:caller-signal|direct-|database-watch|statements|traced-statements|transaction)\b(?!\.test)/.test(
    file,
  )

/** The file of the product that the stack leads to. */
function askerIn(error: Error): string {
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = (_error, sites) =>
    sites.map((site) => (site.getFileName() ?? '').replace(/^file:\/\//, '')).find(isOurs) ?? ''
  const file = String(error.stack)
  Error.prepareStackTrace = prepareStackTrace
  return file.slice(root.length + 1)
}

/** A statement of a caller who may leave passes more than the ten calls that a stack usually has. */
function asker(): string {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const error = new Error('asked')
  Error.stackTraceLimit = stackTraceLimit
  return askerIn(error)
}

type Lazy = Record<'then' | 'catch' | 'finally' | 'requestTransaction', (...given: unknown[]) => unknown>
type Patched = Record<string, (...given: unknown[]) => unknown>

/** A raw statement is sent when its promise is awaited, with another stack. */
function noteRaw(client: Patched, name: string): void {
  const send = client[name]
  client[name] = function recorded(this: unknown, ...given: unknown[]) {
    const by = asker()
    const lazy = send?.apply(this, given) as Lazy
    for (const act of ['then', 'catch', 'finally', 'requestTransaction'] as const) {
      const run = lazy[act].bind(lazy)
      lazy[act] = (...rest) => asking.run(by, () => run(...rest))
    }
    return lazy
  }
}

/** For queries of a model Prisma records the call site itself. */
function noteModels(client: Patched): void {
  const request = client['_request']
  client['_request'] = function recorded(this: unknown, ...given: unknown[]) {
    const { callsite, model } = given[0] as { callsite?: { _error?: Error }; model?: string }
    const error = callsite?._error
    if (model === undefined || error === undefined) return request?.apply(this, given)
    return asking.run(askerIn(error), () => request?.apply(this, given))
  }
}

/** `askerOf`: of a statement that did not come through Prisma. */
function noteStatements(to: SqlQueryable, askerOf: () => string | null): void {
  for (const name of ['queryRaw', 'executeRaw'] as const) {
    const send = to[name].bind(to) as (query: SqlQuery) => Promise<never>
    to[name] = (query: SqlQuery) => {
      const by = asking.getStore() ?? askerOf()
      if (!by?.startsWith('test/') && !sent.has(query.sql)) sent.set(query.sql, by)
      return send(query)
    }
  }
}

function noteConnections(factory: SqlDriverAdapterFactory): void {
  const connect = factory.connect
  factory.connect = async function recorded() {
    const adapter = await connect.call(this)
    noteStatements(adapter, asker)
    const start = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (level) => {
      const transaction = await start(level)
      noteStatements(transaction, () => null)
      return transaction
    }
    return adapter
  }
}

const client = PrismaClient.prototype as unknown as Patched
for (const name of ['$queryRaw', '$executeRaw', '$queryRawUnsafe', '$executeRawUnsafe']) noteRaw(client, name)
noteModels(client)
noteConnections(PrismaPg.prototype)
noteConnections(PrismaPGlite.prototype)
