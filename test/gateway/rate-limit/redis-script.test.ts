// The script that runs in Redis: that it and its model come to the same, and what it leaves there.
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import * as script from '../../../gateway/rate-limit/redis-script.ts'
import { withScripts } from '../../../gateway/rate-limit/redis-store.ts'
import { intervalUs } from '../../../gateway/rate-limit/token-bucket.ts'
import { services } from '../../support/services.ts'
import { modelRedis } from '../support/model-redis.ts'

const { answersIn, argumentsOf, recoversInUs, reserveScript } = script
type TokenRequest = script.TokenRequest

const second = 1_000_000
const nothing = { sinceUs: null, answered: () => {}, failed: () => {}, timedOut: () => {} }
const nothingElse = { debit: 0, fullInAtLeastUs: 0, need: 0, extra: 0, most: 0 }
const group = (...requests: TokenRequest[]): script.RequestGroup => ({ requests, ...nothing })

describe.skipIf(services().redis === null)('in Redis', () => {
  async function scripted(clock?: string) {
    const redis = withScripts(new Redis(services().redis!), clock)
    const run = `{test-${crypto.randomUUID()}}`
    const ask = async (groups: readonly script.RequestGroup[], known = -1, gateways = 1) => {
      const keys = groups.flatMap(({ requests }) => requests.map(({ name }) => `${run}.${name}`))
      const args = argumentsOf(groups, known, gateways)
      const numbers = await redis.reserveTokens(keys.length + 1, `${run}.since`, ...keys, ...args)
      return { since: numbers[0], recoversInUs: recoversInUs(numbers), answers: answersIn(numbers, groups) }
    }
    const dispose = async () => {
      const left = await redis.keys(`${run}*`)
      if (left.length > 0) await redis.del(...left)
      redis.disconnect()
    }
    return { redis, run, ask, [Symbol.asyncDispose]: dispose }
  }

  const rate = fc.record({ perMinute: fc.integer({ min: 1, max: 100_000 }), burst: fc.integer({ min: 1, max: 500 }) })
  const rates = fc.array(rate, { minLength: 3, maxLength: 3 })
  type Request = { readonly rate: number } & Omit<TokenRequest, 'name' | 'intervalUs' | 'burst'>
  const request: fc.Arbitrary<Request> = fc.record({
    rate: fc.nat(2),
    debit: fc.integer({ min: -3, max: 3 }),
    fullInAtLeastUs: fc.oneof(fc.constant(0), fc.nat(second)),
    need: fc.nat(60),
    extra: fc.nat(20),
    most: fc.nat(40),
  })
  const keyAndWorkspace = fc.record({ key: request, workspace: fc.option(request, { nil: null }) })
  const step = fc.record({
    laterUs: fc.oneof(fc.nat(200_000), fc.nat(30 * second)),
    asked: fc.array(keyAndWorkspace, { minLength: 1, maxLength: 3 }),
    known: fc.constantFrom('last', 'last', 'last', 'last', 'never', 'alone', 'another'),
    gateways: fc.integer({ min: 1, max: 8 }),
  })

  test('the same groups at the same times are answered as by the model, to the microsecond', async () => {
    await using here = await scripted(`tonumber(redis.call('GET', KEYS[1] .. '.clock'))`)
    let runs = 0
    const property = fc.asyncProperty(rates, fc.array(step, { maxLength: 20 }), async (rates, steps) => {
      let now = 1_800_000_000 * second + runs * 100_000 * second
      const model = modelRedis(() => now)
      const run = `r${runs++}`
      await here.redis.del(`${here.run}.since`)
      let since = 0
      const requestOf = (name: string, { rate, ...rest }: Request): TokenRequest => ({
        name: `${run}.${name}`,
        intervalUs: intervalUs(rates[rate]!),
        burst: rates[rate]!.burst,
        ...rest,
      })
      for (const { laterUs, asked, known, gateways } of steps) {
        now += laterUs
        await here.redis.set(`${here.run}.since.clock`, now)
        const groups = asked.map(({ key, workspace }) =>
          group(requestOf('key', key), ...(workspace === null ? [] : [requestOf('workspace', workspace)])),
        )
        const knows = { last: since > 0 ? since : -1, never: -1, alone: 0, another: 7 }[known] ?? -1

        const inRedis = await here.ask(groups, knows, gateways)
        const inModel = model.run(groups, knows, gateways)

        expect(inRedis).toEqual(inModel)
        since = inModel.since
      }
    })
    await fc.assert(property, { numRuns: 25 })
  })

  test('a question in the instant in which a second ends is counted at one time, not at a mixture of two', async () => {
    const clock = `(function()
      local asked = 0
      local time = function() asked = asked + 1; return asked == 1 and { 1000, 999999 } or { 1001, 3 } end
      local t = time()
      return t[1] * 1000000 + t[2]
    end)()`
    await using here = await scripted(clock)
    const one = group({ ...nothingElse, name: 'a', intervalUs: second, burst: 100, need: 1 })

    await here.ask([one])

    expect(await here.redis.get(`${here.run}.a`)).toBe(`${1_000_999_999 + second}:${second}`)
    expect(reserveScript().match(/'TIME'/g)).toHaveLength(1)
  })

  test('all that is left there goes away by itself', async () => {
    await using here = await scripted()
    await here.ask([group({ ...nothingElse, name: 'a', intervalUs: 100_000, burst: 100, need: 1 })])
    await here.redis.announceGateway(2, `${here.run}.since`, `${here.run}.live`, -1, 'me')

    const left = await Promise.all((await here.redis.keys(`${here.run}*`)).map((key) => here.redis.pttl(key)))

    expect(left).toHaveLength(3)
    expect(left.every((ms) => ms > 0)).toBe(true)
  })
})
