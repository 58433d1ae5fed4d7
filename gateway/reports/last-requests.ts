// The last requests of one key, each written over the oldest once there are as many as are kept: a busy key makes no
// objects. What all keys hold together has a bound.
import { keptRequestsMax, type AnsweredRequest } from '#contract/usage.ts'
import type { Surface } from '#contract/surface.ts'
import { addressText, type Address } from '#runtime/ip-address.ts'
import { maskedText } from '#runtime/log.ts'
import type { FinishedRequest } from '../request/request-log.ts'

/** How many more requests may be held, of all keys. */
export type Room = { left: number }
type Answered = {
  readonly at: number
  readonly ms: number
  readonly operation: string
  readonly surface: Surface
}

export class LastRequests {
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
      ...{ at: new Date(at).toISOString(), method, path, operation, surface, status },
      ms: Math.round(ms * 10) / 10,
      ip: address === null ? null : addressText(address),
      // The caller words it: a token in it does not get through.
      ...{ requestId: maskedText(requestId), workspaceId },
    }
  }
}
