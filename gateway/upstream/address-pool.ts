// The addresses of the service, probed in the background, with the health of each. Probes decide where calls go, so
// that no call has to find out which address is dead. What a result means, and which addresses get calls, is decided by
// gateway/upstream/address-health.ts; here it is stored and acted upon.
import type { Log } from '#runtime/log.ts'
import {
  type CallResult,
  type ProbeResult,
  candidates,
  shareOf,
  readinessOf,
  statesOf,
  type AddressStates,
  type PoolReadiness,
  afterCall,
  afterProbe,
  callFailuresUntilEjected,
  ejected,
  isDead,
  unproven,
  type Health,
  countCall,
  emptyWindow,
  failsOften,
  type CallWindow,
  isFarSlower,
  isUsable,
} from './address-health.ts'
import { watchNames, type ServiceAddress, type Resolve } from './dns-resolution.ts'

/** Resolves to null when nothing was learnt: this process was held up itself, or is closing. Never rejects. */
type Probe = (address: ServiceAddress) => Promise<ProbeResult | null>

export type Prober = { readonly probe: Probe; close(): Promise<void> }

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
export type Timing = {
  readonly probeEveryMs: number
  readonly resolveEveryMs: number
  /** As long as services may take to start before it is worth a warning that none is usable. */
  readonly startGraceMs?: number
}

export const defaultTiming: Timing = { probeEveryMs: 500, resolveEveryMs: 2_000 }
const defaultStartGraceMs = 15_000
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
  const warning = setTimeout(() => {
    const { why } = readiness()
    if (why !== null) log.warn({ services: urls, why }, 'no service is usable yet')
  }, timing.startGraceMs ?? defaultStartGraceMs).unref()

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
      clearTimeout(warning)
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
  return async (members: readonly Member[]): Promise<void> => {
    await Promise.all(members.map(probeOne))
  }
}

class CallToMember implements AddressCall, WaitingCall {
  readonly #member: Member
  readonly #record: PoolMembers['recordCall']
  readonly address: ServiceAddress
  position = -1
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

type Member = {
  readonly address: ServiceAddress
  readonly health: Health
  readonly window: CallWindow
  /** Calls that wait for its answer. */
  readonly waiting: WaitingCall[]
}
type PoolMembers = {
  all(): Member[]
  /** Those that stay keep their health. */
  setAddresses(addresses: readonly ServiceAddress[]): void
  recordProbe(member: Member, result: ProbeResult): void
  recordCall(member: Member, result: CallResult): void
}
type MutableMember = { -readonly [P in keyof Member]: Member[P] }

/** The one place where health changes, and where what follows from a change is done. */
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

/**
 * A call that waits for the answer of one address, with its position in a list. Not in a Set: one that changes with
 * every call leaves tables behind, which hold on to whole requests until the old generation is collected.
 */
export type WaitingCall = {
  /** In the list; -1 when it is in none. */
  position: number
  /** Called when the address is dead while another one is usable. */
  cancel(): void
}

export function addTo(list: WaitingCall[], call: WaitingCall): void {
  call.position = list.length
  list.push(call)
}

/** The last one takes its position. */
export function removeFrom(list: WaitingCall[], call: WaitingCall): void {
  const { position } = call
  if (position === -1) return
  call.position = -1
  const last = list.pop()
  if (last === undefined || last === call) return
  list[position] = last
  last.position = position
}

export function cancelAll(list: WaitingCall[]): void {
  const calls = list.splice(0)
  for (const call of calls) {
    call.position = -1
    call.cancel()
  }
}

/** Smooth and weighted: over time each item gets its share, spread evenly among the others. */
type RoundRobin<T> = { next(from: readonly T[], shareOf: (item: T) => number): T | undefined }

export function roundRobin<T extends object>(): RoundRobin<T> {
  const credits = new WeakMap<T, number>()

  return {
    next(from, shareOf) {
      let total = 0
      let best: T | undefined
      for (const item of from) {
        const share = shareOf(item)
        total += share
        credits.set(item, (credits.get(item) ?? 0) + share)
        if (best === undefined || (credits.get(item) ?? 0) > (credits.get(best) ?? 0)) best = item
      }
      if (best !== undefined) credits.set(best, (credits.get(best) ?? 0) - total)
      return best
    },
  }
}

/**
 * How many calls are sent to a second address. Each of them is a call more for services that may have too many already,
 * so they are a tenth of all calls, besides some that are saved up for the moment at which an address is lost.
 */
type RetryBudget = {
  /** Called for each call, when it is sent for the first time. */
  count(): void
  /** False when it is not to be sent again. */
  take(): boolean
  /** Calls that may be sent again now. */
  left(): number
}

const shareOfCalls = 0.1
export const savedMax = 64

export function retryBudget(): RetryBudget {
  let left = savedMax
  return {
    count: () => {
      left = Math.min(savedMax, left + shareOfCalls)
    },
    take: () => {
      if (left < 1) return false
      left -= 1
      return true
    },
    left: () => Math.floor(left),
  }
}
