// What a call costs its key and its workspace. The limit is asked before anything is said of the workspace, so that
// whoever tries many of them is held up like any other; what cannot be served is charged all the same.
import { Fault } from '#contract/fault.ts'
import type { Operation } from '#contract/operation.ts'
import type { Incoming } from './incoming.ts'
import type { Limits, Policy } from './limits.ts'
import type { Key } from './policies/key.ts'
import { placeOf } from './policies/workspace.ts'
import type { UsageCounter } from './usage.ts'

type Parts = { readonly limits: Limits; readonly usage: UsageCounter }
/** `handshake`: counted where there is room, refused by a limit of its own. */
type Cost = { readonly calls: number; readonly handshake: boolean }

export const oneCall: Cost = { calls: 1, handshake: false }

/** Settles the workspace of the call; gives the query without what named it. */
export async function charge(
  key: Key,
  call: Incoming,
  tenancy: Operation['tenancy'],
  { calls, handshake }: Cost,
  parts: Parts,
): Promise<string> {
  const { trace } = call
  const { workspaceId, query, fault } = placeOf(key, tenancy, call.query, call.headers['x-workspace-id'], Date.now())
  trace.workspaceId = workspaceId
  const { quota, violated, retryAfterSeconds } = await parts.limits.take({ keyId: key.id, workspaceId }, calls)
  trace.quota = quota
  if (handshake) await chargeHandshake(key.id, parts)
  else if (violated.length > 0) throw rateLimited(violated, retryAfterSeconds)
  use(key.id, calls, call, parts)
  if (fault !== null) throw fault
  return query
}

async function chargeHandshake(keyId: string, { limits }: Parts): Promise<void> {
  const retryAfterSeconds = await limits.takeHandshake(keyId)
  if (retryAfterSeconds > 0) throw rateLimited(['handshake'], retryAfterSeconds)
}

/** For a call that counts as several, one of which was charged when it came. Refused, it has cost nothing. */
export async function chargeItems(items: number, call: Incoming, parts: Parts): Promise<void> {
  const { keyId, workspaceId } = call.trace
  if (items <= 1 || keyId === null) return
  const holder = { keyId, workspaceId }
  const { quota, violated, retryAfterSeconds } = await parts.limits.take(holder, items - 1)
  call.trace.quota = violated.length === 0 ? quota : await parts.limits.giveBack(holder, 1)
  if (violated.length > 0) throw rateLimited(violated, retryAfterSeconds)
  use(keyId, items - 1, call, parts)
}

function use(keyId: string, calls: number, { address, headers }: Incoming, { usage }: Parts): void {
  usage.count({ keyId, calls, address: address?.toString() ?? '', userAgent: headers['user-agent'] ?? null })
}

function rateLimited(violated: readonly Policy[], retryAfterSeconds: number): Fault {
  const who =
    violated.includes('workspace') && !violated.includes('key')
      ? 'The keys of this workspace together have'
      : 'The key has'
  const what = violated.includes('handshake') ? 'opened too many sessions' : 'used up the requests'
  return new Fault('rate_limited', `${who} ${what} for now.`, {
    retryAfterSeconds,
    'violated-policies': violated,
  })
}
