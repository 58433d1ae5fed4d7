import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerErrorCode, judgeAnswer, verdictOn } from '../../../dispatcher/attempt/judge-answer.ts'
import type { Answer } from '../../../dispatcher/attempt/send.ts'

const now = new Date('2026-11-21T12:00:00Z')
const dayMs = 86_400_000
const answered = (status: number, headers: Record<string, string> = {}): Answer => ({
  kind: 'answered',
  status,
  headers,
  body: '',
  truncated: false,
  timings: { dns: null, connect: null, tls: null, firstByte: 1 },
})
const failed: Answer = { kind: 'failed', error: 'timeout' }
const first = { made: 1, max: 10 }

test('2xx is success, every other status is not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), (status) => {
      const success = status < 300
      expect(judgeAnswer(answered(status), first, 5_000, now).kind).toBe(success ? 'delivered' : 'retry')
      expect(answerErrorCode(answered(status))).toBe(success ? null : 'http_status')
    }),
  )
})

test('a receiver that fails, is too slow or has too much to do is unwell; one that refuses a delivery is not', () => {
  const verdicts = [200, 204, 301, 400, 404, 408, 410, 422, 425, 429, 500, 503].map((status) =>
    verdictOn(answered(status)),
  )
  const [ok, no, ill] = ['delivered', 'refused', 'unwell']
  expect(verdicts).toEqual([ok, ok, no, no, no, ill, no, no, ill, ill, ill, ill])
  expect(verdictOn(failed)).toBe(ill)
})

test('a failure is retried until the attempts are used up', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom(failed, answered(500), answered(302)),
      (made, max, answer) => {
        expect(judgeAnswer(answer, { made, max }, 5_000, now).kind).toBe(made < max ? 'retry' : 'dead')
      },
    ),
  )
})

test('a receiver may ask for a longer wait than planned, up to a day, never for a shorter', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999_999_999 }),
      fc.integer({ min: 1, max: dayMs / 2 }),
      fc.boolean(),
      (seconds, planned, asDate) => {
        const header = asDate ? new Date(now.getTime() + seconds * 1_000).toUTCString() : String(seconds)
        const delayMs = Math.max(planned, Math.min(seconds * 1_000, dayMs))
        expect(judgeAnswer(answered(429, { 'retry-after': header }), first, planned, now)).toEqual({
          kind: 'retry',
          delayMs,
        })
      },
    ),
  )
})

test('a Retry-After that makes no sense changes nothing', () => {
  for (const header of ['', 'soon', '-5', '1e3', '99999999999999999999', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
    expect(judgeAnswer(answered(503, { 'retry-after': header }), first, 5_000, now)).toEqual({
      kind: 'retry',
      delayMs: 5_000,
    })
  }
})
