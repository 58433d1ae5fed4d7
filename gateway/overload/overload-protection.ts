// Overload protection keeps one caller from holding up the service for others: bodies are read before a slot is taken,
// slots are shared, memory is bounded, and callers that neither send nor read are cut off.
import type { IncomingMessage } from 'node:http'
import type { Server } from 'node:net'
import { bodyBytesPerCall } from '#contract/rate-limits.ts'
import type { AddressRange } from '#runtime/ip-address.ts'
import type { MaybePromise } from '#runtime/maybe-promise.ts'
import { callsPerAddress, type CallerBounds, type EnterCall } from './address-limits.ts'
import { bodyMemory, type BodyMemory, bodyOf, type Body, type BodyBounds } from './request-bodies.ts'
import { callSlots, ofTransfers, type CallSlots } from './concurrent-calls-limit.ts'
import { openStreamsLimit, type OpenStreams } from './open-streams-limit.ts'
import { openSharedTimer, endStalled } from './slow-callers.ts'

export type Waits = {
  /** For a slot. */
  readonly slotMs: number
  /** Until an answer is given up of which the caller takes nothing more. */
  readonly stalledMs: number
  /** Over which the rate of a large body is measured. */
  readonly bodyWindowMs: number
  /** Without a slot coming free while calls wait, until a balancer should prefer other gateways. */
  readonly stuckMs: number
}
export type OverloadProtection = {
  /** Called first of all, for a call with a key. */
  readonly enterCall: EnterCall
  /** Returns what is to be called with the size of each piece of the caller's body; that throws when it is too much. */
  countBytes: BodyMemory['countBytes']
  readonly bodyBytesHeld: BodyMemory['held']
  /** Rejects when the caller disconnects. */
  bodyOf(request: IncomingMessage, bounds: BodyBounds): MaybePromise<Body>
  /** Waits for a slot, if it must. It is held until the response closes or the returned function is called. */
  readonly takeSlot: CallSlots['take']
  /** The same for an upload or a download. */
  readonly takeTransfer: CallSlots['take']
  /** For what lasts as long as its caller likes, in place of a slot. */
  readonly streams: OpenStreams
  /** Ends every answer that the caller does not read, whichever part gives it. */
  watchConnections(server: Server): void
  /** Calls wait, and none that is under way has ended for a while. */
  isStuck(): boolean
  readonly slotUsage: CallSlots['usage']
  close(): void
}

export const defaultWaits: Waits = { slotMs: 10_000, stalledMs: 30_000, bodyWindowMs: 5_000, stuckMs: 5_000 }
/** Of bodies that are read before their call takes a slot: one that costs no more than one token is small. */
export const smallBodyBytesMax = bodyBytesPerCall
const timerEveryMsMax = 1_000

export function openOverloadProtection(
  { slotMs, stalledMs, bodyWindowMs, stuckMs }: Waits,
  bounds: CallerBounds,
  trustedProxies: readonly AddressRange[],
): OverloadProtection {
  const slots = callSlots(slotMs)
  const transfers = callSlots(slotMs, ofTransfers)
  const memory = bodyMemory()
  const timer = openSharedTimer(Math.min(timerEveryMsMax, stalledMs / 4, bodyWindowMs / 4))
  return {
    enterCall: callsPerAddress(bounds, trustedProxies),
    countBytes: memory.countBytes,
    bodyBytesHeld: memory.held,
    bodyOf: (request, bounds) => bodyOf(request, bounds, { timer, windowMs: bodyWindowMs }),
    takeSlot: slots.take,
    takeTransfer: transfers.take,
    streams: openStreamsLimit(),
    watchConnections: (server) => endStalled(timer, server, stalledMs),
    slotUsage: slots.usage,
    isStuck: () => slots.stuckForMs() >= stuckMs,
    close: timer.close,
  }
}
