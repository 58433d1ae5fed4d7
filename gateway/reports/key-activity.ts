// The activity of each key, for the service to show: how its requests were answered, as counts by status, a histogram
// of latency, counts by operation, and the last requests. They are added up here and reported at most once a minute for
// each key; what a report takes is the same however much a key is used.
//
// On the way of every request lie a look-up of its key, a look-up of its operation and some additions. A known key
// keeps its place in the map, and nothing here holds on to a request.
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
import { reportLoop, type SendReport } from './report-loop.ts'
import { keptRequestsMax, type AnsweredRequest } from '#contract/usage.ts'
import { addressText, type Address } from '#runtime/ip-address.ts'
import { maskedText } from '#runtime/log.ts'

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
    if (counts === null) {
      dropped += 1
      return
    }
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
    send,
    onError: on.error,
    everyMs,
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
      keyId,
      until: new Date(this.until).toISOString(),
      statuses: this.#statuses,
      latency: this.#latency,
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

// The last requests of one key, each written over the oldest once there are as many as are kept: a busy key makes no
// objects. What all keys hold together has a bound.

/** How many more requests may be held, of all keys. */
type Room = { left: number }
type Answered = {
  readonly at: number
  readonly ms: number
  readonly operation: string
  readonly surface: Surface
}

class LastRequests {
  readonly #room: Room
  #slots: Slot[] = []
  /** The place of the slot that was written last, once no new one is made. */
  #last = -1

  constructor(room: Room) {
    this.#room = room
  }

  write(request: FinishedRequest, answered: Answered): void {
    this.#next()?.write(request, answered)
  }

  /** Null for a key that holds none when there is no room any more. */
  #next(): Slot | null {
    if (this.#slots.length < keptRequestsMax && this.#room.left > 0) {
      const slot = new Slot()
      this.#slots.push(slot)
      this.#room.left -= 1
      return slot
    }
    if (this.#slots.length === 0) return null
    this.#last = (this.#last + 1) % this.#slots.length
    return this.#slots[this.#last] ?? null
  }

  /** In no order. */
  take(): AnsweredRequest[] {
    const slots = this.#slots
    this.#slots = []
    this.#last = -1
    this.#room.left += slots.length
    return slots.map((slot) => slot.read())
  }
}

/** A request that is over, without anything that belongs to it alone but its id. */
class Slot {
  at = 0
  ms = 0
  status = 0
  method = ''
  path = ''
  operation = ''
  surface: Surface = 'http'
  address: Address | null = null
  requestId = ''
  workspaceId: string | null = null

  write({ context, method, route, status }: FinishedRequest, { at, ms, operation, surface }: Answered): void {
    this.at = at
    this.ms = ms
    this.status = status
    this.method = method
    this.path = route
    this.operation = operation
    this.surface = surface
    this.address = context.address
    this.requestId = context.requestId
    this.workspaceId = context.workspaceId
  }

  read(): AnsweredRequest {
    const { at, ms, status, method, path, operation, surface, address, requestId, workspaceId } = this
    return {
      at: new Date(at).toISOString(),
      method,
      path,
      operation,
      surface,
      status,
      ms: Math.round(ms * 10) / 10,
      ip: address === null ? null : addressText(address),
      // The caller words it: a token in it does not get through.
      requestId: maskedText(requestId),
      workspaceId,
    }
  }
}
