// The gateway's own calls to the service: what is a key, here is what keys were used for.
import { randomUUID } from 'node:crypto'
import { Agent } from 'undici'
import {
  internalPaths,
  type Denial,
  type KeyRecord,
  type KeyUsage,
  type Principal,
  type RecentKeyChanges,
} from '#contract/principal.ts'
import { Fault } from '#contract/fault.ts'
import type { Report } from '../reports/buffered-reporter.ts'
import { keyFrom, type Key } from '../policies/key.ts'
import type { Address } from './dns-resolution.ts'
import { withFailOver } from './fail-over.ts'
import type { Pool } from './address-pool.ts'
import type { SignPrincipal } from './principal-header.ts'
import { unavailable } from './upstream-errors.ts'

export type ServiceClient = {
  /** Null: no key has this hash. Rejects with `unavailable` where the service gives no answer. */
  askKey(hash: string): Promise<Key | null>
  askKeyChanges(): Promise<RecentKeyChanges>
  reportUsage(report: Report<KeyUsage>): Promise<void>
  reportDenials(report: Report<Denial>): Promise<void>
  close(): Promise<void>
}
type Question = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  readonly withinMs?: number
}
type Answer = { readonly status: number; readonly body: unknown }

const answerWithinMs = 3_000
/** Short, so that another service is asked while what the last one said still holds. */
const changesWithinMs = 1_000
const unacceptable = new Set([400, 413, 422])

export function serviceClient(pool: Pool, signed: SignPrincipal): ServiceClient {
  const agent = new Agent({ connections: 32, connect: { timeout: 1_000, rejectUnauthorized: true } })

  async function send(
    at: Address,
    signal: AbortSignal,
    { method, path, body, withinMs = answerWithinMs }: Question,
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

  const call = (question: Question): Promise<Answer> =>
    withFailOver(pool, { isRead: question.method === 'GET' }, (at, signal) => send(at, signal, question)).catch(
      (error: unknown) => {
        throw error instanceof Fault ? error : unavailable(error)
      },
    )

  async function report(path: string, body: object): Promise<void> {
    const { status } = await call({ method: 'POST', path, body })
    const said = new Error(`The service answered ${status} to a report at ${path}`)
    if (unacceptable.has(status)) throw new Fault('validation_failed', said.message)
    if (status >= 300) throw unavailable(said)
  }

  return {
    askKey: async (hash) => {
      const { status, body } = await call({ method: 'GET', path: `${internalPaths.keyByHash}/${hash}` })
      if (status === 404) return null
      if (status !== 200) throw unavailable(new Error(`The service answered ${status} to the question for a key`))
      return keyFrom(body as KeyRecord)
    },
    askKeyChanges: async () => {
      const { status, body } = await call({ method: 'GET', path: internalPaths.keyChanges, withinMs: changesWithinMs })
      if (status !== 200) throw unavailable(new Error(`The service answered ${status} to the question for changes`))
      return body as RecentKeyChanges
    },
    reportUsage: ({ id, items }) => report(internalPaths.keyUsage, { id, usage: items }),
    reportDenials: ({ id, items }) => report(internalPaths.denials, { id, denials: items }),
    close: () => agent.close(),
  }
}

/** Who the gateway is where it calls on its own account. */
export const gatewayPrincipal = (): Principal => ({
  kind: 'gateway',
  id: 'gateway',
  name: 'gateway',
  workspaceId: null,
  scopes: [],
  surface: 'internal',
  requestId: randomUUID(),
  clientAddress: '',
  quota: null,
})
