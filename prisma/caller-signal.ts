// A caller that has gone ends what the database does for it: none of its statements starts any more, and on Postgres
// the one that runs is cancelled. The driver has no such signal: a statement that was sent is waited for. The signal
// goes with the statement, not with the call: what a call starts beside it, such as a query shared by several callers,
// has no caller.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Prisma } from './generated/client.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { Socket } from 'node:net'
import { Connection, type Client, type PoolClient } from 'pg'

/** A statement was cancelled or not sent because its caller has gone. What its transaction had done is rolled back. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
  constructor(cause?: unknown) {
    super('The caller has gone', { cause })
  }
}

/** A statement ran for longer than the call permits, and was cancelled. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
  constructor(cause?: unknown) {
    super('The statement ran for too long', { cause })
  }
}

/** The caller of a statement, and for how long it may run once the database has it: without a bound where not given. */
type SentFor = { readonly signal: AbortSignal; readonly statementMs?: number | undefined }

const current = new AsyncLocalStorage<SentFor>()

/** Sends statements for a caller. */
export async function sendFor<T>(signal: AbortSignal, send: () => PromiseLike<T>, statementMs?: number): Promise<T> {
  if (signal.aborted) throw new Cancelled()
  return current.run({ signal, statementMs }, async () => send())
}

type Member = (...given: unknown[]) => PromiseLike<unknown>

/** The client for the reads of one caller, each of whose statements may run for `statementMs` on Postgres. */
export function clientFor(
  db: Prisma.TransactionClient,
  signal: AbortSignal,
  statementMs?: number,
): Prisma.TransactionClient {
  const sending =
    (owner: object, act: Member) =>
    (...given: unknown[]) =>
      sendFor(signal, () => act.apply(owner, given), statementMs)
  const ofModel = (model: object) =>
    withMembers(model, (name, member) => (isMember(member) && !isShared(name) ? sending(model, member) : member))
  return withMembers(db, (name, member) => {
    if (/^\$(?:queryRaw|executeRaw)/.test(name) && isMember(member)) return sending(db, member)
    return name.startsWith('$') || typeof member !== 'object' || member === null ? member : ofModel(member)
  })
}

/** Prisma puts what several callers look up at the same moment into one statement. It is over soon. */
const isShared = (name: string): boolean => name.startsWith('findUnique')

const isMember = (member: unknown): member is Member => typeof member === 'function'

/** The same object with other members. */
const withMembers = <T extends object>(whole: T, instead: (name: string, member: unknown) => unknown): T =>
  new Proxy(whole, {
    get: (_whole, name) => {
      const member: unknown = Reflect.get(whole, name)
      return typeof name === 'string' ? instead(name, member) : member
    },
  })

const answeredWithinMs = 1_000
/** A request that comes before the server has begun the statement has no effect. */
const againAfterMs = 100
const canceled = '57014'

type Query = (...given: unknown[]) => Promise<unknown>

/**
 * Cancels on Postgres the statements of callers that have gone, and those that run for longer than their call permits.
 * A time-out of the server's own would be a setting of the connection, which poolers share between callers. The request
 * goes over a connection of its own, names the statement's connection by the secret that the server gave it, and is
 * answered by the end of that connection. Until then nothing else is sent on the statement's connection, so that no
 * statement of another caller can be hit. `onCancel` is called when a statement is about to be cancelled.
 */
export function cancelStatements(client: PoolClient, makeSocket: () => Socket, onCancel: () => void): void {
  const query = client.query.bind(client) as Query
  // The overloads of `query` differ in their results only, which are returned unchanged. What is sent for a caller is
  // awaited, never called back.
  client.query = ((...given: unknown[]) => {
    const caller = current.getStore()
    if (caller === undefined) return query(...given)
    return cancelledBy(
      caller,
      () => query(...given),
      (ended) => {
        onCancel()
        return cancel(client, makeSocket, ended)
      },
    )
  }) as PoolClient['query']
}

type Cancel = (ended: AbortSignal) => Promise<void>

/** Settles once `run` has settled and no request to cancel it is under way. */
async function cancelledBy<T>({ signal, statementMs }: SentFor, run: () => Promise<T>, cancelIt: Cancel): Promise<T> {
  if (signal.aborted) throw new Cancelled()
  let ended: AbortController | undefined
  let cancelling: Promise<void> | undefined
  const onAbort = () => {
    if (ended !== undefined) return
    ended = new AbortController()
    cancelling = cancelIt(ended.signal)
  }
  const timer = statementMs === undefined ? undefined : setTimeout(onAbort, statementMs)
  signal.addEventListener('abort', onAbort)
  try {
    return await run()
  } catch (error) {
    if (signal.aborted) throw new Cancelled(error)
    throw ended !== undefined && (error as { code?: unknown }).code === canceled ? new OutOfTime(error) : error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    ended?.abort()
    await cancelling
  }
}

async function cancel(client: PoolClient, makeSocket: () => Socket, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    if (!(await requestCancel(client, makeSocket))) return discard(client)
    await pause(againAfterMs, undefined, { signal: ended }).catch(() => {})
  }
}

/** A request that may still arrive would hit what runs on the connection then: the pool is told to close it. */
function discard(client: PoolClient): void {
  const release = client.release.bind(client)
  client.release = () => release(true)
}

/** Members that the driver's types leave out. */
type Target = Client & {
  readonly processID: number
  readonly secretKey: number
  readonly sslNegotiation: 'postgres' | 'direct'
}
type Requesting = Connection & {
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
}

/** False where it is not known whether the server has taken the request. */
function requestCancel(client: Client, makeSocket: () => Socket): Promise<boolean> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as Target
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const config = { stream: makeSocket, ssl, sslNegotiation }
  const connection = new Connection(config) as Requesting
  let isSent = false
  connection.on('error', () => resolve(false))
  connection.once('end', () => resolve(isSent))
  if (ssl && sslNegotiation !== 'direct') connection.once('connect', () => connection.requestSsl())
  connection.once(ssl ? 'sslconnect' : 'connect', () => {
    isSent = true
    connection.cancel(processID, secretKey)
  })
  const timer = setTimeout(() => {
    resolve(false)
    connection.stream.destroy()
  }, answeredWithinMs)
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
  else connection.connect(port, host)
  return promise.finally(() => clearTimeout(timer))
}
