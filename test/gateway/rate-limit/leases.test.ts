// Tokens leased from Redis: the decisions, over a model of Redis and clocks of the test's own.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bucketState,
  intervalUs,
  waitSeconds,
  type Bucket,
  type Consumed,
} from '../../../gateway/rate-limit/token-bucket.ts'
import { alike, gatewaysWith, type ModelGateway } from '../support/gateways.ts'

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
    // Most of the load is the first one's.
    gateway: fc.oneof(fc.constant(0), fc.nat(3)),
    calls: fc.integer({ min: 1, max: 40 }),
    tokens: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 100 })),
    key: fc.nat(1),
    delivers: fc.boolean(),
    givesBack: fc.integer({ min: 0, max: 9 }),
  })

  test('4 gateways with skewed load and clocks, keys that share a workspace, calls of several tokens', async () => {
    await fc.assert(
      fc.asyncProperty(
        rate,
        rate,
        fc.array(skew, { minLength: 4, maxLength: 4 }),
        fc.array(step, { minLength: 20, maxLength: 80 }),
        async (keyRate, workspaceRate, skews, steps) => {
          const { all, wait, nowUs } = gatewaysWith(skews)
          const started = nowUs()
          const workspace = { name: 'workspace', rate: workspaceRate }
          const passed = new Map<string, number>()
          for (const { laterUs, gateway: at, calls, tokens, key, delivers, givesBack } of steps) {
            wait(laterUs)
            const gateway = all[at]!
            const buckets = [{ name: `key.${key}`, rate: keyRate }, workspace]
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
            gateway.giveBackIdle()
            await new Promise(setImmediate)
            for (const { name, rate } of [...buckets, { name: 'key.0', rate: keyRate }]) {
              const bound = rate.burst + (nowUs() - started) / intervalUs(rate) + all.length
              expect(passed.get(name) ?? 0).toBeLessThanOrEqual(bound)
            }
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('at four times the limit nearly all of it passes, evenly or all at one gateway, for few questions', async () => {
    for (const share of [
      [1, 1, 1, 1],
      [4, 0, 0, 0],
    ]) {
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
    expect(all[0]!.deliver()).toBe(2)
    expect(remaining(slow, await second)).toBe(8)
  })

  test('for which tokens are held asks nobody', async () => {
    const { all, wait } = gatewaysWith(alike(2))
    for (let call = 0; call < 50; call++) {
      await taken(all[0]!, [fast], 1)
      wait(ms)
    }

    const consumed = all[0]!.consume([fast], 1)

    expect(consumed).toMatchObject({ allowed: true })
  })

  test('that costs more than is left takes nothing, of neither bucket, and names the one that lacks it', async () => {
    const { all } = gatewaysWith(alike(2))
    const [key, workspace] = [bucket('key', 1, 50), bucket('workspace', 1, 70)]

    const first = await taken(all[0]!, [key, workspace], 40)
    const refused = await taken(all[1]!, [key, workspace], 20)
    const other = await taken(all[1]!, [bucket('other', 1, 50), workspace], 31)
    const fits = await taken(all[1]!, [key, workspace], 10)

    expect([first, refused, other, fits].map(({ allowed }) => allowed)).toEqual([true, false, false, true])
    expect([remaining(key, refused), remaining(workspace, refused, 1)]).toEqual([10, 30])
    expect([remaining(bucket('other', 1, 50), other), remaining(workspace, other, 1)]).toEqual([50, 30])
    expect([remaining(key, fits), remaining(workspace, fits, 1)]).toEqual([0, 20])
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

  test('that was taken for and not needed is there again, here at once, elsewhere when Redis knows', async () => {
    const { all } = gatewaysWith(alike(2))
    await taken(all[0]!, [slow], 10)

    const back = all[0]!.consume([slow], -6) as Consumed
    all[0]!.deliver()
    const elsewhere = await taken(all[1]!, [slow], 6)

    expect([remaining(slow, back), elsewhere.allowed]).toEqual([6, true])
    expect((await taken(all[1]!, [slow], 1)).allowed).toBe(false)
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
  all[0]!.giveBackIdle()
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
    // So that all have heard of all.
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
    expect(all[0]!.countedAlone()).toBeGreaterThan(190)
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

  test.each([
    ['has kept everything', false],
    ['has lost everything', true],
  ])('nobody has a second burst when it is back and %s', async (_what, loses) => {
    const { all, wait, redis } = await used(fast, 20)
    for (const gateway of all) gateway.fallSilent()
    for (let tick = 0; tick < 2_000; tick++) {
      wait(ms)
      for (const gateway of all) gateway.take([fast], 1)
    }
    if (loses) redis.loseAll()
    for (const gateway of all) {
      gateway.isAway = false
      gateway.passed = 0
    }

    for (let tick = 0; tick < 100; tick++) {
      for (const gateway of all) {
        gateway.take([fast], 1)
        gateway.take([fast], 1)
        gateway.deliver()
      }
      wait(ms)
      await Promise.resolve()
    }

    const passed = all.reduce((sum, gateway) => sum + gateway.passed, 0)
    expect(passed).toBeLessThanOrEqual(100 + 4 * 2)
    expect(passed).toBeGreaterThanOrEqual(50)
  })

  test('a key of which Redis has lost the bucket starts empty even where no gateway knows it', async () => {
    const { all, redis, wait } = await used(fast, 1)
    redis.loseAll()
    await taken(all[0]!, [fast], 1)

    const { allowed } = await taken(all[1]!, [slow], 5)
    wait(5 * second)
    const later = await taken(all[2]!, [slow], 5)

    expect([allowed, later.allowed]).toEqual([false, true])
  })

  test('an answer that is late for its call is not lost: what was taken is there for the next', async () => {
    const { all } = gatewaysWith(alike(1))
    await taken(all[0]!, [fast], 1)
    const consumed = all[0]!.consume([slow], 4)
    all[0]!.fallSilent(true)

    expect(await consumed).toMatchObject({ allowed: true })
    all[0]!.isAway = false
    all[0]!.deliver()

    expect(all[0]!.consume([slow], 4)).toMatchObject({ allowed: true })
  })
})
