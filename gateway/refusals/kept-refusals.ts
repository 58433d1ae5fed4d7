// Refusals of the last hour, for an operator who asks why. They are kept in this process and, where there is Redis,
// there too, so that any gateway can answer. Nothing waits for it: what is to be written is gathered, and what finds no
// room is dropped and counted.
import { LRUCache } from 'lru-cache'
import { refusalKeptSeconds, type Refusal } from '#contract/refusals.ts'
import { batcher } from '#runtime/batcher.ts'
import type { Part } from '#runtime/process.ts'
import { mayBeKept, refusalRecord, type RefusedCall } from './refusal-record.ts'
import { openRedis } from '#runtime/redis.ts'

/** What all gateways share. Both reject when it is away. */
export type SharedRefusals = Part & {
  /** Resolves to how many found no room. */
  write(refusals: readonly StoredRefusal[]): Promise<number>
  find(requestId: string): Promise<string | null>
}
/** As JSON. */
export type StoredRefusal = { readonly requestId: string; readonly text: string }
export type KeptRefusals = Part & {
  record(call: RefusedCall): void
  /** Resolves to null when there is none of this id, or not any more. */
  find(requestId: string): Promise<Refusal | null>
  stats(): { readonly held: number; readonly dropped: number }
}

const heldMax = 10_000
const heldBytesMax = 8 * 1024 * 1024
const textLengthMax = 2_000
const batchMax = 200
const waitingMax = 2_000
const waitMs = 250

export function keptRefusals(shared: SharedRefusals | null, now = () => Date.now()): KeptRefusals {
  const held = new LRUCache<string, string>({
    max: heldMax,
    maxSize: heldBytesMax,
    sizeCalculation: (text, id) => 2 * (text.length + id.length),
    ttl: refusalKeptSeconds * 1_000,
    ttlResolution: 0,
    perf: { now },
  })
  let dropped = 0
  function drop(refusals: readonly unknown[]): void {
    dropped += refusals.length
  }
  const writing = batcher<StoredRefusal>({
    flush: async (refusals) => {
      const refused = (await shared?.write(refusals)) ?? 0
      dropped += refused
    },
    // This gateway still has them.
    onError: () => 'drop',
    onDropped: drop,
    start: { waitMs },
    maxItems: batchMax,
    maxWaiting: waitingMax,
  })

  function record(call: RefusedCall): void {
    if (!mayBeKept(call.context)) return
    const refusal = refusalRecord(call, new Date(now()))
    const { requestId } = refusal
    const text = JSON.stringify(refusal)
    if (text.length > textLengthMax) return drop([text])
    held.set(requestId, text)
    if (shared !== null) writing.add({ requestId, text })
  }

  async function find(requestId: string): Promise<Refusal | null> {
    const text = held.get(requestId) ?? (await shared?.find(requestId).catch(() => null)) ?? null
    return text === null ? null : (JSON.parse(text) as Refusal)
  }

  const close = async (): Promise<void> => {
    await writing.flush()
    await shared?.close()
  }
  return { record, find, stats: () => ({ held: held.size, dropped }), close }
}

// Refusals in Redis: a hash for each minute, which Redis forgets as a whole after an hour, with so many entries at
// most. So the space they take has a bound, however many calls are refused by however many gateways.

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
