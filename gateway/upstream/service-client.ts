// The gateway's own calls to the service: it fetches keys and their changes, and reports usage and denied calls.
import { Agent } from 'undici'
import { internalPaths } from '#contract/internal/paths.ts'
import type { DeniedCall, KeyUsage } from '#contract/internal/gateway-reports.ts'
import type { KeyRecord } from '#contract/internal/key-record.ts'
import type { RecentKeyChanges } from '#contract/internal/key-changes.ts'
import { Fault } from '#contract/fault.ts'
import { keyFrom, type Key } from '../policies/key.ts'
import type { ServiceAddress } from './dns-resolution.ts'
import { withFailOver } from './fail-over.ts'
import type { AddressPool } from './address-pool.ts'
import { gatewayPrincipal, type SignPrincipal } from './principal.ts'
import { unavailable } from './upstream-errors.ts'

export type ServiceClient = {
  /** Resolves to null when no key has this hash. Rejects with `unavailable` when the service gives no answer. */
  fetchKey(hash: string): Promise<Key | null>
  fetchKeyChanges(): Promise<RecentKeyChanges>
  reportUsage(report: Report<KeyUsage>): Promise<void>
  reportDeniedCalls(report: Report<DeniedCall>): Promise<void>
  close(): Promise<void>
}
/** Sent again with the same id, a report counts once. */
type Report<T> = { readonly id: string; readonly items: readonly T[] }
type Call = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  readonly withinMs?: number
}
type Answer = { readonly status: number; readonly body: unknown }

const answerWithinMs = 3_000
/** Short, so that there is time to ask another service before what was last answered is out of date. */
const changesWithinMs = 1_000
/** Statuses of a report that will never be accepted. */
const unacceptable = new Set([400, 413, 422])

export function serviceClient(pool: AddressPool, signed: SignPrincipal): ServiceClient {
  const agent = new Agent({ connections: 32, connect: { timeout: 1_000, rejectUnauthorized: true } })

  async function send(
    at: ServiceAddress,
    signal: AbortSignal,
    { method, path, body, withinMs = answerWithinMs }: Call,
  ): Promise<Answer> {
    const answer = await agent.request({
      ...{ origin: at.origin, method, path },
      headers: { ...signed(gatewayPrincipal(), method, path), host: at.host, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
    })
    return {
      status: answer.statusCode,
      body: answer.statusCode === 200 ? await answer.body.json() : await answer.body.dump(),
    }
  }

  const request = (call: Call): Promise<Answer> =>
    withFailOver(pool, { isRead: call.method === 'GET' }, (at, signal) => send(at, signal, call)).catch(
      (error: unknown) => {
        throw error instanceof Fault ? error : unavailable(error)
      },
    )

  async function report(path: string, body: object): Promise<void> {
    const { status } = await request({ method: 'POST', path, body })
    const refused = new Error(`The service answered ${status} to a report at ${path}`)
    if (unacceptable.has(status)) throw new Fault('validation_failed', refused.message)
    if (status >= 300) throw unavailable(refused)
  }

  return {
    fetchKey: async (hash) => {
      const { status, body } = await request({ method: 'GET', path: `${internalPaths.keyByHash}/${hash}` })
      if (status === 404) return null
      if (status !== 200) throw unavailable(new Error(`The service answered ${status} to the request for a key`))
      return keyFrom(body as KeyRecord)
    },
    fetchKeyChanges: async () => {
      const { status, body } = await request({
        method: 'GET',
        path: internalPaths.keyChanges,
        withinMs: changesWithinMs,
      })
      if (status !== 200)
        throw unavailable(new Error(`The service answered ${status} to the request for changes of keys`))
      return body as RecentKeyChanges
    },
    reportUsage: ({ id, items }) => report(internalPaths.keyUsage, { id, usage: items }),
    reportDeniedCalls: ({ id, items }) => report(internalPaths.deniedCalls, { id, denials: items }),
    close: () => agent.close(),
  }
}
