// The addresses of the service, probed in the background. Probes decide where calls go, so that no call has to find out
// which address is dead: gateway/upstream/pool-members.ts keeps what is known of each,
// gateway/upstream/address-selection.ts says who gets calls.
import type { Log } from '#runtime/log.ts'
import type { CallResult, ProbeResult } from './address-health.ts'
import { watchNames, type ServiceAddress, type Resolve } from './dns-resolution.ts'
import { candidates, shareOf } from './address-selection.ts'
import { membersOf, type Member, type PoolMembers } from './pool-members.ts'
import type { Prober } from './readiness-probe.ts'
import { readinessOf, statesOf, type AddressStates, type PoolReadiness } from './pool-readiness.ts'
import { retryBudget } from './retry-budget.ts'
import { roundRobin } from './round-robin.ts'
import { addTo, removeFrom, type WaitingCall } from './waiting-calls.ts'

/** A call that is under way to an address. */
export type AddressCall = {
  readonly address: ServiceAddress
  /** Until `stopWaiting`, `cancel` is called when the address is dead while another one is usable. */
  onDead(cancel: () => void): void
  stopWaiting(): void
  ended(result: CallResult): void
}
export type AddressPool = {
  /**
   * Undefined when every address that could be called is among those tried, or too many calls were sent to a second one
   * of late.
   */
  take(tried: ReadonlySet<string>): AddressCall | undefined
  readiness(): PoolReadiness
  states(): AddressStates
  /** Calls that may be sent to a second address now. */
  retriesLeft(): number
  close(): Promise<void>
}
export type AddressPoolDeps = {
  readonly urls: readonly string[]
  readonly resolve: Resolve
  readonly prober: Prober
  readonly log: Log
  readonly timing: Timing
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number
}
export type Timing = { readonly probeEveryMs: number; readonly resolveEveryMs: number }

export const defaultTiming: Timing = { probeEveryMs: 500, resolveEveryMs: 2_000 }
const firstProbesWithinMs = 2_000
const clock = (): number => performance.now()

/** Resolves when every address was probed once, or after two seconds. */
export async function openAddressPool({
  urls,
  resolve,
  prober,
  log,
  timing,
  now = clock,
}: AddressPoolDeps): Promise<AddressPool> {
  const members = membersOf(log, now)
  const { next } = roundRobin<Member>()
  const retries = retryBudget()
  const names = watchNames(urls, resolve, (err, name) => log.warn({ err, name }, 'name not resolved'), now)
  const probeAll = proberOf(prober, members.recordProbe)
  const refresh = (): Promise<void> => names.refresh().then(() => members.setAddresses(names.addresses()))

  const probing = setInterval(() => void probeAll(members.all()), timing.probeEveryMs).unref()
  const resolving = setInterval(() => void refresh(), timing.resolveEveryMs).unref()
  await within(
    firstProbesWithinMs,
    refresh().then(() => probeAll(members.all())),
  )
  const readiness = (): PoolReadiness => readinessOf(healthsOf(members.all()), now())
  const { why } = readiness()
  if (why !== null) log.warn({ services: urls, why }, 'no service is usable yet')

  return {
    take(tried) {
      const untried = members.all().filter(({ address }) => !tried.has(address.origin))
      const open = candidates(untried, now())
      if (tried.size === 0) retries.count()
      else if (open.length > 0 && !retries.take()) return undefined
      const member = next(open, ({ health }) => shareOf(health, now()))
      return member && new CallToMember(member, members.recordCall)
    },
    readiness,
    states: () => statesOf(healthsOf(members.all()), now()),
    retriesLeft: retries.left,
    close: async () => {
      clearInterval(probing)
      clearInterval(resolving)
      await prober.close()
    },
  }
}

const healthsOf = (members: readonly Member[]) => members.map(({ health }) => health)

/**
 * One probe at a time for each address, and the next one at once when it failed but the address may still get calls.
 */
function proberOf({ probe }: Prober, onResult: (member: Member, result: ProbeResult) => void) {
  const probing = new WeakSet<Member>()

  async function probeOne(member: Member): Promise<void> {
    if (probing.has(member)) return
    probing.add(member)
    const result = await probe(member.address)
    probing.delete(member)
    if (result === null) return
    onResult(member, result)
    if (result.kind !== 'ready' && member.health.rotation.kind === 'in') return probeOne(member)
  }
  return async (members: readonly Member[]): Promise<void> => void (await Promise.all(members.map(probeOne)))
}

class CallToMember implements AddressCall, WaitingCall {
  readonly #member: Member
  readonly #record: PoolMembers['recordCall']
  readonly address: ServiceAddress
  place = -1
  cancel = (): void => {}

  constructor(member: Member, record: PoolMembers['recordCall']) {
    this.#member = member
    this.#record = record
    this.address = member.address
  }

  onDead(cancel: () => void): void {
    this.cancel = cancel
    addTo(this.#member.waiting, this)
  }

  stopWaiting(): void {
    removeFrom(this.#member.waiting, this)
  }

  ended(result: CallResult): void {
    this.#record(this.#member, result)
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, late])
  clearTimeout(timer)
}
