// Tokens leased from Redis: the decisions, over a model of Redis and clocks of the test's own.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketState, intervalUs, waitSeconds } from '../../../gateway/rate-limit/token-bucket.ts'
import type { Bucket, Consumed, Rate } from '../../../gateway/rate-limit/token-bucket.ts'
import { alike, gatewaysWith, type Gateways, type ModelGateway } from '../support/gateways.ts'

const ms = 1_000
const second = 1_000_000
const bucket = (name: string, perMinute: number, burst: number): Bucket => ({ name, rate: { perMinute, burst } })
const fast = bucket('key.fast', 60_000, 100)
const slow = bucket('key.slow', 60, 10)
const remaining = ({ rate }: Bucket, { fullInUs }: Consumed, at = 0) => bucketState(rate, fullInUs[at]!).remaining
/** Once what was asked is answered. */
async function taken(gateway: ModelGateway, buckets: readonly Bucket[], tokens: number): Promise<Consumed> {
  const consumed = gateway.consume(buckets, tokens)
  gateway.deliver()
  return await consumed
}

describe('never more than the rate and one burst', () => {
  const rate = fc.record({ perMinute: fc.integer({ min: 1, max: 120_000 }), burst: fc.integer({ min: 1, max: 300 }) })
  const skew = fc.record({ offsetUs: fc.nat(5 * second), drift: fc.double({ min: 0.5, max: 2, noNaN: true }) })
  const step = fc.record({
    laterUs: fc.oneof(fc.nat(2 * ms), fc.nat(80 * ms), fc.nat(3 * second)),
    gateway: fc.oneof(fc.constant(0), fc.nat(3)),
    calls: fc.integer({ min: 1, max: 40 }),
    tokens: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 100 })),
    key: fc.nat(1),
    delivers: fc.boolean(),
    givesBack: fc.integer({ min: 0, max: 9 }),
  })

  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
  /** Makes the calls of each step, and tells after it what has passed, by bucket. */
  async function run(
    { all, wait }: Gateways,
    [keyRate, workspaceRate]: readonly [Rate, Rate],
    steps: readonly Step[],
    hooks: { beforeWait(laterUs: number): void; after(passed: ReadonlyMap<string, number>): void },
  ): Promise<void> {
    const passed = new Map<string, number>()
    for (const { laterUs, gateway: at, calls, tokens, key, delivers, givesBack } of steps) {
      hooks.beforeWait(laterUs)
      wait(laterUs)
      const gateway = all[at]!
      if (gateway.isLate()) gateway.fallSilent(true)
      const buckets = [
        { name: `key.${key}`, rate: keyRate },
        { name: 'workspace', rate: workspaceRate },
      ]
      const count = (tokens: number) =>
        buckets.forEach(({ name }) => passed.set(name, (passed.get(name) ?? 0) + tokens))
      for (let call = 0; call < calls; call++) {
        const consumed = gateway.consume(buckets, tokens)
        if (consumed instanceof Promise) void consumed.then(({ allowed }) => count(allowed ? tokens : 0))
        else count(consumed.allowed ? tokens : 0)
        if (!(consumed instanceof Promise) && consumed.allowed && givesBack === 0) {
          void gateway.consume(buckets, -tokens)
          count(-tokens)
        }
      }
      if (delivers) gateway.deliver()
      gateway.releaseIdle()
      await new Promise(setImmediate)
      hooks.after(passed)
    }
  }
  const rates = fc.tuple(rate, rate)
  const skews = fc.array(skew, { minLength: 4, maxLength: 4 })
  const steps = fc.array(step, { minLength: 20, maxLength: 80 })

  test('4 gateways with skewed load and clocks, keys that share a workspace, calls of several tokens', async () => {
    const property = fc.asyncProperty(rates, skews, steps, async ([keyRate, workspaceRate], skews, steps) => {
      const gateways = gatewaysWith(skews)
      const { all, nowUs } = gateways
      const started = nowUs()
      // At the fastest clock, 8 ms are less than a call may wait.
      let undeliveredUs = 0
      const beforeWait = (laterUs: number): void => {
        undeliveredUs += laterUs
        if (undeliveredUs <= 8 * ms) return
        // Calls that waited together for one answer may ask for more.
        while (all.some((gateway) => gateway.deliver() > 0));
        undeliveredUs = 0
      }
      const after = (passed: ReadonlyMap<string, number>): void => {
        for (const [name, tokens] of passed) {
          const { burst, perMinute } = name === 'workspace' ? workspaceRate : keyRate
          const bound = burst + (nowUs() - started) / intervalUs({ perMinute, burst }) + all.length
          expect(tokens).toBeLessThanOrEqual(bound)
        }
      }
      await run(gateways, [keyRate, workspaceRate], steps, { beforeWait, after })
      expect(all.map((gateway) => gateway.localCalls())).toEqual([0, 0, 0, 0])
    })
    await fc.assert(property, { numRuns: 60 })
  })

  test('what is counted alone because an answer is late is paid back: in the end it was no more either', async () => {
    const one: Rate = { perMinute: 60_000, burst: 1_000_000 }
    const property = fc.asyncProperty(rate, skews, steps, async (keyRate, skews, steps) => {
      const gateways = gatewaysWith(skews)
      const { all, wait, nowUs } = gateways
      const started = nowUs()
      let passed = 0
      const short = steps.map((step) => ({ ...step, key: 0, laterUs: Math.min(step.laterUs, 30 * ms) }))
      let stepsDone = 0
      const after = (tokens: ReadonlyMap<string, number>): void => {
        passed = tokens.get('key.0') ?? 0
        if (++stepsDone % 3 === 0) for (const gateway of all) gateway.deliver()
      }
      await run(gateways, [keyRate, one], short, { beforeWait: () => {}, after })

      // Until all is paid back, and all of the time asked for more than there is.
      for (const gateway of all) gateway.isAway = false
      const fillsUs = keyRate.burst * intervalUs(keyRate)
      for (let tick = 0; tick < 40; tick++) {
        wait(Math.ceil((4 * fillsUs + 4 * second) / 40))
        for (const gateway of all) {
          while (gateway.deliver() > 0);
          gateway.take([{ name: 'key.0', rate: keyRate }], keyRate.burst)
          for (let call = 0; call < 5; call++) gateway.take([{ name: 'key.0', rate: keyRate }], 1)
          while (gateway.deliver() > 0);
        }
        await new Promise(setImmediate)
      }

      const sum = all.reduce((sum, gateway) => sum + gateway.passed, passed)
      const bound = keyRate.burst + (nowUs() - started) / intervalUs(keyRate) + all.length
      expect(sum).toBeLessThanOrEqual(bound)
    })
    await fc.assert(property, { numRuns: 60 })
  })

  test('at four times the limit nearly all of it passes, evenly or all at one gateway, for few questions', async () => {
    for (const share of [[1, 1, 1, 1], [4]]) {
      const { all, wait, nowUs } = gatewaysWith(alike(4))
      const started = nowUs()
      let questions = 0
      for (let tick = 0; tick < 3_000; tick++) {
        wait(ms)
        share.forEach((calls, at) => {
          for (let call = 0; call < calls; call++) all[at]!.take([fast], 1)
        })
        questions += all.reduce((sum, gateway) => sum + gateway.deliver(), 0)
        await Promise.resolve()
      }
      const seconds = (nowUs() - started) / second
      const passed = all.reduce((sum, gateway) => sum + gateway.passed, 0)

      expect(passed).toBeLessThanOrEqual(1_000 * seconds + 100 + 4)
      expect(passed).toBeGreaterThan(1_000 * seconds)
      expect(questions / (4_000 * seconds)).toBeLessThan(0.1)
    }
  })
})

describe('a call', () => {
  test('on a cold key passes at once on credit; a second one before Redis has answered waits for it', async () => {
    const { all } = gatewaysWith(alike(1))
    const first = all[0]!.consume([slow], 1)
    const second = all[0]!.consume([slow], 1)

    expect(first).toEqual({ allowed: true, fullInUs: [second instanceof Promise ? 1_000_000 : 0] })
    expect(all[0]!.deliver()).toBe(1)
    expect(remaining(slow, await second)).toBe(8)
  })

  test('is one of many that wait for the same key: they ask together', async () => {
    const { all } = gatewaysWith(alike(2))
    const calls = Array.from({ length: 60 }, () => all[0]!.consume([bucket('key', 60, 50)], 1))

    const questions = [all[0]!.deliver(), all[0]!.deliver(), all[0]!.deliver()]

    let passed = 0
    for (const call of calls) if ((await call).allowed) passed++
    expect([passed, questions]).toEqual([50, [1, 1, 0]])
  })

  test('is refused without a question while it is known that there is nothing, told when to come again, and then served', async () => {
    const { all, wait } = gatewaysWith(alike(1))
    await taken(all[0]!, [slow], 10)
    const asked = await taken(all[0]!, [slow], 1)

    const known = Array.from({ length: 50 }, () => all[0]!.consume([slow], 1)) as Consumed[]

    expect(asked.allowed).toBe(false)
    expect(known.every(({ allowed }) => !allowed)).toBe(true)
    expect(all[0]!.deliver()).toBe(0)
    const seconds = waitSeconds(slow.rate, known[0]!.fullInUs[0]!, 1)
    expect([remaining(slow, known[0]!), seconds]).toEqual([0, 1])
    wait(seconds * second)
    expect((await taken(all[0]!, [slow], 1)).allowed).toBe(true)
  })
})

test('what lies leased and unused for a second is given back', async () => {
  const { all, wait } = gatewaysWith(alike(2))
  const slowly = bucket('key', 1, 100)
  for (let call = 0; call < 30; call++) {
    await taken(all[0]!, [slowly], 1)
    wait(ms)
  }
  await taken(all[0]!, [slowly], 1)
  const left = async () => remaining(slowly, await taken(all[1]!, [slowly], 2))
  const before = await left()

  wait(1.1 * second)
  all[0]!.releaseIdle()
  all[0]!.deliver()

  expect(before).toBeLessThan(67)
  expect(await left()).toBe(65)
})

test('a limit that is changed while calls run takes effect, and what was used stays used', async () => {
  const { all } = gatewaysWith(alike(2))
  const [before, after] = [bucket('key', 60, 10), bucket('key', 600, 40)]
  await taken(all[0]!, [before], 10)
  expect((await taken(all[0]!, [before], 1)).allowed).toBe(false)

  const raised = await taken(all[0]!, [after], 1)
  const elsewhere = await taken(all[1]!, [after], 28)
  const tooMany = await taken(all[1]!, [after], 2)
  const lowered = await taken(all[1]!, [before], 1)

  expect([raised, elsewhere, tooMany, lowered].map(({ allowed }) => allowed)).toEqual([true, true, false, false])
})

describe('while Redis is away', () => {
  /** Every gateway has served the key before. */
  async function used(bucket: Bucket, tokensEach: number) {
    const gateways = gatewaysWith(alike(4))
    for (const gateway of gateways.all) await taken(gateway, [bucket], tokensEach)
    gateways.wait(second)
    for (const gateway of gateways.all) await taken(gateway, [bucket], 1)
    return gateways
  }
  const passedIn = (gateway: ModelGateway, bucket: Bucket, calls: number) =>
    Array.from({ length: calls }, () => gateway.consume([bucket], 1) as Consumed).filter(({ allowed }) => allowed)
      .length

  test('each gateway lets through its part of the limit, beginning with its part of what Redis had left', async () => {
    const hundred = bucket('key', 60, 100)
    const { all, wait } = await used(hundred, 20)
    for (const gateway of all) gateway.fallSilent()

    const atOnce = all.map((gateway) => passedIn(gateway, hundred, 100))
    wait(40 * second)
    const later = all.map((gateway) => passedIn(gateway, hundred, 100))

    expect(atOnce.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(20)
    expect(atOnce.every((each) => each >= 4 && each <= 5)).toBe(true)
    expect(later).toEqual([10, 10, 10, 10])
    expect(all[0]!.localCalls()).toBeGreaterThan(190)
  })

  test('a call that costs more than the part of a gateway passes when that is full, and is paid off', async () => {
    const { all, wait } = gatewaysWith(alike(4))
    const hundred = bucket('key', 60, 100)
    all[0]!.fallSilent()

    const large = all[0]!.consume([hundred], 100) as Consumed
    const next = all[0]!.consume([hundred], 1) as Consumed
    wait(waitSeconds(hundred.rate, next.fullInUs[0]!, 1) * second)

    expect([large.allowed, next.allowed, passedIn(all[0]!, hundred, 9)]).toEqual([true, false, 1])
    expect((all[0]!.consume([hundred], 101) as Consumed).allowed).toBe(false)
  })

  /** So many milliseconds, in which every gateway is asked twice for a token, and Redis answers what it is asked. */
  async function press({ all, wait }: Gateways, bucket: Bucket, forMs: number): Promise<number> {
    for (const gateway of all) gateway.passed = 0
    for (let tick = 0; tick < forMs; tick++) {
      for (const gateway of all) {
        gateway.take([bucket], 1)
        gateway.take([bucket], 1)
        gateway.deliver()
      }
      wait(ms)
      await Promise.resolve()
    }
    return all.reduce((sum, gateway) => sum + gateway.passed, 0)
  }

  test('nobody has a second burst when it is back and has kept everything', async () => {
    const gateways = await used(fast, 20)
    for (const gateway of gateways.all) gateway.fallSilent()
    await press(gateways, fast, 2_000)
    for (const gateway of gateways.all) gateway.isAway = false

    const passed = await press(gateways, fast, 100)

    expect(passed).toBeLessThanOrEqual(100 + 4 * 2)
    expect(passed).toBeGreaterThanOrEqual(50)
  })

  test('nobody has more than the rate after it has lost everything, for as long as a gateway knows better', async () => {
    const gateways = await used(fast, 20)
    for (const gateway of gateways.all) gateway.fallSilent()
    await press(gateways, fast, 2_000)
    gateways.redis.loseAll()
    for (const gateway of gateways.all) gateway.announce()

    const [recovering, after] = [await press(gateways, fast, 9_990), 10 * ms]
    gateways.wait(after)
    for (const gateway of gateways.all) gateway.announce()
    const recovered = await press(gateways, fast, 100)

    expect(recovering).toBeLessThanOrEqual(9_990 + 4)
    expect(recovering).toBeGreaterThanOrEqual(9_900)
    expect(recovered).toBeLessThanOrEqual(100 + 4 * 2)
    expect(recovered).toBeGreaterThanOrEqual(50)
  })

  test.each([0, 3])('its burst is whole ten seconds after Redis is back, if gateway %i asks first', async (at) => {
    const { all, redis, wait } = await used(fast, 1)
    const rested = bucket('key.rested', 60, 100)
    redis.loseAll()
    // Nobody calls: what tells Redis of its loss is that a gateway says that it is there.
    all[0]!.announce()
    wait(10 * second)
    for (const gateway of all) gateway.announce()

    expect(all[at]!.isAway).toBe(false)
    expect((await taken(all[at]!, [rested], 100)).allowed).toBe(true)
    expect((await taken(all[1]!, [rested], 2)).allowed).toBe(false)
  })

  test('an answer that comes after a long silence does not hide what was counted meanwhile', async () => {
    const { all, wait } = gatewaysWith(alike(2))
    const hundred = bucket('key', 1, 100)
    await taken(all[0]!, [hundred], 20)
    const asked = all[0]!.consume([hundred], 10)
    all[0]!.fallSilent(true)
    for (let call = 0; call < 40; call++) {
      void all[0]!.consume([hundred], 1)
      wait(20 * ms)
    }

    all[0]!.deliver()
    wait(300 * ms)
    await taken(all[0]!, [hundred], 90)

    expect((await asked).allowed).toBe(true)
    expect((await taken(all[1]!, [hundred], 60)).allowed).toBe(false)
  })

  test('an answer that is late for its call is not lost: what was taken pays for what was counted alone', async () => {
    const { all } = gatewaysWith(alike(2))
    const consumed = all[0]!.consume([slow], 4)
    all[0]!.fallSilent(true)

    expect(await consumed).toMatchObject({ allowed: true })
    all[0]!.deliver()

    expect(remaining(slow, await taken(all[1]!, [slow], 6))).toBe(0)
    expect((await taken(all[0]!, [slow], 1)).allowed).toBe(false)
  })
})
