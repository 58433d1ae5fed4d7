// What the gateway's `/ready` says of the services behind it, from their health as the pool knows it. Pure.
import type { Health, OutReason } from './address-health.ts'
import { isUsable } from './address-selection.ts'

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
