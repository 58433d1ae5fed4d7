// What a call costs its key and its workspace. The limit is asked before anything is said of the workspace, so that
// whoever tries many of them is held up like any other; what cannot be served is charged all the same.
import { Fault } from '#contract/fault.ts'
import type { Operation } from '#contract/operation.ts'
import type { Incoming } from '../request/incoming-call.ts'
import type { Limits, Policy } from './rate-limiter.ts'
import type { Key } from '../policies/key.ts'
import { placeOf } from '../policies/workspace.ts'
import type { UsageCounter } from '../reports/usage.ts'

type Parts = { readonly limits: Limits; readonly usage: UsageCounter }
/** `tokens`: as many as there are calls, or more. `handshake`: counted where there is room, refused by a limit of its own. */
type Cost = { readonly calls: number; readonly tokens: number; readonly handshake: boolean }

export const oneCall = (tokens: number): Cost => ({ calls: 1, tokens, handshake: false })

/** Settles the workspace of the call; gives the query without what named it. */
export async function charge(
  key: Key,
  call: Incoming,
  tenancy: Operation['tenancy'],
  { calls, tokens, handshake }: Cost,
  parts: Parts,
): Promise<string> {
  const { trace } = call
  const { workspaceId, query, fault } = placeOf(key, tenancy, call.query, call.headers['x-workspace-id'], Date.now())
  trace.workspaceId = workspaceId
  const { quota, violated, retryAfterSeconds } = await parts.limits.take({ keyId: key.id, workspaceId }, tokens)
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

/** For a call that turns out to be several, one of which was counted when it came. */
export async function chargeItems(items: number, tokens: Tokens, call: Incoming, parts: Parts): Promise<void> {
  await chargeMore(tokens, call, parts)
  if (items > 1) use(call.trace.keyId ?? '', items - 1, call, parts)
}

type Tokens = { readonly taken: number; readonly needed: number }

/** For a call that needs more than was taken when it came. Refused, it has cost nothing. */
export async function chargeMore({ taken, needed }: Tokens, { trace }: Incoming, { limits }: Parts): Promise<void> {
  const { keyId, workspaceId } = trace
  if (needed <= taken || keyId === null) return
  const holder = { keyId, workspaceId }
  const { quota, violated, retryAfterSeconds } = await limits.take(holder, needed - taken)
  trace.quota = violated.length === 0 ? quota : await limits.giveBack(holder, taken)
  if (violated.length > 0) throw rateLimited(violated, retryAfterSeconds)
}

/** For a call that needed less than was taken when it came. */
export function giveBack({ taken, needed }: Tokens, { trace }: Incoming, { limits }: Parts): void {
  const { keyId, workspaceId } = trace
  if (taken > needed && keyId !== null) void limits.giveBack({ keyId, workspaceId }, taken - needed)
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
