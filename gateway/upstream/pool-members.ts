// The addresses that the pool knows, with the health of each: the one place where it changes, and where what follows
// from a change is done. What is learnt is judged by gateway/upstream/address-health.ts, who is slow by
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
import type { Address } from './dns-resolution.ts'
import { isFarSlower, isUsable } from './address-selection.ts'

export type Member = {
  readonly address: Address
  readonly health: Health
  /** Run when the address is dead while another one is usable. */
  readonly lost: Set<() => void>
}
export type Members = {
  all(): Member[]
  /** Keeps what is known of those that stay. */
  become(addresses: readonly Address[]): void
  probed(member: Member, result: ProbeResult): void
  called(member: Member, result: CallResult): void
}
type Known = { -readonly [P in keyof Member]: Member[P] }

export function membersOf(log: Log, now: () => number): Members {
  const known = new Map<string, Known>()
  const all = (): Member[] => [...known.values()]
  const healthsBeside = ({ address }: Member): Health[] =>
    all().flatMap((other) => (other.address === address ? [] : [other.health]))

  function become(addresses: readonly Address[]): void {
    const found = new Set(addresses.map(({ origin }) => origin))
    for (const origin of known.keys()) if (!found.has(origin)) known.delete(origin)
    for (const address of addresses) {
      if (!known.has(address.origin)) known.set(address.origin, { address, health: unproven, lost: new Set() })
    }
  }

  function learn(member: Known, health: Health): void {
    const before = member.health
    member.health = health
    if (before.rotation === health.rotation) return
    report(member.address, before, health, log)
    giveUpOnTheDead()
  }

  /** Whoever waits for an answer of a dead address may go elsewhere, once there is somewhere to go. */
  function giveUpOnTheDead(): void {
    if (!all().some(({ health }) => isUsable(health, now()))) return
    for (const { health, lost } of all()) {
      if (!isDead(health)) continue
      for (const cancel of lost) cancel()
      lost.clear()
    }
  }

  function probed(member: Member, result: ProbeResult): void {
    const isNeeded = !healthsBeside(member).some((health) => isUsable(health, now()))
    learn(member, afterProbe(member.health, result, now(), isNeeded))
    if (!isFarSlower(member.health, healthsBeside(member), now())) return
    const { probeMs } = member.health
    log.warn({ service: member.address.origin, probeMs }, 'service is far slower than the others: ejected for a while')
    learn(member, ejected(member.health, now()))
  }

  function called(member: Member, result: CallResult): void {
    learn(member, afterCall(member.health, result))
    if (member.health.callsFailedInARow < callFailuresUntilEjected || !isUsable(member.health, now())) return
    if (!healthsBeside(member).some((health) => isUsable(health, now()))) return
    log.warn({ service: member.address.origin }, 'calls to the service fail one after the other: ejected for a while')
    learn(member, ejected(member.health, now()))
  }
  return { all, become, probed, called }
}

/** What operators should know of: an address that goes, and one that comes back. */
function report({ origin: service }: Address, { rotation: before }: Health, { rotation }: Health, log: Log): void {
  const was = before.kind === 'out' ? before.reason : null
  const is = rotation.kind === 'out' ? rotation.reason : null
  if (was === is) return
  if (is === 'signature_refused') log.error({ service }, 'service refuses our signature: INTERNAL_SECRET differs')
  else if (is !== null) log.warn({ service, reason: is }, 'service is out of rotation')
  else if (was !== 'unproven') log.info({ service }, 'service is in rotation again')
}
