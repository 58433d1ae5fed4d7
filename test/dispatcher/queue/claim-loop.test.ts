import { expect, test } from 'vitest'
import { afterSpan, firstSpan, type Round, type Span } from '../../../dispatcher/queue/claim-loop.ts'

const nothing: Span = { upTo: null, nextDueMs: null, tookMs: 2, more: false, full: false }
const span = (more: Partial<Span> = {}): Span => ({ ...nothing, ...more })
const round = (more: Partial<Round>): Round => ({ ...firstSpan, ...more })

test('after the last span it sleeps until the next row comes due, of whichever span, and no longer than a second', () => {
  expect(afterSpan(firstSpan, span())).toEqual({ pauseMs: 1_000, next: firstSpan })
  expect(afterSpan(firstSpan, span({ nextDueMs: 300 })).pauseMs).toBe(300)
  expect(afterSpan(round({ nextDueMs: 200 }), span({ nextDueMs: 300 })).pauseMs).toBe(198)
  expect(afterSpan(firstSpan, span({ nextDueMs: 90_000 })).pauseMs).toBe(1_000)
})

test('it rests nine times as long as it looked, so that many webhooks or a slow database are not asked all the time', () => {
  const { pauseMs, next } = afterSpan(firstSpan, span({ upTo: 'w', tookMs: 5, nextDueMs: 100 }))
  expect([pauseMs, next]).toEqual([45, { after: 'w', nextDueMs: 55, more: false }])
  expect(afterSpan(firstSpan, span({ tookMs: 20, nextDueMs: 1 })).pauseMs).toBe(180)
  expect(afterSpan(firstSpan, span({ tookMs: 5_000, nextDueMs: 1 })).pauseMs).toBe(1_000)
})

test('a full batch is followed by the next at once, and a round that left something by the next round', () => {
  const next = { after: 'w', nextDueMs: Infinity, more: true }

  expect(afterSpan(firstSpan, span({ upTo: 'w', more: true, full: true }))).toEqual({ pauseMs: 0, next })
  expect(afterSpan(round({ more: true }), span({ nextDueMs: 900 })).pauseMs).toBe(18)
})
