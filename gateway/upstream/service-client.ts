// The gateway's own calls to the service: it fetches keys and their changes, reports usage and denied calls, and asks
// each address whether it is ready.
import { Agent } from 'undici'
import type { ReportedCall } from '#contract/internal/api-calls.ts'
import { principalHeader } from '#contract/internal/principal.ts'
import { internalPaths } from '#contract/internal/gateway-endpoints.ts'
import type { DeniedCall, KeyUsage, PreviousSecretUse } from '#contract/internal/reports.ts'
import type { KeyActivity } from '#contract/internal/reports.ts'
import type { KeyRecord, KeyRecords } from '#contract/internal/gateway-endpoints.ts'
import type { SessionRecord } from '#contract/internal/gateway-endpoints.ts'
import type { RecentKeyChanges } from '#contract/internal/gateway-endpoints.ts'
import { Fault } from '#contract/faults/fault.ts'
import { keyFrom, type Key } from '../keys/key.ts'
import type { ServiceAddress } from './dns-resolution.ts'
import { withFailOver } from './service-call.ts'
import type { AddressPool, Prober } from './address-pool.ts'
import { gatewayPrincipal, type SignPrincipal } from './signed-principal.ts'
import { unavailable, isNotConnected } from './upstream-errors.ts'
import type { ProbeResult } from './address-health.ts'

export type ServiceClient = {
  /** Resolves to null when no key has this hash. Rejects with `unavailable` when the service gives no answer. */
  fetchKey(hash: string): Promise<Key | null>
  /** In the order of the hashes, of which there are at most `keysPerQuestionMax`. */
  fetchKeys(hashes: readonly string[]): Promise<readonly (Key | null)[]>
  fetchKeyChanges(): Promise<RecentKeyChanges>
  /**
   * Resolves to null when no session that is good has a token with this hash. `workspaceId`: to ask for the member
   * there.
   */
  fetchSession(hash: string, workspaceId: string | null): Promise<SessionRecord | null>
  reportUsage(report: Report<KeyUsage>): Promise<void>
  reportPreviousSecretUse(report: Report<PreviousSecretUse>): Promise<void>
  reportActivity(report: Report<KeyActivity>): Promise<void>
  reportDeniedCalls(report: Report<DeniedCall>): Promise<void>
  reportCalls(report: Report<ReportedCall>): Promise<void>
  close(): Promise<void>
}
/** Sent again with the same id, a report counts once. */
type Report<T> = { readonly id: string; readonly items: readonly T[] }
type Call = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  /** A POST that changes nothing may be sent again. */
  readonly isRead?: true
  readonly withinMs?: number
}
type Answer = { readonly status: number; readonly body: unknown }

/** Whose certificates are accepted on connections to services over https. */
export type Trust = Readonly<{ rejectUnauthorized: true; ca?: string }>
export const trustIn = (authorities: string | null): Trust => ({
  rejectUnauthorized: true,
  ...(authorities !== null && { ca: authorities }),
})

const answerWithinMs = 3_000
/** Short, so that there is time to ask another service before what was last answered is out of date. */
const changesWithinMs = 1_000
/** Statuses of a report that will never be accepted. */
const unacceptable = new Set([400, 413, 422])

export function serviceClient(pool: AddressPool, signed: SignPrincipal, trust: Trust): ServiceClient {
  const { request, close } = openRequests(pool, signed, trust)

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
    fetchKeys: async (hashes) => {
      const call = { method: 'POST', path: internalPaths.keysByHash, body: { hashes }, isRead: true } as const
      const { status, body } = await request(call)
      if (status !== 200) throw unavailable(new Error(`The service answered ${status} to the request for keys`))
      return (body as KeyRecords).keys.map((record) => (record === null ? null : keyFrom(record)))
    },
    fetchKeyChanges: async () => {
      const call = { method: 'GET', path: internalPaths.keyChanges, withinMs: changesWithinMs } as const
      const { status, body } = await request(call)
      if (status !== 200) throw unavailable(new Error(`The service answered ${status} to the request for key changes`))
      return body as RecentKeyChanges
    },
    fetchSession: async (hash, workspaceId) => {
      const path = `${internalPaths.sessionByHash}/${hash}/${workspaceId ?? 'none'}`
      const { status, body } = await request({ method: 'GET', path })
      if (status === 404) return null
      if (status !== 200) throw unavailable(new Error(`The service answered ${status} to the request for a session`))
      return body as SessionRecord
    },
    reportUsage: ({ id, items }) => report(internalPaths.keyUsage, { id, usage: items }),
    reportPreviousSecretUse: ({ id, items }) => report(internalPaths.previousSecretUse, { id, usage: items }),
    reportActivity: ({ id, items }) => report(internalPaths.keyActivity, { id, activity: items }),
    reportDeniedCalls: ({ id, items }) => report(internalPaths.deniedCalls, { id, denials: items }),
    reportCalls: ({ id, items }) => report(internalPaths.apiCalls, { id, calls: items }),
    close,
  }
}

/** Requests in the gateway's own name. They reject with `unavailable` when no service answers in time. */
function openRequests(pool: AddressPool, signed: SignPrincipal, trust: Trust) {
  const agent = new Agent({ connections: 32, connect: { timeout: 1_000, ...trust } })

  async function send(
    { origin, host }: ServiceAddress,
    signal: AbortSignal,
    { method, path, body, withinMs = answerWithinMs }: Call,
  ): Promise<Answer> {
    const { statusCode: status, body: answer } = await agent.request({
      origin,
      method,
      path,
      headers: {
        [principalHeader]: signed(gatewayPrincipal(), method, path),
        host,
        'content-type': 'application/json',
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
    })
    return { status, body: status === 200 ? await answer.json() : await answer.dump() }
  }

  async function request(call: Call): Promise<Answer> {
    try {
      const isRead = call.isRead ?? call.method === 'GET'
      return await withFailOver(pool, { isRead }, (at, signal) => send(at, signal, call))
    } catch (error) {
      throw error instanceof Fault ? error : unavailable(error)
    }
  }
  return { request, close: () => agent.close() }
}

/** An interval and two probes without an answer: a frozen service is found within two seconds. */
export const defaultProbeWithinMs = 700
/** A timeout that fires so much too late says that this process stood still. */
const stoodStillMs = 300

/**
 * Asks one address of the service whether it is ready and accepts our signature. Probes have a connection of their own,
 * so that calls which hold all the others do not make an address look ill.
 */
export function openProber(signed: SignPrincipal, trust: Trust, withinMs: number): Prober {
  const agent = new Agent({ connections: 1, connect: { timeout: withinMs, ...trust } })
  const path = internalPaths.ready

  async function statusOf({ origin, host }: ServiceAddress): Promise<number> {
    const answer = await agent.request({
      origin,
      path,
      method: 'GET',
      headers: { [principalHeader]: signed(gatewayPrincipal(), 'GET', path), host },
      signal: AbortSignal.timeout(withinMs),
    })
    await answer.body.dump()
    return answer.statusCode
  }

  async function probe(address: ServiceAddress): Promise<ProbeResult | null> {
    const startedAt = performance.now()
    try {
      return resultOf(await statusOf(address), performance.now() - startedAt)
    } catch (error) {
      if (agent.destroyed || performance.now() - startedAt > withinMs + stoodStillMs) return null
      return { kind: isNotConnected(error) ? 'unreachable' : 'unanswered' }
    }
  }
  return { probe, close: () => agent.destroy() }
}

function resultOf(status: number, ms: number): ProbeResult {
  if (status === 200) return { kind: 'ready', ms }
  return { kind: status === 401 ? 'signature_refused' : 'not_ready' }
}
