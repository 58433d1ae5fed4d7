// The naming of each client in Redis: for each key a sorted set of its clients by the time at which they named themselves,
// the latest 20 of them, forgotten an hour after the last. So a key that calls under ever new names takes no more room.
import type { Naming } from '#contract/tools/names.ts'
import { openRedis } from '#runtime/redis.ts'
import { rememberedMs, type KnownClient, type SharedNames } from './listed-names.ts'

export const clientsPerKeyMax = 20
const commandTimeoutMs = 250
const namings: readonly Naming[] = ['dots', 'underscores']

/** A client has one naming at a time, the last one. */
const write = `
redis.call('ZREM', KEYS[1], ARGV[1] .. '.dots', ARGV[1] .. '.underscores')
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1] .. '.' .. ARGV[2])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - tonumber(ARGV[4]))
redis.call('PEXPIRE', KEYS[1], ARGV[5])`

export function redisNames(
  url: string,
  brand: string,
  onError: (error: Error) => void,
  now = () => Date.now(),
): SharedNames {
  const redis = openRedis(url, { commandTimeout: commandTimeoutMs })
  redis.on('error', onError)
  const setOf = ({ keyId }: KnownClient): string => `${brand}.tool-names.${keyId}`

  return {
    write: async (client, naming) => {
      await redis.eval(write, 1, setOf(client), client.userAgentHash, naming, now(), clientsPerKeyMax, rememberedMs)
    },
    read: async (client) => {
      const asking = redis.pipeline()
      for (const naming of namings) asking.zscore(setOf(client), `${client.userAgentHash}.${naming}`)
      const answers = (await asking.exec()) ?? []
      const failed = answers.find(([error]) => error !== null)?.[0]
      if (failed) throw failed
      return namings.find((_naming, at) => Number(answers[at]?.[1] ?? 0) > now() - rememberedMs) ?? null
    },
    close: async () => redis.disconnect(),
  }
}
