// The gateway's own calls to the service: what is a key, here is what keys were used for, are you there?
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
import type { Report } from './collector.ts'
import { keyFrom, type Key } from './policies/key.ts'
import type { SignPrincipal } from './upstream/principal-header.ts'
import { isNotConnected, unavailable } from './upstream-error.ts'
import type { Upstreams } from './upstreams.ts'

export type ServiceClient = {
  /** Null: no key has this hash. Rejects with `unavailable` where the service gives no answer. */
  askKey(hash: string): Promise<Key | null>
  askKeyChanges(): Promise<RecentKeyChanges>
  reportUsage(report: Report<KeyUsage>): Promise<void>
  reportDenials(report: Report<Denial>): Promise<void>
  isReachable(): Promise<boolean>
  close(): Promise<void>
}
type Answer = { readonly status: number; readonly body: unknown }

const answerWithinMs = 3_000
/** Short, so that another service is asked while what the last one said still holds. */
const changesWithinMs = 1_000
const unacceptable = new Set([400, 413, 422])

export function serviceClient(upstreams: Upstreams, signed: SignPrincipal): ServiceClient {
  const agent = new Agent({ connections: 32, connect: { timeout: 1_000, rejectUnauthorized: true } })

  async function send(
    origin: string,
    method: 'GET' | 'POST',
    path: string,
    body: unknown,
    withinMs: number,
  ): Promise<Answer> {
    const answer = await agent.request({
      origin,
      method,
      path,
      headers: { ...signed(gatewayPrincipal(), method, path), 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(withinMs),
    })
    return {
      status: answer.statusCode,
      body: answer.statusCode === 200 ? await answer.body.json() : await answer.body.dump(),
    }
  }

  /** Goes on to the next address only where the one before took no connection. */
  async function call(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    withinMs = answerWithinMs,
    tries = upstreams.count,
  ): Promise<Answer> {
    const origin = upstreams.next()
    try {
      return await send(origin, method, path, body, withinMs)
    } catch (error) {
      if (!isNotConnected(error)) throw unavailable(error)
      upstreams.leaveOut(origin)
      if (tries <= 1) throw unavailable(error)
      return call(method, path, body, withinMs, tries - 1)
    }
  }

  async function report(path: string, body: object): Promise<void> {
    const { status } = await call('POST', path, body)
    const said = new Error(`The service answered ${status} to a report at ${path}`)
    if (unacceptable.has(status)) throw new Fault('validation_failed', said.message)
    if (status >= 300) throw unavailable(said)
  }

  return {
    askKey: async (hash) => {
      const { status, body } = await call('GET', `${internalPaths.keyByHash}/${hash}`)
      if (status === 404) return null
      if (status !== 200) throw unavailable(new Error(`The service answered ${status} to the question for a key`))
      return keyFrom(body as KeyRecord)
    },
    askKeyChanges: async () => {
      const { status, body } = await call('GET', internalPaths.keyChanges, undefined, changesWithinMs)
      if (status !== 200) throw unavailable(new Error(`The service answered ${status} to the question for changes`))
      return body as RecentKeyChanges
    },
    reportUsage: ({ id, items }) => report(internalPaths.keyUsage, { id, usage: items }),
    reportDenials: ({ id, items }) => report(internalPaths.denials, { id, denials: items }),
    isReachable: () =>
      call('GET', '/health').then(
        ({ status }) => status < 500,
        () => false,
      ),
    close: () => agent.close(),
  }
}

const gatewayPrincipal = (): Principal => ({
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
