// The addresses of the service, probed in the background. Probes decide where calls go, so that no caller's request has
// to find out which address is dead: gateway/upstream/pool-members.ts keeps what is known of each, gateway/upstream/address-selection.ts
// says who gets calls.
import type { Log } from '#runtime/log.ts'
import type { CallResult, ProbeResult } from './address-health.ts'
import { watchNames, type Address, type Resolve } from './dns-resolution.ts'
import { candidates, shareOf } from './address-selection.ts'
import { membersOf, type Member } from './pool-members.ts'
import type { Prober } from './readiness-probe.ts'
import { readinessOf, type PoolReadiness } from './pool-readiness.ts'
import { turns } from './round-robin.ts'

/** A call that is on its way to an address. */
export type AddressCall = {
  readonly address: Address
  /** `cancel` is run when the address is dead while another one is usable. Returns how to stop waiting for that. */
  onLost(cancel: () => void): () => void
  ended(result: CallResult): void
}
export type AddressPool = {
  /** Undefined where every address that could be called is among those tried. */
  take(tried: ReadonlySet<string>): AddressCall | undefined
  readiness(): PoolReadiness
  close(): Promise<void>
}
export type AddressPoolParts = {
  readonly urls: readonly string[]
  readonly resolve: Resolve
  readonly prober: Prober
  readonly log: Log
  readonly timing: Timing
  /** Milliseconds on a clock that only goes forward. */
  readonly now?: () => number
}
export type Timing = { readonly probeEveryMs: number; readonly resolveEveryMs: number }

const firstAnswersWithinMs = 2_000
const clock = (): number => performance.now()

/** Resolves when every address has been asked once, or after two seconds. */
export async function openAddressPool({
  urls,
  resolve,
  prober,
  log,
  timing,
  now = clock,
}: AddressPoolParts): Promise<AddressPool> {
  const members = membersOf(log, now)
  const { next } = turns<Member>()
  const names = watchNames(urls, resolve, (err, name) => log.warn({ err, name }, 'name not resolved'), now)
  const probeAll = proberOf(prober, members.probed)
  const refresh = (): Promise<void> => names.refresh().then(() => members.become(names.addresses()))

  const probing = setInterval(() => void probeAll(members.all()), timing.probeEveryMs).unref()
  const resolving = setInterval(() => void refresh(), timing.resolveEveryMs).unref()
  await within(
    firstAnswersWithinMs,
    refresh().then(() => probeAll(members.all())),
  )
  const readiness = (): PoolReadiness => readinessOf(healthsOf(members.all()), now())
  const { why } = readiness()
  if (why !== null) log.warn({ services: urls, why }, 'no service is usable yet')

  return {
    take(tried) {
      const untried = members.all().filter(({ address }) => !tried.has(address.origin))
      const member = next(candidates(untried, now()), ({ health }) => shareOf(health, now()))
      return member && callTo(member, (result) => members.called(member, result))
    },
    readiness,
    close: async () => {
      clearInterval(probing)
      clearInterval(resolving)
      await prober.close()
    },
  }
}

const healthsOf = (members: readonly Member[]) => members.map(({ health }) => health)

/** Each address is asked by one probe at a time, and again at once where it has failed but may still get calls. */
function proberOf({ probe }: Prober, onResult: (member: Member, result: ProbeResult) => void) {
  const asked = new WeakSet<Member>()

  async function ask(member: Member): Promise<void> {
    if (asked.has(member)) return
    asked.add(member)
    const result = await probe(member.address)
    asked.delete(member)
    if (result === null) return
    onResult(member, result)
    if (result.kind !== 'ready' && member.health.rotation.kind === 'in') return ask(member)
  }
  return async (members: readonly Member[]): Promise<void> => void (await Promise.all(members.map(ask)))
}

const callTo = ({ address, lost }: Member, ended: AddressCall['ended']): AddressCall => ({
  address,
  onLost: (cancel) => {
    lost.add(cancel)
    return () => void lost.delete(cancel)
  },
  ended,
})

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, late])
  clearTimeout(timer)
}
