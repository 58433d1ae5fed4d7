// Denied calls of keys as audit entries: those that gateways report, and those that the service denies itself. The
// latter are queued and written after the answer, which they neither delay nor fail. Equal calls in the queue become
// one with a count; calls beyond its bound are dropped and passed to `onLost`.
import type { FaultCode, Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { deniedCallsPerReportMax, type DeniedCall } from '#contract/internal/reports.ts'
import type { Operation } from '#contract/operation.ts'
import type { Database } from '#prisma/client.ts'
import { batcher } from '#runtime/batcher.ts'
import { newId } from '#runtime/new-id.ts'
import type { Part } from '#runtime/process.ts'
import type { Db } from '../execution/call.ts'
import { countDenials } from './denial-rows.ts'
import { append, auditedKeys, type AuditedKey } from './rows.ts'
import type { Draft } from './rules.ts'

const deniedCodes = new Set<string>(['insufficient_scope', 'workspace_not_allowed'] satisfies FaultCode[])

/** Whether a fault of an operation is recorded as a denied call. */
export const isDenial = (code: string): boolean => deniedCodes.has(code)

/** Returns null for another fault, and for a caller without an API key. */
export function deniedCallOf({ code }: Fault, { name }: Operation, principal: Principal, now: Date): DeniedCall | null {
  const { kind, surface, id: keyId, workspaceId, requestId, clientAddress, userAgent = null } = principal
  if (!isDenial(code) || kind !== 'api_key' || (surface !== 'http' && surface !== 'mcp')) return null
  const ip = clientAddress === '' ? null : clientAddress
  return {
    keyId,
    workspaceId,
    code,
    operation: name,
    surface,
    ip,
    userAgent,
    requestId,
    at: now.toISOString(),
    count: 1,
  }
}

export type DeniedCallQueue = Part & { add(call: DeniedCall): void; size(): number }

type Write = (calls: readonly DeniedCall[]) => Promise<void>
type OnLost = (count: number, error?: unknown) => void

export function deniedCallQueue(write: Write, onLost: OnLost): DeniedCallQueue {
  const queue = batcher<DeniedCall>({
    flush: write,
    start: 'microtask',
    maxWaiting: deniedCallsPerReportMax,
    merge: { keyOf, combine },
    onDropped: (calls) => calls.forEach(({ count }) => onLost(count)),
    onError: (error, calls) => {
      onLost(calls.length, error)
      return 'drop'
    },
  })
  return { add: (call) => queue.add(call), size: queue.size, close: queue.flush }
}

const keyOf = ({ requestId: _requestId, at: _at, count: _count, ...kind }: DeniedCall): string => JSON.stringify(kind)

const combine = (earlier: DeniedCall, later: DeniedCall): DeniedCall => ({
  ...earlier,
  count: earlier.count + later.count,
})

/** Writes all or none, in a transaction of its own. */
export const recordDeniedCalls = (db: Database, calls: readonly DeniedCall[]): Promise<void> =>
  db.$transaction((tx) => recordDeniedCallsIn(tx, calls))

/** Skips calls of keys that no longer exist. */
export async function recordDeniedCallsIn(tx: Db, calls: readonly DeniedCall[]): Promise<void> {
  const keys = await auditedKeys(tx, [...new Set(calls.map(({ keyId }) => keyId))], new Date())
  const known = new Map(keys.map((key) => [key.id, key]))
  const ofKnown = calls.flatMap(({ keyId, count }) => {
    const key = known.get(keyId)
    return key === undefined ? [] : [{ workspaceId: key.workspaceId, apiKeyId: key.id, count }]
  })
  if (ofKnown.length > 0) await countDenials(tx, ofKnown)
  const drafts = calls.flatMap((call) => draftOf(call, known.get(call.keyId)) ?? [])
  const byWorkspace = [...Map.groupBy(drafts, ({ workspaceId }) => workspaceId)]
  // Always in the same order, so that two reports cannot deadlock.
  for (const [workspaceId, itsDrafts] of byWorkspace.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await append(tx, workspaceId, itsDrafts)
}

/** Pure. The entry belongs to the workspace of the call if the key may act there, else to the key's own. */
function draftOf(call: DeniedCall, key: AuditedKey | undefined): Draft | null {
  if (key === undefined) return null
  const { workspaceId: asked, operation, surface, at } = call
  const time = new Date(at)
  return {
    id: newId(time),
    workspaceId: asked !== null && key.workspaceIds.includes(asked) ? asked : key.workspaceId,
    at: time.toISOString(),
    actor: { type: 'api_key', id: key.id, name: key.name, keyPrefix: key.prefix },
    action: operation ?? surface,
    surface,
    target: null,
    outcome: 'denied',
    code: call.code,
    ip: call.ip,
    userAgent: call.userAgent,
    requestId: call.requestId,
    changes: {},
    count: call.count,
  }
}
