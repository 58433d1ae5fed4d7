// What is known of one address of the service, and what each probe and each call teaches about it. Pure: the pool
// (gateway/upstream/address-pool.ts) probes, stores and acts.
//
// Probes decide: two that find nobody take an address out of rotation, as does a single answer that says "not ready" or
// "your signature is wrong". Calls help: a refused connection counts like a failed probe, and an address whose calls
// fail one after the other although its probes are well is ejected for a while.

/** `ready` is 200. `not_ready` is any other answer, `signature_refused` 401. `unanswered`: late, or broken off. */
export type ProbeResult =
  | { readonly kind: 'ready'; readonly ms: number }
  | { readonly kind: 'not_ready' | 'signature_refused' | 'unreachable' | 'unanswered' }

/** `unreachable`: it took no connection. `failed`: a connection was there, but no answer came, or not in time. */
export type CallResult = 'answered' | 'unreachable' | 'failed'

/** `unproven`: no probe has found it ready yet. */
export type OutReason = 'unproven' | Exclude<ProbeResult['kind'], 'ready'>

/** While `from` is in the future, the address is ejected. Milliseconds of the pool's clock. */
export type Rotation =
  | { readonly kind: 'in'; readonly from: number }
  | { readonly kind: 'out'; readonly reason: OutReason }

export type Health = {
  readonly rotation: Rotation
  readonly readyInARow: number
  readonly failedInARow: number
  readonly callsFailedInARow: number
  /** How long its probes take, smoothed; null until one was answered. */
  readonly probeMs: number | null
  readonly lastReadyAt: number
  /** Those without a long time in rotation between them. */
  readonly ejections: number
}

const failuresUntilOut = 2
const readyUntilIn = 2
export const callFailuresUntilEjected = 5
export const ejectionMs = 5_000
export const ejectionMsMax = 60_000
/** The weight of the newest probe: a single slow one does not make an address slow. */
const smoothing = 0.25

export const unproven: Health = {
  ...{ rotation: { kind: 'out', reason: 'unproven' }, readyInARow: 0, failedInARow: 0, callsFailedInARow: 0 },
  ...{ probeMs: null, lastReadyAt: -Infinity, ejections: 0 },
}

/** `isNeeded`: no other address is usable, so one good probe is enough. */
export function afterProbe(health: Health, result: ProbeResult, now: number, isNeeded = false): Health {
  switch (result.kind) {
    case 'ready':
      return afterReady(health, result.ms, now, isNeeded)
    case 'not_ready':
    case 'signature_refused':
      return takenOut(health, result.kind)
    case 'unreachable':
    case 'unanswered':
      return afterFailure(health, result.kind)
    default:
      return result satisfies never
  }
}

export function afterCall(health: Health, result: CallResult): Health {
  switch (result) {
    case 'answered':
      if (health.failedInARow === 0 && health.callsFailedInARow === 0) return health
      return { ...health, failedInARow: 0, callsFailedInARow: 0 }
    case 'unreachable':
      return afterFailure(health, 'unreachable')
    case 'failed':
      return { ...health, callsFailedInARow: health.callsFailedInARow + 1 }
    default:
      return result satisfies never
  }
}

/** Ejected for longer each time; then the address starts slowly, like one that has come back. */
export function ejected(health: Health, now: number): Health {
  const { rotation } = health
  const longAgo = rotation.kind === 'in' && now - rotation.from > ejectionMsMax
  const ejections = longAgo ? 1 : health.ejections + 1
  const from = now + Math.min(ejectionMs * ejections, ejectionMsMax)
  return { ...health, rotation: { kind: 'in', from }, ejections, callsFailedInARow: 0 }
}

/** Its probes get no connection, or no answer. */
export const isDead = ({ rotation }: Health): boolean =>
  rotation.kind === 'out' && (rotation.reason === 'unreachable' || rotation.reason === 'unanswered')

function afterReady(health: Health, ms: number, now: number, isNeeded: boolean): Health {
  const { rotation, probeMs } = health
  const readyInARow = health.readyInARow + 1
  const smoothed = probeMs === null ? ms : probeMs + (ms - probeMs) * smoothing
  const seen = { ...health, readyInARow, failedInARow: 0, lastReadyAt: now, probeMs: smoothed }
  if (rotation.kind === 'in') return seen
  const enough = isNeeded || rotation.reason === 'unproven' ? 1 : readyUntilIn
  if (readyInARow < enough) return seen
  return { ...seen, rotation: { kind: 'in', from: now }, callsFailedInARow: 0 }
}

function afterFailure(health: Health, reason: OutReason): Health {
  const failedInARow = health.failedInARow + 1
  if (failedInARow < failuresUntilOut) return { ...health, failedInARow, readyInARow: 0 }
  return { ...takenOut(health, reason), failedInARow }
}

/** Probe times from before say nothing about an address that has come back. */
const takenOut = (health: Health, reason: OutReason): Health => ({
  ...{ ...health, rotation: { kind: 'out', reason }, readyInARow: 0, probeMs: null },
})
