// Refusals in Redis: a hash for each minute, which Redis forgets as a whole after an hour, with so many entries at most.
// So the space they take has a bound, however many calls are refused by however many gateways.
import { refusalKeptSeconds } from '#contract/refusals.ts'
import { openRedis } from '#runtime/redis.ts'
import type { SharedRefusals, StoredRefusal } from './kept-refusals.ts'

/** Sixty times as many in all, of at most 2 KB each. */
export const perMinuteMax = 1_000
const minuteMs = 60_000
const minutesKept = refusalKeptSeconds / 60
const commandTimeoutMs = 1_000

/** Returns how many found no room. An entry that is there already is replaced. */
const write = `
local refused = 0
for i = 3, #ARGV, 2 do
  if redis.call('HLEN', KEYS[1]) < tonumber(ARGV[1]) or redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 then
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  else
    refused = refused + 1
  end
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return refused`

export function redisRefusals(
  url: string,
  brand: string,
  onError: (error: Error) => void,
  now = () => Date.now(),
): SharedRefusals {
  const redis = openRedis(url, { commandTimeout: commandTimeoutMs })
  redis.on('error', onError)
  // The braces keep all minutes in one slot of a cluster.
  const keyOf = (minute: number): string => `{${brand}.refusals}.${minute}`
  const minute = (): number => Math.floor(now() / minuteMs)

  return {
    write: async (refusals: readonly StoredRefusal[]) => {
      const entries = refusals.flatMap(({ requestId, text }) => [requestId, text])
      const limits = [perMinuteMax, refusalKeptSeconds + 60]
      return Number(await redis.eval(write, 1, keyOf(minute()), ...limits, ...entries))
    },
    /** The latest of this id. */
    find: async (requestId) => {
      const asking = redis.pipeline()
      for (let ago = 0; ago <= minutesKept; ago++) asking.hget(keyOf(minute() - ago), requestId)
      const answers = (await asking.exec()) ?? []
      const found = answers.find(([, text]) => typeof text === 'string')
      return (found?.[1] as string | undefined) ?? null
    },
    close: async () => redis.disconnect(),
  }
}
