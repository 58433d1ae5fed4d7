import { expect, test } from 'vitest'
import { staleAfterMs } from '../../../dispatcher/fan-out/missed-events-sweeper.ts'

const among = (connected: boolean, quiet: number) => ({ isConnected: () => connected, idleMs: () => quiet })

test('while notifications come, a young event is left to its own', () => {
  expect(staleAfterMs(among(true, 0), false)).toBe(5_000)
  expect(staleAfterMs(among(true, 999), false)).toBe(5_000)
})

test.each([
  ['the connection is gone', among(false, 0), false],
  ['no notification has come for a second', among(true, 1_000), false],
  ['there never was one', among(true, Infinity), false],
  ['the last sweep has found events without a notification', among(true, 0), true],
])('an event is looked for after a second where %s', (_when, notifications, found) => {
  expect(staleAfterMs(notifications, found)).toBe(1_000)
})
