// What the service refuses by itself is written after the answer, which it neither delays nor fails. Equal refusals that
// wait together are counted in one; what does not fit the bound is counted and logged.
import type { Fault, FaultCode } from '#contract/fault.ts'
import type { Operation } from '#contract/operation.ts'
import { denialsPerReportMax, type Denial, type Principal } from '#contract/principal.ts'
import type { Part } from '#runtime/process.ts'

const denying = new Set<FaultCode>(['insufficient_scope', 'workspace_not_allowed'])

/** The refusal of a key's call as a denial; null where it is none, or the caller no key. */
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
  const waiting = new Map<string, Denial>()
  let writing: Promise<void> = Promise.resolve()
  let scheduled = false

  const flush = async (): Promise<void> => {
    scheduled = false
    const denials = [...waiting.values()]
    waiting.clear()
    await write(denials).catch((error: unknown) => lost(denials.length, error))
  }
  return {
    add(denial) {
      const { requestId: _requestId, at: _at, count, ...kind } = denial
      const name = JSON.stringify(kind)
      const before = waiting.get(name)
      if (before === undefined && waiting.size >= denialsPerReportMax) return lost(count)
      waiting.set(name, before === undefined ? denial : { ...before, count: before.count + count })
      if (scheduled) return
      scheduled = true
      writing = writing.then(flush)
    },
    close: () => writing,
  }
}
