// All that is under way to the service, and what keeps one caller from holding it up for others: bodies are read before
// a slot is taken, slots are shared, and who neither sends nor reads is cut off.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyBytesPerCall } from '#contract/size-limits.ts'
import type { Principal } from '#contract/principal.ts'
import { heldBytes, type HeldBytes } from './body-memory-limit.ts'
import type { Body } from './lazy-body.ts'
import { bodyOf, type Reading } from './forward-body.ts'
import { serviceSlots } from './concurrent-calls-limit.ts'
import { endWhenStalled } from './stalled-response.ts'
import { openWatch } from './shared-timer.ts'

export type Waits = {
  /** For a slot. */
  readonly slotMs: number
  /** Until an answer is given up of which the caller takes nothing more. */
  readonly stalledMs: number
  /** Over which the rate of a large body is judged. */
  readonly bodyWindowMs: number
  /** Without a slot coming free while calls wait, until a balancer should prefer other gateways. */
  readonly stuckMs: number
}
export type Traffic = {
  /** Told of what is read of the caller's body; throws where that is too much. */
  holder: HeldBytes['holder']
  /** Rejects when the caller leaves. */
  bodyOf(request: IncomingMessage, reading: Reading): Promise<Body>
  /** Waits for a slot, which is held until the response is closed, or what is given back is called. */
  enter(principal: Principal, left: AbortSignal, response: ServerResponse): Promise<() => void>
  /** Sees to it that an answer ends, whoever gives it. */
  watchAnswer(request: IncomingMessage, response: ServerResponse): void
  /** Calls wait, and none that is under way has ended for a while. */
  isStuck(): boolean
  close(): void
}

export const standardWaits: Waits = { slotMs: 10_000, stalledMs: 30_000, bodyWindowMs: 5_000, stuckMs: 5_000 }
/** Of bodies that are read before their call takes a slot: none that takes more than one token is large. */
export const smallBodyBytesMax = bodyBytesPerCall
const lookEveryMsMax = 1_000

export function openTraffic({ slotMs, stalledMs, bodyWindowMs, stuckMs }: Waits): Traffic {
  const slots = serviceSlots(slotMs)
  const watch = openWatch(Math.min(lookEveryMsMax, stalledMs / 4, bodyWindowMs / 4))
  return {
    holder: heldBytes().holder,
    bodyOf: (request, reading) => bodyOf(request, reading, { watch, windowMs: bodyWindowMs }),
    enter: slots.hold,
    watchAnswer: ({ socket }, response) => endWhenStalled(watch, socket, response, stalledMs),
    isStuck: () => slots.stuckForMs() >= stuckMs,
    close: watch.close,
  }
}
