import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerErrorCode, commandIn, judgeAnswer, verdictOn } from '../../../dispatcher/attempt/retry-decision.ts'
import { defaultSchedule, delayAfter, maxAttempts, relievingDelay } from '../../../dispatcher/attempt/retry-decision.ts'
import type { Answer } from '../../../dispatcher/attempt/send.ts'

const now = new Date('2026-11-21T12:00:00Z')
const dayMs = 86_400_000
const timings = { dns: null, connect: null, tls: null, firstByte: 1 }
const answered = (status: number, headers: Record<string, string> = {}): Answer => ({
  kind: 'answered',
  status,
  headers,
  body: '',
  truncated: false,
  timings,
})
const failed: Answer = { kind: 'failed', error: 'timeout' }
const first = { made: 1, max: 10 }
const plan = { delayMs: 5_000, relievingDelayMs: 0, spread: 0, expiresAt: null, now }

test('2xx is success, every other status is not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), (status) => {
      const success = status < 300
      expect(judgeAnswer(answered(status), null, first, plan).kind).toBe(success ? 'delivered' : 'retry')
      expect(answerErrorCode(answered(status))).toBe(success ? null : 'http_status')
    }),
  )
})

test('a receiver that fails, is too slow or has too much to do is unwell; one that refuses a delivery is not', () => {
  for (const status of [200, 204]) expect(verdictOn(answered(status))).toBe('delivered')
  for (const status of [301, 400, 404, 410, 422]) expect(verdictOn(answered(status)), `${status}`).toBe('refused')
  for (const status of [408, 425, 429, 500, 503]) expect(verdictOn(answered(status)), `${status}`).toBe('unhealthy')
  expect(verdictOn(failed)).toBe('unhealthy')
})

test('a failure is retried until the attempts are used up', () => {
  const count = fc.integer({ min: 1, max: 20 })
  fc.assert(
    fc.property(count, count, fc.constantFrom(failed, answered(500), answered(302)), (made, max, answer) => {
      expect(judgeAnswer(answer, null, { made, max }, plan).kind).toBe(made < max ? 'retry' : 'dead')
    }),
  )
})

test('a receiver may ask for a longer wait than planned, up to a day, never for a shorter', () => {
  const [wait, most] = [fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 1, max: dayMs / 2 })]
  fc.assert(
    fc.property(wait, most, fc.boolean(), fc.constantFrom(0, 0.5), (seconds, planned, asDate, spread) => {
      const header = asDate ? new Date(now.getTime() + seconds * 1_000).toUTCString() : String(seconds)
      const delayMs = Math.max(planned, Math.min(seconds * (spread === 0 ? 1_000 : 1_100), dayMs))
      const answer = answered(429, { 'retry-after': header })
      const judged = judgeAnswer(answer, null, first, { ...plan, delayMs: planned, spread })
      expect(judged).toEqual({ kind: 'retry', delayMs })
    }),
  )
})

test('a Retry-After that makes no sense changes nothing', () => {
  for (const header of ['', 'soon', '-5', '1e3', '99999999999999999999', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
    const answer = answered(503, { 'retry-after': header })
    expect(judgeAnswer(answer, null, first, plan)).toEqual({ kind: 'retry', delayMs: 5_000 })
  }
})

test('after 429, 503 and a time-out the next try is not sooner than a relieving delay, after others it is', () => {
  const delayOf = (answer: Answer) => judgeAnswer(answer, null, first, { ...plan, relievingDelayMs: 60_000 })
  const [soon, later] = [5_000, 60_000].map((delayMs) => ({ kind: 'retry', delayMs }))

  for (const answer of [failed, answered(429), answered(503)]) expect(delayOf(answer)).toEqual(later)
  for (const answer of [answered(500), answered(400), { kind: 'failed', error: 'connect_error' } as const])
    expect(delayOf(answer)).toEqual(soon)
})

test('no try is later than the age limit, whoever asks for it', () => {
  const until = (ms: number) => ({ ...plan, expiresAt: new Date(now.getTime() + ms) })
  const asked = answered(503, { 'retry-after': '86400' })
  const expired = { kind: 'dead', reason: 'expired' }

  expect(judgeAnswer(answered(500), null, first, until(5_000))).toEqual({ kind: 'retry', delayMs: 5_000 })
  expect(judgeAnswer(answered(500), null, first, until(4_999))).toEqual(expired)
  expect(judgeAnswer(asked, null, first, until(dayMs))).toEqual({ kind: 'retry', delayMs: dayMs })
  expect(judgeAnswer(asked, null, first, until(dayMs - 1))).toEqual(expired)
})

test('a receiver may abort a delivery that it has not taken, and disable its webhook on any status', () => {
  const saying = (status: number, value: string) => answered(status, { 'x-acme-webhook': value })
  const judged = (answer: Answer) => judgeAnswer(answer, commandIn(answer, 'acme'), first, plan)

  expect([200, 500].map((status) => commandIn(saying(status, 'disable'), 'acme'))).toEqual(['disable', 'disable'])
  expect(commandIn(saying(500, 'abort'), 'other')).toBeNull()
  for (const value of ['', 'Abort', 'abort, disable']) expect(commandIn(saying(500, value), 'acme'), value).toBeNull()
  expect(judged(saying(500, 'abort'))).toEqual({ kind: 'dead', reason: 'aborted' })
  expect(judged(saying(200, 'abort'))).toEqual({ kind: 'delivered' })
  expect(judged(saying(500, 'disable'))).toEqual({ kind: 'retry', delayMs: 5_000 })
})

test('the default schedule is ten attempts over a little more than a day', () => {
  expect(defaultSchedule).toEqual([5, 20, 80, 320, 1_280, 5_120, 20_480, 43_200, 43_200])
  expect(maxAttempts(defaultSchedule)).toBe(10)
})

test('every wait is within 20 % of the schedule', () => {
  const schedules = fc.array(fc.integer({ min: 1, max: 86_400 }), { minLength: 1, maxLength: 19 })
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(schedules, fc.integer({ min: 1, max: 30 }), chance, (schedule, tries, random) => {
      const planned = (schedule[Math.min(tries, schedule.length) - 1] ?? Number.NaN) * 1_000
      const delay = delayAfter(tries, schedule, random)
      expect(delay).toBeGreaterThanOrEqual(Math.round(planned * 0.8))
      expect(delay).toBeLessThanOrEqual(Math.round(planned * 1.2))
    }),
  )
})

test('a relieving delay is spread over 60 to 90 seconds, and never less than a minute', () => {
  expect([0, 0.5, 0.999_999_999].map(relievingDelay)).toEqual([60_000, 75_000, 90_000])
})
