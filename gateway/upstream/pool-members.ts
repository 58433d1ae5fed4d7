// The addresses of the pool with the health of each: the one place where health changes, and where what follows from a
// change is done. What a result means is decided by gateway/upstream/address-health.ts, and which address is slow by
// gateway/upstream/address-selection.ts.
import type { Log } from '#runtime/log.ts'
import {
  afterCall,
  afterProbe,
  callFailuresUntilEjected,
  ejected,
  isDead,
  unproven,
  type CallResult,
  type Health,
  type ProbeResult,
} from './address-health.ts'
import { countCall, emptyWindow, failsOften, type CallWindow } from './call-window.ts'
import type { ServiceAddress } from './dns-resolution.ts'
import { isFarSlower, isUsable } from './address-selection.ts'
import { cancelAll, type WaitingCall } from './waiting-calls.ts'

export type Member = {
  readonly address: ServiceAddress
  readonly health: Health
  readonly window: CallWindow
  /** Calls that wait for its answer. */
  readonly waiting: WaitingCall[]
}
export type PoolMembers = {
  all(): Member[]
  /** Those that stay keep their health. */
  setAddresses(addresses: readonly ServiceAddress[]): void
  recordProbe(member: Member, result: ProbeResult): void
  recordCall(member: Member, result: CallResult): void
}
type MutableMember = { -readonly [P in keyof Member]: Member[P] }

export function membersOf(log: Log, now: () => number): PoolMembers {
  const known = new Map<string, MutableMember>()
  const all = (): Member[] => [...known.values()]
  const healthOfOthers = ({ address }: Member): Health[] =>
    all().flatMap((other) => (other.address === address ? [] : [other.health]))

  function setAddresses(addresses: readonly ServiceAddress[]): void {
    const found = new Set(addresses.map(({ origin }) => origin))
    for (const origin of known.keys()) if (!found.has(origin)) known.delete(origin)
    for (const address of addresses) {
      if (!known.has(address.origin))
        known.set(address.origin, { address, health: unproven, window: emptyWindow(now()), waiting: [] })
    }
  }

  function update(member: MutableMember, health: Health): void {
    const before = member.health
    member.health = health
    if (before.rotation === health.rotation) return
    logRotation(member.address, before, health, log)
    cancelCallsToDead()
  }

  /** Calls that wait for an answer of a dead address may be repeated elsewhere, once another address is usable. */
  function cancelCallsToDead(): void {
    if (!all().some(({ health }) => isUsable(health, now()))) return
    for (const { health, waiting } of all()) if (isDead(health)) cancelAll(waiting)
  }

  function recordProbe(member: Member, result: ProbeResult): void {
    const isNeeded = !healthOfOthers(member).some((health) => isUsable(health, now()))
    update(member, afterProbe(member.health, result, now(), isNeeded))
    if (!isFarSlower(member.health, healthOfOthers(member), now())) return
    const { probeMs } = member.health
    log.warn({ service: member.address.origin, probeMs }, 'service is far slower than the others: ejected for a while')
    update(member, ejected(member.health, now()))
  }

  function recordCall(member: Member, result: CallResult): void {
    countCall(member.window, result !== 'answered', now())
    update(member, afterCall(member.health, result))
    const { health, window } = member
    if (health.callsFailedInARow < callFailuresUntilEjected && !failsOften(window)) return
    if (!isUsable(health, now()) || !healthOfOthers(member).some((other) => isUsable(other, now()))) return
    log.warn({ service: member.address.origin }, 'too many calls to the service fail: ejected for a while')
    update(member, ejected(health, now()))
    Object.assign(window, emptyWindow(now()))
  }
  return { all, setAddresses, recordProbe, recordCall }
}

/** An address that leaves rotation, and one that comes back. */
function logRotation(
  { origin: service }: ServiceAddress,
  { rotation: before }: Health,
  { rotation }: Health,
  log: Log,
): void {
  const was = before.kind === 'out' ? before.reason : null
  const is = rotation.kind === 'out' ? rotation.reason : null
  if (was === is) return
  if (is === 'signature_refused') log.error({ service }, 'service refuses our signature: INTERNAL_SECRET differs')
  else if (is !== null) log.warn({ service, reason: is }, 'service is out of rotation')
  else if (was !== 'unproven') log.info({ service }, 'service is in rotation again')
}
