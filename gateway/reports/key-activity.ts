// How the requests of each key were answered, for the service to show: counts by status, a histogram of latency, counts
// by operation, and the last requests. They are added up here and reported at most once a minute for each key; what a
// report takes is the same however much a key is used.
//
// On the way of every request lie a look-up of its key, a look-up of its operation and some additions. A known key keeps
// its place in the map, and nothing here holds on to a request.
import {
  keysPerActivityReportMax,
  latencyBucketsCount,
  placeOfLatency,
  placeOfStatus,
  statusClasses,
  type KeyActivity,
} from '#contract/internal/reports.ts'
import type { Surface } from '#contract/surface.ts'
import type { FinishedRequest } from '../request/request-log.ts'
import { LastRequests, type Room } from './last-requests.ts'
import { reportLoop, type SendReport } from './report-loop.ts'

export type ActivityCounter = {
  count(request: FinishedRequest, route: CountedRoute): void
  /** Reports all that is held. */
  flush(): Promise<void>
  close(): Promise<void>
}
type CountedRoute = { readonly operation: string; readonly surface: string }

const tellEveryMs = 10_000
const keyEveryMs = 60_000
const forgetAfterMs = 600_000
/** Requests of more keys than this go uncounted until others have been idle for a while. */
const keysMax = 100_000
const requestsHeldMax = 50_000
/** Requests and operations in one report, which keeps it well below the size of a body. */
const entriesPerReportMax = 2_000

export function activityCounter(
  send: SendReport<KeyActivity>,
  on: { error(error: unknown): void; dropped(count: number): void },
  { everyMs = tellEveryMs, maxKeys = keysMax, maxHeld = requestsHeldMax, now = () => Date.now() } = {},
): ActivityCounter {
  const byKey = new Map<string, KeyCounts>()
  const room: Room = { left: maxHeld }
  let dropped = 0

  function count(request: FinishedRequest, { operation, surface }: CountedRoute): void {
    const { keyId, tool } = request.context
    // Neither the settings nor what needs no key.
    if (keyId === null || (surface !== 'http' && surface !== 'mcp')) return
    const counts = byKey.get(keyId) ?? opened(keyId)
    if (counts === null) return void (dropped += 1)
    const ms = request.ownMs + (request.upstreamMs ?? 0)
    const at = now()
    const name = tool ?? operation
    counts.add(request.status, ms, at)
    counts.addOperation(name, surface, request.status >= 400)
    counts.last.write(request, { at: at - request.ms, ms, operation: name, surface })
  }

  function opened(keyId: string): KeyCounts | null {
    if (byKey.size >= maxKeys) return null
    const counts = new KeyCounts(room)
    byKey.set(keyId, counts)
    return counts
  }

  /** Takes what is due out of the counts; keys that have long been idle are forgotten. */
  function* dueAt(toldBefore: number): Generator<KeyActivity> {
    for (const [keyId, counts] of byKey) {
      if (counts.toldAt > toldBefore) continue
      if (counts.until > 0) yield counts.take(keyId, now())
      else if (counts.toldAt <= now() - forgetAfterMs) byKey.delete(keyId)
    }
  }

  const { flush, close } = reportLoop<KeyActivity>({
    ...{ send, onError: on.error, everyMs },
    due: () => reportsOf(dueAt(now() - keyEveryMs)),
    all: () => reportsOf(dueAt(Infinity)),
    beforeFlush: () => {
      if (dropped > 0) on.dropped(dropped)
      dropped = 0
    },
  })
  return { count, flush, close }
}

function* reportsOf(activity: Iterable<KeyActivity>): Generator<KeyActivity[]> {
  let items: KeyActivity[] = []
  let entries = 0
  for (const item of activity) {
    items.push(item)
    entries += item.requests.length + item.operations.length
    if (entries < entriesPerReportMax && items.length < keysPerActivityReportMax) continue
    yield items
    items = []
    entries = 0
  }
  if (items.length > 0) yield items
}

type OperationCount = { requests: number; failed: number }

/** Of one key since it was last reported. */
class KeyCounts {
  readonly last: LastRequests
  #statuses = zeros(statusClasses.length)
  #latency = zeros(latencyBucketsCount)
  /** An operation and a tool may have one name. */
  #operations = noOperations()
  /** When its last request ended; 0: there was none. */
  until = 0
  toldAt = -Infinity

  constructor(room: Room) {
    this.last = new LastRequests(room)
  }

  add(status: number, ms: number, at: number): void {
    this.until = at
    this.#statuses[placeOfStatus(status)]!++
    this.#latency[placeOfLatency(ms)]!++
  }

  addOperation(name: string, surface: Surface, isFailed: boolean): void {
    const ofSurface = this.#operations[surface]
    let counts = ofSurface.get(name)
    if (counts === undefined) ofSurface.set(name, (counts = { requests: 0, failed: 0 }))
    counts.requests += 1
    if (isFailed) counts.failed += 1
  }

  take(keyId: string, toldAt: number): KeyActivity {
    const taken: KeyActivity = {
      ...{ keyId, until: new Date(this.until).toISOString(), statuses: this.#statuses, latency: this.#latency },
      operations: surfaces.flatMap((surface) =>
        [...this.#operations[surface]].map(([operation, counts]) => ({ operation, surface, ...counts })),
      ),
      requests: this.last.take(),
    }
    this.#statuses = zeros(statusClasses.length)
    this.#latency = zeros(latencyBucketsCount)
    this.#operations = noOperations()
    this.until = 0
    this.toldAt = toldAt
    return taken
  }
}

const surfaces = ['http', 'mcp'] as const satisfies readonly Surface[]
const noOperations = (): Record<Surface, Map<string, OperationCount>> => ({ http: new Map(), mcp: new Map() })

const zeros = (length: number): number[] => Array.from({ length }, () => 0)
