// The script that runs inside Redis: the requests of one moment, each group all or nothing, with no other call in
// between. A bucket is one number, when it will be full (GCRA), and the interval that this was counted in, so that a
// new rate counts what is missing in tokens. The clock is that of Redis, the same for every gateway.

/** What is requested of one bucket. */
export type TokenRequest = {
  readonly name: string
  readonly intervalUs: number
  readonly burst: number
  /** Tokens that were spent already, whether or not they were there; below 0, given back. */
  readonly debit: number
  /** The bucket is not full sooner than this, whatever Redis knows of it. */
  readonly fullInAtLeastUs: number
  /** All needs of a group are met or none. */
  readonly need: number
  /** Tokens to reserve beyond that, as many as there are; `most`, as long as they are a small part of what is there. */
  readonly extra: number
  readonly most: number
}
export type TokenGrant = { readonly granted: number; readonly fullInUs: number }
/** Requests whose needs are met together or not at all: those of one call, or many for which no call waits. */
export type RequestGroup = {
  readonly requests: readonly TokenRequest[]
  /** Since when a call waits, in µs on the clock of `performance.now`; null where none does. */
  readonly sinceUs: number | null
  /** `lacking` has a bit for each request that could not be met: 0 when all were. */
  answered(lacking: number, grants: readonly TokenGrant[]): void
  failed(): void
  /** Redis has said nothing for as long as a call may wait. `answered` or `failed` may still come. */
  timedOut(): void
}
export type GroupAnswer = { readonly lacking: number; readonly grants: readonly TokenGrant[] }

/** A call waits no longer for what was requested. */
export const callTimeoutUs = 20_000
/** One reservation takes at most this part of what is there, for each gateway. */
export const sharesPerGateway = 8

/** TIME is called once: the seconds of one moment with the microseconds of the next would be a second off. */
const redisClock = `(function()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end)()`

/** A bucket is kept a minute longer than it takes to fill, so that it is never the expiry that fills it. */
const keptUs = 60_000_000
/** Longer than any bucket takes to fill. */
const longAgoUs = 1_000_000_000_000
/** As long as any gateway is alive, and a day. */
const sinceKeptMs = 86_400_000
/** How long a gateway counts as alive that says nothing. */
const aliveMs = 3_000
/**
 * How long gateways go on counting by themselves when Redis has lost its buckets: as long as a usual bucket takes to
 * fill.
 */
export const recoveryUs = 10_000_000

/** Reads each bucket once; several requests may be about the same. */
const bucketOf = `
local buckets = {}
local function bucketOf(key, interval, burst)
  local bucket = buckets[key]
  if not bucket then
    local stored = redis.call('GET', key)
    bucket = { fullAt = now, interval = interval }
    if stored then
      local fullAt, counted = string.match(stored, '^(%d+):(%d+)$')
      bucket = { fullAt = tonumber(fullAt), interval = tonumber(counted) }
    end
    buckets[key] = bucket
  end
  bucket.fullAt = math.max(now, bucket.fullAt)
  if bucket.interval ~= interval then
    local missing = math.min(burst, (bucket.fullAt - now) / bucket.interval)
    bucket.fullAt = now + math.ceil(missing * interval)
    bucket.interval = interval
  end
  return bucket
end
`

/**
 * KEYS[1] says since when this Redis knows all buckets. When Redis has lost what it knew (gateways have seen another
 * KEYS[1] before, or counted by themselves), that is now, whichever gateway speaks first. Then no bucket is known for
 * ten seconds, and gateways count their shares as while Redis is away: full buckets would give every caller a second
 * burst, and empty ones would refuse callers who have not called for long.
 */
const recovery = `
local since = tonumber(redis.call('GET', KEYS[1]) or '')
local isNew = since and known > 0 and since ~= known
if not since or (isNew and since < now - ${longAgoUs} / 2) then
  since = known >= 0 and now or now - ${longAgoUs}
end
redis.call('SET', KEYS[1], string.format('%.0f', since), 'PX', ${sinceKeptMs})
local recoversIn = math.max(0, since + ${recoveryUs} - now)
`

/**
 * KEYS[1] is that of `recovery`; then one for each request. A bucket that is not there is full.
 *
 * ARGV: KEYS[1] as this gateway knows it (-1: not at all; 0: not, and it has counted by itself); the shares of a bucket
 * of which a reservation takes one; then for each group the number of its requests, and each of them as its numbers
 * with colons between. Returns KEYS[1] and in how many µs the buckets are known. Where that is 0, then for each group
 * the bits of what it lacks, and for each of its requests what is granted beyond the need and in how many µs the bucket
 * is full; else nothing was taken.
 */
export const reserveScript = (clock: string = redisClock): string => `
local now = ${clock}
local known, shares = tonumber(ARGV[1]), tonumber(ARGV[2])
${recovery}
if recoversIn > 0 then return { since, recoversIn } end

-- What was spent before Redis lost its buckets is no debt.
local isLost = known > 0 and known ~= since

${bucketOf}
local answer = { since, 0 }
local key, arg = 2, 3
while ARGV[arg] do
  local requests, lacking = {}, 0
  for at = 1, tonumber(ARGV[arg]) do
    local interval, burst, debit, atLeast, need, extra, most = string.match(ARGV[arg + at], '^(%d+):(%d+):(-?%d+):(%d+):(%d+):(%d+):(%d+)$')
    interval = tonumber(interval)
    local request = { interval = interval, burst = tonumber(burst), need = tonumber(need), extra = tonumber(extra), most = tonumber(most) }
    local bucket = bucketOf(KEYS[key], interval, request.burst)
    request.bucket = bucket
    bucket.fullAt = math.max(now, math.max(bucket.fullAt, now + tonumber(atLeast)) + (isLost and 0 or tonumber(debit)) * interval)
    if request.need > 0 and bucket.fullAt - now + (request.need - burst) * interval > 0 then
      lacking = lacking + 2 ^ (at - 1)
    end
    requests[at], key = request, key + 1
  end
  arg = arg + #requests + 1
  answer[#answer + 1] = lacking
  for _, request in ipairs(requests) do
    local bucket, interval, granted = request.bucket, request.interval, 0
    if lacking == 0 then
      bucket.fullAt = bucket.fullAt + request.need * interval
      local room = math.floor(request.burst - (bucket.fullAt - now) / interval)
      granted = math.max(0, math.min(request.extra, room), math.min(request.most, math.floor(room / shares)))
      bucket.fullAt = bucket.fullAt + granted * interval
    end
    answer[#answer + 1] = granted
    answer[#answer + 1] = bucket.fullAt - now
  end
end

for name, bucket in pairs(buckets) do
  local expiry = math.ceil((bucket.fullAt + ${keptUs} - now) / 1000)
  redis.call('SET', name, string.format('%.0f:%.0f', bucket.fullAt, bucket.interval), 'PX', expiry)
end
return answer
`

/**
 * KEYS[1] is that of `recovery`, so Redis knows of its loss when it is back and not when the next call comes. KEYS[2]:
 * the gateways and when each was last heard of. ARGV: KEYS[1] as this gateway knows it, and its id. Returns KEYS[1], in
 * how many µs the buckets are known, and how many gateways live.
 */
export const announceScript = (clock: string = redisClock): string => `
local now, known = ${clock}, tonumber(ARGV[1])
${recovery}
local nowMs = math.floor(now / 1000)
redis.call('ZADD', KEYS[2], nowMs, ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', nowMs - ${aliveMs})
redis.call('PEXPIRE', KEYS[2], ${aliveMs})
return { since, recoversIn, redis.call('ZCARD', KEYS[2]) }
`

/** What is known of KEYS[1] where it was never told, and where tokens were counted without it as well. */
export const neverHeard = -1
export const countedLocally = 0

export function argumentsOf(groups: readonly RequestGroup[], known: number, gateways: number): string[] {
  const args = [String(known), String(sharesPerGateway * gateways)]
  for (const { requests } of groups) {
    args.push(String(requests.length))
    for (const { intervalUs, burst, debit, fullInAtLeastUs, need, extra, most } of requests)
      args.push(`${intervalUs}:${burst}:${debit}:${fullInAtLeastUs}:${need}:${extra}:${most}`)
  }
  return args
}

/** Of what the script returns after its first two numbers; none while Redis recovers. */
export function answersIn(numbers: readonly number[], groups: readonly RequestGroup[]): GroupAnswer[] {
  if (recoversInUs(numbers) > 0) return []
  let at = 2
  const next = (): number => {
    const number = numbers[at++]
    if (number === undefined) throw new Error('Redis answered less than was requested')
    return number
  }
  return groups.map(({ requests }) => {
    const lacking = next()
    return { lacking, grants: requests.map((): TokenGrant => ({ granted: next(), fullInUs: next() })) }
  })
}

/** In how many µs Redis knows the buckets, by what either script returns; 0: it does. */
export const recoversInUs = ([, recoversIn = 0]: readonly number[]): number => recoversIn
