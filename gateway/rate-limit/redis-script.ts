// `take` of gateway/rate-limit/token-bucket.ts, run inside of Redis: all buckets of a call in one round trip, with no
// other call in between. The clock is that of Redis, the same for every gateway.

/** TIME is called once: the seconds of one moment with the microseconds of the next would be a second off. */
const redisClock = `(function()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end)()`

/** A full bucket needs no key. A key is kept a minute longer than that, so that it is never the expiry that fills it. */
const keptMs = 60_000

/**
 * KEYS: one for each bucket. ARGV: tokens (a negative number gives some back), then interval in µs and burst of each
 * bucket. Returns 1 when the tokens were taken, else 0; then for each bucket in how many microseconds it is full.
 */
export const bucketScript = (clock: string = redisClock): string => `
local now = ${clock}
local tokens = tonumber(ARGV[1])
local allowed = true
local buckets = {}
for i, key in ipairs(KEYS) do
  local interval, burst = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local stored = math.max(tonumber(redis.call('GET', key) or now), now)
  local fullAt = math.min(stored, now + burst * interval)
  buckets[i] = { key = key, interval = interval, fullAt = fullAt, cut = fullAt < stored }
  if fullAt - now + (tokens - burst) * interval > 0 then allowed = false end
end
local answer = { allowed and 1 or 0 }
for i, bucket in ipairs(buckets) do
  if allowed then bucket.fullAt = math.max(now, bucket.fullAt + tokens * bucket.interval) end
  if allowed or bucket.cut then
    local expiry = math.ceil((bucket.fullAt - now) / 1000) + ${keptMs}
    redis.call('SET', bucket.key, string.format('%.0f', bucket.fullAt), 'PX', expiry)
  end
  answer[i + 1] = bucket.fullAt - now
end
return answer
`
