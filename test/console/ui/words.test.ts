// Moments, spans, shares and counts, as pages say them.
import { expect, test } from 'vitest'
import { fullCount, latencyText, milliseconds, compactCount } from '../../../console/charts/scale.ts'
import { periodName } from '../../../console/usage/period-name.ts'
import { browserOf } from '../../../console/pages/account/browser-of.ts'
import { shareText } from '../../../console/charts/share-text.ts'
import { dayText, relativeTime } from '../../../console/ui/moment-text.ts'

const nowMs = Date.parse('2026-11-22T12:00:00.000Z')
const minute = 60
const hour = 60 * minute
const day = 24 * hour

test('a moment is said by its distance, in the largest unit that fits', () => {
  const said = (...seconds: number[]) =>
    seconds.map((each) => relativeTime(new Date(nowMs + each * 1_000).toISOString(), nowMs))

  expect(said(-9, 9, -10)).toEqual(['just now', 'just now', '10 seconds ago'])
  expect(said(-minute, -hour)).toEqual(['1 minute ago', '1 hour ago'])
  expect(said(-day, day, -59 * day)).toEqual(['yesterday', 'tomorrow', '59 days ago'])
  expect(said(90 * day - minute, 180 * day - minute)).toEqual(['in 90 days', 'in 6 months'])
  expect(said(100 * day, -359 * day, -800 * day)).toEqual(['in 3 months', '11 months ago', '2 years ago'])
})

test('what is no moment is shown as it is; a day has its month as a word, is one of UTC, and hours have their hour', () => {
  expect(relativeTime('soon', nowMs)).toBe('soon')
  expect(dayText(new Date('2026-12-04T12:00:00.000Z'))).toBe('4 Dec 2026')
  expect(periodName('2026-11-22T00:00:00.000Z', 'day')).toBe('22 Nov')
  expect(periodName('2026-11-22T13:00:00.000Z', 'hour')).toMatch(/^2\d Nov, \d\d:\d0$/)
})

test('a share is said in percent, and is never rounded to none or all', () => {
  const said = (...shares: [part: number, whole: number][]) => shares.map(([part, whole]) => shareText(part, whole))

  expect(said([0, 0], [0, 9], [7, 7], [12, 500])).toEqual(['–', '0%', '100%', '2.4%'])
  expect(said([1, 1_000], [1, 1_001], [9_999, 10_000])).toEqual(['0.1%', '< 0.1%', '> 99.9%'])
})

test('a duration has two digits, one that was never measured is a dash, and counts are short where there is little room', () => {
  const durations = [0.84, 9.96, 999, 1_000, 12_345]

  for (const text of [milliseconds, latencyText])
    expect(durations.map(text)).toEqual(['0.8 ms', '10 ms', '999 ms', '1.0 s', '12 s'])
  expect(latencyText(null)).toBe('–')
  expect([compactCount(1_234), compactCount(12), fullCount(1_234)]).toEqual(['1.2K', '12', '1,234'])
})

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${chrome}`, 'Chrome on Linux'],
  [`Mozilla/5.0 (Linux; Android 15) ${chrome}`, 'Chrome on Android'],
  [`Mozilla/5.0 (Windows NT 10.0) ${chrome} Edg/140.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0) ${chrome} OPR/120.0`, 'Opera on Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari on iOS'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on macOS'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['x'.repeat(200), 'x'.repeat(40)],
  [null, 'Unknown'],
])('%s is %s', (userAgent, name) => {
  expect(browserOf(userAgent)).toBe(name)
})
