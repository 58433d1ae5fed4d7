// Cancels on Postgres the statement of a caller who has gone, or that runs for longer than its call permits. A time-out of
// the server's own would be a setting of the connection, which poolers share between callers. The request goes over a connection of its own, names the
// statement's connection by the secret that the server gave it, and is answered by the end of that connection. Until then
// nothing else is sent on the statement's connection, so that no statement of another caller can be hit.
import { setTimeout as pause } from 'node:timers/promises'
import type { Socket } from 'node:net'
import { Connection, type Client, type PoolClient } from 'pg'
import { Cancelled, OutOfTime, sentFor, type SentFor } from './caller-signal.ts'

const answeredWithinMs = 1_000
/** A request that comes before the server has begun the statement has no effect. */
const againAfterMs = 100
const canceled = '57014'

type Query = (...given: unknown[]) => Promise<unknown>

/** `onCancel` is called when a statement is about to be cancelled. */
export function cancelStatements(client: PoolClient, makeSocket: () => Socket, onCancel: () => void): void {
  const query = client.query.bind(client) as Query
  // The overloads of `query` differ in their results only, which are returned unchanged. Who sends for a caller takes
  // a promise.
  client.query = ((...given: unknown[]) => {
    const caller = sentFor()
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

/** Settles once `run` has, and a request to cancel it is under way no more. */
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

/** A request that may still come would hit whatever runs on the connection then: it goes back to the pool to be closed. */
function discard(client: PoolClient): void {
  const release = client.release.bind(client)
  client.release = () => release(true)
}

/** What the driver's types leave out. */
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
