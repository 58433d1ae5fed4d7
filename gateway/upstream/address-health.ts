// The health of one address of the service, what each probe and each call teaches about it, and which addresses get
// calls. Pure: the pool (gateway/upstream/address-pool.ts) probes, stores and acts.
//
// Probes decide: two without an answer take an address out of rotation, as does a single answer that says "not ready"
// or "your signature is wrong". Calls help: a refused connection counts like a failed probe, and an address whose calls
// fail one after the other although its probes are well is ejected for a while.
/** `ready` is 200. `not_ready` is any other answer, `signature_refused` 401. `unanswered`: late, or broken off. */
export type ProbeResult =
  | { readonly kind: 'ready'; readonly ms: number }
  | { readonly kind: 'not_ready' | 'signature_refused' | 'unreachable' | 'unanswered' }

/** `unreachable`: it took no connection. `failed`: a connection was there, but no answer came, or not in time. */
export type CallResult = 'answered' | 'unreachable' | 'failed'

/** `unproven`: no probe has found it ready yet. */
type OutReason = 'unproven' | Exclude<ProbeResult['kind'], 'ready'>

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
  rotation: { kind: 'out', reason: 'unproven' },
  readyInARow: 0,
  failedInARow: 0,
  callsFailedInARow: 0,
  probeMs: null,
  lastReadyAt: -Infinity,
  ejections: 0,
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
  ...health,
  rotation: { kind: 'out', reason },
  readyInARow: 0,
  probeMs: null,
})

/**
 * How the calls to one address went lately, counted anew every ten seconds. Half of twenty are too many failures, also
 * where they do not come one after the other.
 */
export type CallWindow = { since: number; calls: number; failed: number }

const windowMs = 10_000
export const callsUntilJudged = 20
const failedShareMax = 0.5

export const emptyWindow = (now: number): CallWindow => ({ since: now, calls: 0, failed: 0 })

/** Changes the window: it is called for every call. */
export function countCall(window: CallWindow, isFailed: boolean, now: number): void {
  if (now - window.since >= windowMs) Object.assign(window, emptyWindow(now))
  window.calls += 1
  if (isFailed) window.failed += 1
}

export const failsOften = ({ calls, failed }: CallWindow): boolean =>
  calls >= callsUntilJudged && failed >= calls * failedShareMax

/** An address that has come into rotation gets its full share only after this time: it may be cold, or still fail. */
export const slowStartMs = 5_000
const shareMin = 0.1

/** Far slower than the others: by both of these. */
const slowFactor = 5
const slowByMs = 200
/** An address whose last good probe is older is not compared with. */
const recentMs = 1_500

/**
 * Returns those in rotation; without any, those that are ejected; without these, all that may answer in spite of what
 * their probes say. A service that does not know our signature can answer nothing.
 */
export function candidates<T extends { readonly health: Health }>(members: readonly T[], now: number): T[] {
  const usable = members.filter(({ health }) => isUsable(health, now))
  if (usable.length > 0) return usable
  const ejected = members.filter(({ health }) => health.rotation.kind === 'in')
  if (ejected.length > 0) return ejected
  return members.filter(
    ({ health: { rotation } }) => rotation.kind === 'out' && rotation.reason !== 'signature_refused',
  )
}

export const isUsable = ({ rotation }: Health, now: number): boolean => rotation.kind === 'in' && rotation.from <= now

/** More than 0, at most 1. */
export function shareOf({ rotation }: Health, now: number): number {
  if (rotation.kind === 'out') return 1
  return Math.min(1, Math.max(shareMin, (now - rotation.from) / slowStartMs))
}

/**
 * By probes alone: all of them ask the same, while callers decide how long their own calls take, and must not be able
 * to have an address ejected. Never true when no other address would be left.
 */
export function isFarSlower(health: Health, others: readonly Health[], now: number): boolean {
  if (!isUsable(health, now) || health.probeMs === null) return false
  const usual = median(
    others.filter((other) => isUsable(other, now) && isRecent(other, now)).map(({ probeMs }) => probeMs),
  )
  return usual !== null && health.probeMs > Math.max(usual * slowFactor, usual + slowByMs)
}

const isRecent = ({ lastReadyAt, failedInARow }: Health, now: number): boolean =>
  failedInARow === 0 && now - lastReadyAt < recentMs

/** Of an even number, the lower one of the middle two; null without any. */
function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  return known[Math.floor((known.length - 1) / 2)] ?? null
}

/** What the gateway's `/ready` says of the services behind it. */
export type PoolReadiness = {
  readonly isReady: boolean
  readonly known: number
  readonly usable: number
  /** Null when it is ready. */
  readonly why: string | null
}

/** How many addresses are in each state; all states are named. */
export type AddressStates = Readonly<Record<'usable' | 'ejected' | OutReason, number>>

/**
 * Where the machine is busy, a probe comes too late although all is well; and a service that is about to stop still
 * serves while its successor comes in. Calls are tried all the same: only after this time without one good probe is the
 * gateway not ready.
 */
export const graceMs = 5_000

const reasons: readonly (readonly [OutReason, string])[] = [
  ['signature_refused', 'A service refuses this gateway’s signature: INTERNAL_SECRET differs.'],
  ['not_ready', 'The services say that they are not ready.'],
  ['unanswered', 'The services do not answer in time.'],
  ['unreachable', 'No service takes a connection.'],
  ['unproven', 'No service has answered yet.'],
]

export function readinessOf(healths: readonly Health[], now: number): PoolReadiness {
  const usable = healths.filter((health) => isUsable(health, now)).length
  const isReady = healths.some((health) => health.rotation.kind === 'in' || isInGrace(health, now))
  return { isReady, known: healths.length, usable, why: isReady ? null : whyNot(healths) }
}

export function statesOf(healths: readonly Health[], now: number): AddressStates {
  const states = {
    usable: 0,
    ejected: 0,
    unproven: 0,
    not_ready: 0,
    signature_refused: 0,
    unreachable: 0,
    unanswered: 0,
  }
  for (const { rotation } of healths)
    states[rotation.kind === 'out' ? rotation.reason : rotation.from <= now ? 'usable' : 'ejected']++
  return states
}

const isInGrace = ({ rotation, lastReadyAt }: Health, now: number): boolean =>
  rotation.kind === 'out' &&
  (rotation.reason === 'unanswered' || rotation.reason === 'not_ready') &&
  now - lastReadyAt < graceMs

function whyNot(healths: readonly Health[]): string {
  const found = new Set(healths.map(({ rotation }) => (rotation.kind === 'out' ? rotation.reason : null)))
  return reasons.find(([reason]) => found.has(reason))?.[1] ?? 'No address of a service is known: no name was resolved.'
}
