// All that is under way to the service, and what keeps one caller from holding it up for others: bodies are read before
// a slot is taken, slots are shared, and who neither sends nor reads is cut off.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '#contract/principal.ts'
import type { Body } from './lazy-body.ts'
import { bodyOf } from './request-body.ts'
import { serviceSlots } from './slots.ts'
import { endWhenStalled } from './stall.ts'
import { openWatch } from './watch.ts'

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
  /** The whole of a body of up to `readBytesMax`; a larger one is opened later. Rejects when the caller leaves. */
  bodyOf(request: IncomingMessage, bytesMax: number, readBytesMax?: number): Promise<Body>
  /** Waits for a slot, which is held until the response is closed. */
  enter(principal: Principal, left: AbortSignal, request: IncomingMessage, response: ServerResponse): Promise<void>
  inUse(): number
  /** Calls wait, and none that is under way has ended for a while. */
  isStuck(): boolean
  close(): void
}

export const standardWaits: Waits = { slotMs: 5_000, stalledMs: 30_000, bodyWindowMs: 5_000, stuckMs: 5_000 }
const smallBodyBytesMax = 64 * 1024
const lookEveryMsMax = 1_000

export function openTraffic({ slotMs, stalledMs, bodyWindowMs, stuckMs }: Waits): Traffic {
  const slots = serviceSlots(slotMs)
  const watch = openWatch(Math.min(lookEveryMsMax, stalledMs / 4, bodyWindowMs / 4))
  return {
    bodyOf: (request, bytesMax, readBytesMax = smallBodyBytesMax) =>
      bodyOf(request, bytesMax, readBytesMax, { watch, windowMs: bodyWindowMs }),
    enter: async (principal, left, request, response) => {
      await slots.hold(principal, left, response)
      endWhenStalled(watch, request.socket, response, stalledMs)
    },
    inUse: slots.inUse,
    isStuck: () => slots.stuckForMs() >= stuckMs,
    close: watch.close,
  }
}
