// Calls that the service itself denies are written to the audit log after the answer, which they neither delay nor fail.
// Equal ones that wait together become one with a count; those beyond the bound are dropped and told to `lost`.
import type { Fault, FaultCode } from '#contract/fault.ts'
import type { Operation } from '#contract/operation.ts'
import { denialsPerReportMax, type Denial, type Principal } from '#contract/principal.ts'
import { batcher } from '#runtime/batcher.ts'
import type { Part } from '#runtime/process.ts'

const denying = new Set<FaultCode>(['insufficient_scope', 'workspace_not_allowed'])

/** Returns null when the fault is no denial, or the caller is no API key. */
export function denialOf({ code }: Fault, { name }: Operation, principal: Principal, now: Date): Denial | null {
  const { kind, surface, id: keyId, workspaceId, requestId, clientAddress, userAgent = null } = principal
  if (!denying.has(code) || kind !== 'api_key' || (surface !== 'http' && surface !== 'mcp')) return null
  const ip = clientAddress === '' ? null : clientAddress
  return {
    ...{ keyId, workspaceId, code, operation: name, surface, ip, userAgent },
    ...{ requestId, at: now.toISOString(), count: 1 },
  }
}

export type DenialQueue = Part & { add(denial: Denial): void }

type Write = (denials: readonly Denial[]) => Promise<void>
type Lost = (count: number, error?: unknown) => void

export function denialQueue(write: Write, lost: Lost): DenialQueue {
  const queue = batcher<Denial>({
    flush: write,
    start: 'microtask',
    maxWaiting: denialsPerReportMax,
    merge: { keyOf, combine },
    onDropped: (denials) => denials.forEach(({ count }) => lost(count)),
    onError: (error, denials) => {
      lost(denials.length, error)
      return 'drop'
    },
  })
  return { add: (denial) => queue.add(denial), close: queue.flush }
}

const keyOf = ({ requestId: _requestId, at: _at, count: _count, ...kind }: Denial): string => JSON.stringify(kind)

const combine = (earlier: Denial, later: Denial): Denial => ({ ...earlier, count: earlier.count + later.count })
