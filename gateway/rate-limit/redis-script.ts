// `take` of gateway/rate-limit/token-bucket.ts, run inside of Redis: all buckets of a call in one round trip, with no
// other call in between. The clock is that of Redis, the same for every gateway.

/** Asked once: the seconds of one moment with the microseconds of the next would be a second off. */
const redisClock = `(function()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end)()`

/** A bucket that is full needs no key. One stays for a minute longer, so that it is never the expiry that fills it. */
const keptMs = 60_000

/**
 * KEYS: one for each bucket. ARGV: calls (less than none gives some back), then interval and burst of each bucket.
 * Answers 1 or 0, and for each bucket in how many microseconds it is full.
 */
export const bucketScript = (clock: string = redisClock): string => `
local now = ${clock}
local calls = tonumber(ARGV[1])
local allowed = true
local buckets = {}
for i, key in ipairs(KEYS) do
  local interval, burst = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local fullAt = math.max(tonumber(redis.call('GET', key) or now), now)
  buckets[i] = { key = key, interval = interval, fullAt = fullAt }
  if fullAt - now + (calls - burst) * interval > 0 then allowed = false end
end
local answer = { allowed and 1 or 0 }
for i, bucket in ipairs(buckets) do
  if allowed then
    bucket.fullAt = math.max(now, bucket.fullAt + calls * bucket.interval)
    local expiry = math.ceil((bucket.fullAt - now) / 1000) + ${keptMs}
    redis.call('SET', bucket.key, string.format('%.0f', bucket.fullAt), 'PX', expiry)
  end
  answer[i + 1] = bucket.fullAt - now
end
return answer
`
