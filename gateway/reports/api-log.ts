// The calls of keys, for the service to keep as the API log of their workspaces: one small record of each that the
// budget of its workspace has room for, gathered here and reported about every second. A call that is left out costs a
// look-up and some additions; nothing waits for a report, and what finds no room is dropped and counted.
import { callMethods, callPathLengthMax } from '#contract/api-calls.ts'
import { callsPerReportMax, detailOf, noOutcome, readOutcome, type ReportedCall } from '#contract/internal/api-calls.ts'
import type { Surface } from '#contract/surface.ts'
import { addressText } from '#runtime/ip-address.ts'
import { maskedText } from '#runtime/log.ts'
import { isId, pathOf } from '../request/request-head.ts'
import type { FinishedRequest } from '../request/request-log.ts'
import { bufferedReporter, type Report } from './buffered-reporter.ts'
import { CallSampler, type CallBudgets } from './call-budget.ts'

export type ApiLog = {
  record(request: FinishedRequest, route: LoggedRoute): void
  flush(): Promise<void>
  close(): Promise<void>
  /** Since the start: what no workspace had room for by its budget, and what found no room on its way. */
  stats(): { readonly leftOut: number; readonly dropped: number }
}
/** `changes`: its method does. What a tool of MCP does is in the context of its call. */
type LoggedRoute = { readonly operation: string; readonly surface: string; readonly changes: boolean }

const reportEveryMs = 1_000
/** About 12 MB of records. */
const heldMax = 20_000

export function openApiLog(
  report: (report: Report<ReportedCall>) => Promise<void>,
  on: { error(error: unknown): void; dropped(count: number): void },
  budgets: CallBudgets,
  { everyMs = reportEveryMs, maxHeld = heldMax, now = () => Date.now() } = {},
): ApiLog {
  const sampler = new CallSampler(budgets)
  const reporter = bufferedReporter<ReportedCall>({
    // No two calls are one.
    keyOf: (call) => call as never,
    combine: (_earlier, later) => later,
    report,
    onError: on.error,
    onDropped: on.dropped,
    maxHeld,
    maxPerReport: callsPerReportMax,
    intervalMs: everyMs,
  })

  function record(request: FinishedRequest, route: LoggedRoute): void {
    const { keyId, workspaceId } = request.context
    const { surface } = route
    // Neither the settings nor what needs no key.
    if (keyId === null || (surface !== 'http' && surface !== 'mcp')) return
    const isRead = isDone(request) && !(route.changes || request.context.toolChanges)
    // Whoever follows the log would otherwise read of nothing else.
    if (isRead && route.operation.startsWith('requests.')) return
    const at = now()
    const leftOut = sampler.take(workspaceId ?? keyId, isRead, at)
    if (leftOut !== null) reporter.add(recordOf(request, { keyId, surface, isRead, leftOut, route, at }))
  }
  const stats = () => ({ leftOut: sampler.leftOut, dropped: reporter.dropped() })
  return { record, flush: reporter.flush, close: reporter.close, stats }
}

const isDone = ({ status, context }: FinishedRequest): boolean =>
  status < 400 && (context.outcome === null || readOutcome(context.outcome).code === null)

type Kept = {
  readonly keyId: string
  readonly surface: Surface
  readonly isRead: boolean
  readonly leftOut: number
  readonly route: LoggedRoute
  readonly at: number
}

function recordOf(request: FinishedRequest, { keyId, surface, isRead, leftOut, route, at }: Kept): ReportedCall {
  const { context, fault, code, status } = request
  const { path, id } = placeOf(request)
  const told = context.outcome === null ? noOutcome : readOutcome(context.outcome)
  const detail = fault === null ? told.detail : detailOf(fault)
  return {
    keyId,
    workspaceId: context.workspaceId,
    at: new Date(at - request.ms).toISOString(),
    method: callMethods.find((method) => method === request.method) ?? 'GET',
    path,
    operation: context.tool ?? route.operation,
    surface,
    isRead,
    status,
    ms: Math.round((request.ownMs + (request.upstreamMs ?? 0)) * 10) / 10,
    ip: context.address === null ? null : addressText(context.address),
    // The caller words it: a token in it does not get through.
    requestId: maskedText(context.requestId),
    objectId: context.objectId ?? told.objectId ?? id,
    code: code ?? told.code,
    detail: detail === null ? null : maskedText(detail),
    leftOut,
  }
}

/** Such as WEB-42. */
const key = /^[a-z]{2,10}-[1-9]\d{0,9}$/i

/**
 * The path by its template: only what is an id, or a key of this form, comes from the caller, who may have put a secret
 * anywhere else. `id`: the last one.
 */
function placeOf({ route, url }: Pick<FinishedRequest, 'route' | 'url'>): { path: string; id: string | null } {
  if (!route.includes('{')) return { path: route, id: null }
  const sent = pathOf(url).split('/')
  let id: string | null = null
  const path = route.split('/').map((segment, place) => {
    const given = sent[place] ?? ''
    if (!segment.startsWith('{')) return segment
    if (isId(given)) return (id = given.toLowerCase())
    return key.test(given) ? given : segment
  })
  return { path: path.join('/').slice(0, callPathLengthMax), id }
}
