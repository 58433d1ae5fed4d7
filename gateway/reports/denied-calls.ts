// Denied calls of known keys, for the service's audit log. Equal ones are one entry with a count.
import { Fault, type FaultCode } from '#contract/faults/fault.ts'
import { codeOfRule } from '#contract/key-policy.ts'
import type { Operation } from '#contract/operation.ts'
import type { DeniedCall } from '#contract/internal/reports.ts'
import type { Surface } from '#contract/surface.ts'
import { bufferedReporter, type Report } from './buffered-reporter.ts'
import type { IncomingCall } from '../request/request-context.ts'

export type DeniedCalls = {
  /** Takes what was thrown while a call was checked, and keeps it when that denies the call to its key. */
  record(thrown: unknown, asked: CheckedCall): void
  flush(): Promise<void>
  close(): Promise<void>
  /** Kinds of denied calls that went unreported, since the start. */
  dropped(): number
}
type CheckedCall = { readonly call: IncomingCall; readonly surface: Surface; readonly operation: Operation | null }

const flushEveryMs = 1_000
const groupsMax = 5_000
const maxPerReport = 200

/** Neither too many requests nor malformed ones: they say nothing about what the key may do. */
const codes: ReadonlySet<FaultCode> = new Set([
  ...Object.values(codeOfRule),
  ...(['api_key_revoked', 'api_key_expired', 'api_key_suspended', 'api_key_has_no_scopes'] as const),
  ...(['ip_not_allowed', 'surface_not_allowed', 'insufficient_scope'] as const),
  ...(['workspace_not_allowed', 'workspace_suspended'] as const),
])

export function openDeniedCalls(
  report: (report: Report<DeniedCall>) => Promise<void>,
  on: { error(error: unknown): void; dropped(count: number): void },
): DeniedCalls {
  const { add, flush, close, dropped } = bufferedReporter<DeniedCall>({
    keyOf: groupOf,
    combine,
    report,
    onError: on.error,
    onDropped: on.dropped,
    maxHeld: groupsMax,
    maxPerReport,
    intervalMs: flushEveryMs,
  })
  const record: DeniedCalls['record'] = (thrown, asked) => {
    const denial = thrown instanceof Fault && codes.has(thrown.code) ? denialOf(thrown.code, asked) : null
    if (denial !== null) add(denial)
  }
  return { record, flush, close, dropped }
}

function denialOf(code: FaultCode, { call, surface, operation }: CheckedCall): DeniedCall | null {
  const { keyId, workspaceId, requestId } = call.context
  if (keyId === null) return null
  return {
    keyId,
    workspaceId,
    code,
    operation: operation?.name ?? null,
    surface,
    ip: call.address?.toString() ?? null,
    userAgent: call.headers['user-agent']?.slice(0, 200) ?? null,
    requestId,
    at: new Date().toISOString(),
    count: 1,
  }
}

const groupOf = ({ keyId, workspaceId, code, operation, surface, ip }: DeniedCall): string =>
  [keyId, workspaceId, code, operation, surface, ip].join(' ')

const combine = (earlier: DeniedCall, later: DeniedCall): DeniedCall => ({
  ...earlier,
  count: earlier.count + later.count,
})
