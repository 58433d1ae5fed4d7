// The pool, with probes that answer as a test tells them.
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import * as health from '../../../gateway/upstream/address-health.ts'
import * as pools from '../../../gateway/upstream/address-pool.ts'
import { eventually } from '../../support/eventually.ts'

const { callFailuresUntilEjected, callsUntilJudged, slowStartMs, candidates, isUsable } = health
const { savedMax, openAddressPool, membersOf, addTo, cancelAll, removeFrom, retryBudget } = pools
type CallResult = health.CallResult
type ProbeResult = health.ProbeResult

const a = 'http://10.0.0.1:1'
const b = 'http://10.0.0.2:1'
const none: ReadonlySet<string> = new Set()

type Line = { readonly level: number; readonly msg: string; readonly service?: string }

async function scene(...urls: string[]) {
  const says = new Map<string, ProbeResult>()
  const clock = { now: 1_000 }
  const lines: Line[] = []
  const pool = await openAddressPool({
    urls,
    resolve: async () => [],
    prober: { probe: async ({ origin }) => says.get(origin) ?? { kind: 'ready', ms: 2 }, close: async () => {} },
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    timing: { probeEveryMs: 5, resolveEveryMs: 1_000 },
    now: () => clock.now,
  })
  return {
    pool,
    says,
    clock,
    lines,
    /** Where the next calls go. */
    taken: (calls: number) => Array.from({ length: calls }, () => pool.take(none)?.address.origin ?? 'none'),
    usable: (count: number) => eventually(() => pool.readiness().usable === count, `${count} usable addresses`),
    [Symbol.asyncDispose]: pool.close,
  }
}
/** Calls of others are answered, until one goes to `b`. */
function callB({ take }: pools.AddressPool, result: CallResult): void {
  for (;;) {
    const call = take(none)!
    const isB = call.address.origin === b
    call.ended(isB ? result : 'answered')
    if (isB) return
  }
}
const count = (origins: readonly string[], origin: string): number => origins.filter((one) => one === origin).length

test('addresses take turns; one that says that it is not ready gets no calls; back again, it gets a small share that grows', async () => {
  await using it = await scene(a, b)
  expect(count(it.taken(10), a)).toBe(5)
  it.clock.now += 2 * slowStartMs
  it.says.set(b, { kind: 'not_ready' })
  await it.usable(1)
  expect(count(it.taken(20), b)).toBe(0)

  it.says.set(b, { kind: 'ready', ms: 2 })
  await it.usable(2)

  expect(count(it.taken(110), b)).toBe(10)
  it.clock.now += slowStartMs
  expect(count(it.taken(20), b)).toBe(10)
})

test('one that does not know the secret gets no calls at all, and is reported once as an error', async () => {
  await using it = await scene(a)
  it.says.set(a, { kind: 'signature_refused' })
  await it.usable(0)
  await new Promise((resolve) => setTimeout(resolve, 50))

  expect(it.taken(1)).toEqual(['none'])
  expect(it.pool.readiness()).toMatchObject({ isReady: false, why: expect.stringContaining('INTERNAL_SECRET') })
  const errors = it.lines.filter(({ level }) => level === 50)
  expect(errors).toMatchObject([{ service: a, msg: expect.stringContaining('INTERNAL_SECRET') }])
})

test('one that is far slower than the other is ejected for a while; the last one never is', async () => {
  await using it = await scene(a, b)
  it.says.set(b, { kind: 'ready', ms: 900 })
  await it.usable(1)
  expect(count(it.taken(10), b)).toBe(0)

  it.says.set(a, { kind: 'ready', ms: 90_000 })
  it.clock.now += 1
  await eventually(() => it.pool.readiness().usable === 1 && it.taken(1)[0] === a, 'the last one stays')
  it.says.set(a, { kind: 'ready', ms: 2 }).set(b, { kind: 'ready', ms: 2 })
  it.clock.now += 60_000
  await it.usable(2)
})

test('one whose calls fail one after the other is ejected although its probes are well', async () => {
  await using it = await scene(a, b)
  for (let failed = 0; failed < callFailuresUntilEjected; failed++) callB(it.pool, 'failed')

  expect(it.pool.readiness()).toMatchObject({ usable: 1, known: 2 })
  expect(count(it.taken(10), b)).toBe(0)
  for (let failed = 0; failed < 2 * callFailuresUntilEjected; failed++) it.pool.take(none)!.ended('failed')
  expect(it.pool.readiness().usable).toBe(1)
})

test('a call that waits for a dead address is notified as soon as another one is usable', async () => {
  await using it = await scene(a, b)
  const lost: string[] = []
  for (const call of [it.pool.take(none)!, it.pool.take(none)!])
    if (call.address.origin === b) call.onDead(() => lost.push(b))
  it.says.set(a, { kind: 'unanswered' })
  await it.usable(1)
  it.says.set(b, { kind: 'unanswered' })
  await it.usable(0)
  expect(lost).toEqual([])

  it.says.set(a, { kind: 'ready', ms: 2 })
  await it.usable(1)

  expect(lost).toEqual([b])
})

test('one of whose calls every second one fails is ejected after twenty of them, and judged anew afterwards', async () => {
  await using it = await scene(a, b)
  const alternate = (calls: number) => {
    for (let at = 0; at < calls; at++) callB(it.pool, at % 2 === 0 ? 'answered' : 'failed')
  }

  alternate(callsUntilJudged - 2)
  it.clock.now += 10_000
  alternate(callsUntilJudged - 1)
  expect(it.pool.readiness().usable).toBe(2)

  callB(it.pool, 'failed')

  expect(it.pool.readiness().usable).toBe(1)
  it.clock.now += 60_000
  await it.usable(2)
  alternate(callsUntilJudged - 1)
  expect(it.pool.readiness().usable).toBe(2)
})

test('when too many calls are sent to a second address, further ones are not', async () => {
  await using it = await scene(a, b)
  const takeSecond = () => it.pool.take(new Set([a]))

  for (let at = 0; at < savedMax; at++) expect(takeSecond()?.address.origin).toBe(b)
  expect(takeSecond()).toBeUndefined()

  for (let calls = 0; calls < 11; calls++) it.pool.take(none)
  expect(takeSecond()?.address.origin).toBe(b)
  expect(takeSecond()).toBeUndefined()
})

type Event = { readonly at: number } & (
  | { readonly probe: ProbeResult['kind']; readonly ms: number }
  | { readonly call: CallResult }
)
const member = fc.nat({ max: 2 })
const probe = fc.record({
  at: member,
  probe: fc.constantFrom<ProbeResult['kind']>('ready', 'ready', 'ready', 'unanswered', 'unreachable', 'not_ready'),
  ms: fc.constantFrom(1, 5, 900, 5_000),
})
const call = fc.record({ at: member, call: fc.constantFrom<CallResult>('answered', 'failed', 'failed', 'unreachable') })

const addresses = ['a', 'b', 'c'].map((host) => ({ origin: `http://${host}`, host }))
type Address = (typeof addresses)[number]

test('an ejection always leaves another usable address, and calls always have one to go to', () => {
  const property = fc.property(fc.array(fc.oneof(probe, call), { maxLength: 120 }), (events: readonly Event[]) => {
    let now = 0
    const members = membersOf(pino({ level: 'silent' }), () => now)
    members.setAddresses(addresses)
    for (const event of events) {
      now += 100
      const all = members.all()
      const asked = all[event.at]!
      const wasUsable = isUsable(asked.health, now)
      if ('call' in event) members.recordCall(asked, event.call)
      else members.recordProbe(asked, event.probe === 'ready' ? { kind: 'ready', ms: event.ms } : { kind: event.probe })
      const { rotation } = asked.health
      const isEjectedNow = wasUsable && rotation.kind === 'in' && rotation.from > now
      if (isEjectedNow) expect(all.some(({ health }) => isUsable(health, now))).toBe(true)
      expect(candidates(all, now).length).toBeGreaterThan(0)
    }
  })
  fc.assert(property)
})

test('an address that stays keeps what is known of it, one that comes is unproven, one that goes is forgotten', () => {
  const members = membersOf(pino({ level: 'silent' }), () => 0)
  const [a, b, c] = addresses as [Address, Address, Address]
  members.setAddresses([a, b])
  members.recordProbe(members.all()[0]!, { kind: 'ready', ms: 1 })

  members.setAddresses([a, c])

  const known = members.all().map(({ address, health }) => `${address.host} ${health.rotation.kind}`)
  expect(known).toEqual(['a in', 'c out'])
})

const callThat = (cancel: () => void): pools.WaitingCall => ({ position: -1, cancel })

test('whatever order calls come and go in, those that wait are cancelled once each, and no others', () => {
  const steps = fc.array(fc.record({ call: fc.nat({ max: 9 }), isAdded: fc.boolean() }), { maxLength: 60 })
  const property = fc.property(steps, (taken) => {
    const cancelled: number[] = []
    const calls = Array.from({ length: 10 }, (_, at) => callThat(() => cancelled.push(at)))
    const [list, expected] = [[] as pools.WaitingCall[], new Set<number>()]
    for (const { call, isAdded } of taken) {
      if (isAdded && !expected.has(call)) addTo(list, calls[call]!)
      if (!isAdded) removeFrom(list, calls[call]!)
      if (isAdded) expected.add(call)
      else expected.delete(call)
    }

    cancelAll(list)

    expect(new Set(cancelled)).toEqual(expected)
    expect(cancelled).toHaveLength(expected.size)
    expect(list).toEqual([])
    // One that was cancelled is taken back from nobody else's position.
    const later = callThat(() => {})
    addTo(list, later)
    for (const call of calls) removeFrom(list, call)
    expect(list).toEqual([later])
  })
  fc.assert(property)
})

test('of whatever calls, no more than a tenth is sent again, besides what was saved up', () => {
  const property = fc.property(fc.array(fc.boolean(), { maxLength: 2_000 }), (events) => {
    const budget = retryBudget()
    let retries = 0
    for (const isRetry of events) {
      if (!isRetry) budget.count()
      else if (budget.take()) retries += 1
    }
    const calls = events.filter((isRetry) => !isRetry).length
    expect(retries).toBeLessThanOrEqual(savedMax + calls * 0.1 + 1e-6)
  })
  fc.assert(property)
})
