// Calls that the service itself denies are written to the audit log after the answer, which they neither delay nor fail.
// Equal ones that wait together become one with a count; those beyond the bound are dropped and passed to `onLost`.
import type { Fault, FaultCode } from '#contract/faults/fault.ts'
import type { Operation } from '#contract/operation.ts'
import { deniedCallsPerReportMax, type DeniedCall } from '#contract/internal/reports.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { batcher } from '#runtime/batcher.ts'
import type { Part } from '#runtime/process.ts'

const deniedCodes = new Set<string>(['insufficient_scope', 'workspace_not_allowed'] satisfies FaultCode[])

/** Whether a refusal by an operation is recorded as a denied call. */
export const isDenial = (code: string): boolean => deniedCodes.has(code)

/** Returns null when the fault is of another kind, or the caller is no API key. */
export function deniedCallOf({ code }: Fault, { name }: Operation, principal: Principal, now: Date): DeniedCall | null {
  const { kind, surface, id: keyId, workspaceId, requestId, clientAddress, userAgent = null } = principal
  if (!isDenial(code) || kind !== 'api_key' || (surface !== 'http' && surface !== 'mcp')) return null
  const ip = clientAddress === '' ? null : clientAddress
  return {
    ...{ keyId, workspaceId, code, operation: name, surface, ip, userAgent },
    ...{ requestId, at: now.toISOString(), count: 1 },
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
