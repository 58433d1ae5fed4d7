// Calls that the service itself denies are written to the audit log after the answer, which they neither delay nor fail.
// Equal ones that wait together become one with a count; those beyond the bound are dropped and told to `lost`.
import type { Fault } from '#contract/fault.ts'
import type { FaultCode } from '#contract/fault-codes.ts'
import type { Operation } from '#contract/operation.ts'
import { deniedCallsPerReportMax, type DeniedCall } from '#contract/internal/gateway-reports.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { batcher } from '#runtime/batcher.ts'
import type { Part } from '#runtime/process.ts'

const denying = new Set<FaultCode>(['insufficient_scope', 'workspace_not_allowed'])

/** Returns null when the fault is no denial, or the caller is no API key. */
export function denialOf({ code }: Fault, { name }: Operation, principal: Principal, now: Date): DeniedCall | null {
  const { kind, surface, id: keyId, workspaceId, requestId, clientAddress, userAgent = null } = principal
  if (!denying.has(code) || kind !== 'api_key' || (surface !== 'http' && surface !== 'mcp')) return null
  const ip = clientAddress === '' ? null : clientAddress
  return {
    ...{ keyId, workspaceId, code, operation: name, surface, ip, userAgent },
    ...{ requestId, at: now.toISOString(), count: 1 },
  }
}

export type DenialQueue = Part & { add(denial: DeniedCall): void }

type Write = (denials: readonly DeniedCall[]) => Promise<void>
type Lost = (count: number, error?: unknown) => void

export function denialQueue(write: Write, lost: Lost): DenialQueue {
  const queue = batcher<DeniedCall>({
    flush: write,
    start: 'microtask',
    maxWaiting: deniedCallsPerReportMax,
    merge: { keyOf, combine },
    onDropped: (denials) => denials.forEach(({ count }) => lost(count)),
    onError: (error, denials) => {
      lost(denials.length, error)
      return 'drop'
    },
  })
  return { add: (denial) => queue.add(denial), close: queue.flush }
}

const keyOf = ({ requestId: _requestId, at: _at, count: _count, ...kind }: DeniedCall): string => JSON.stringify(kind)

const combine = (earlier: DeniedCall, later: DeniedCall): DeniedCall => ({
  ...earlier,
  count: earlier.count + later.count,
})
