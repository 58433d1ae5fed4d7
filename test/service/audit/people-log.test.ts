import { expect, test } from 'vitest'
import { entryThrottle, type PersonEntry } from '../../../service/audit/people-log.ts'

const minuteMs = 60_000

const refusalOf = (id: string, more: Partial<PersonEntry> = {}): PersonEntry => ({
  who: { kind: 'account', id },
  isSignedIn: false,
  code: 'wrong_password',
  action: 'sessions.create',
  count: 1,
  at: new Date('2026-11-22T12:00:00.000Z'),
  surface: 'console',
  ip: '192.0.2.1',
  userAgent: null,
  requestId: 'r-1',
  ...more,
})

function throttleAt(start: number) {
  let now = start
  return { throttle: entryThrottle(() => now), pass: (ms: number) => void (now += ms) }
}
const counts = (refusals: readonly PersonEntry[]) => refusals.map(({ requestId, count }) => [requestId, count])

test('the first is due at once; those of the ten minutes after it are one, at their end', () => {
  const { throttle, pass } = throttleAt(0)
  throttle.add(refusalOf('a'))
  const first = throttle.take()
  for (let at = 0; at < 1_000; at += 1)
    throttle.add(refusalOf('a', { requestId: `later-${at}`, ip: `192.0.2.${at % 9}` }))

  pass(10 * minuteMs - 1)
  const before = throttle.take()
  pass(1)

  expect(counts(first)).toEqual([['r-1', 1]])
  expect(before).toEqual([])
  expect(counts(throttle.take())).toEqual([['later-0', 1_000]])
  expect(throttle.size()).toBe(0)
})

test('after ten quiet minutes the next one is due at once again', () => {
  const { throttle, pass } = throttleAt(0)
  throttle.add(refusalOf('a'))
  throttle.take()

  pass(10 * minuteMs)
  throttle.take()
  throttle.add(refusalOf('a', { requestId: 'r-2' }))

  expect(counts(throttle.take())).toEqual([['r-2', 1]])
})

test('another person, code or action, and whether somebody was signed in, are told apart', () => {
  const { throttle } = throttleAt(0)
  const kinds = [
    refusalOf('a'),
    refusalOf('b'),
    refusalOf('a', { code: 'rate_limited' }),
    refusalOf('a', { action: 'sessions.confirm' }),
    refusalOf('a', { isSignedIn: true }),
    refusalOf('a', { who: { kind: 'member', id: 'a', name: 'Ada', workspaceId: 'w' } }),
  ]

  for (const kind of [...kinds, ...kinds]) throttle.add(kind)

  expect(throttle.take().map(({ count }) => count)).toEqual(kinds.map(() => 2))
})

test('of one person twenty kinds are kept, of a thousand people; more find no room until ten minutes are over', () => {
  const { throttle, pass } = throttleAt(0)
  const added = (refusals: readonly PersonEntry[]) => refusals.map(throttle.add).filter(Boolean).length
  const kinds = Array.from({ length: 25 }, (_none, at) => refusalOf('a', { action: `action-${at}` }))
  const people = Array.from({ length: 1_005 }, (_none, at) => refusalOf(`person-${at}`))

  expect([added(kinds), added(people)]).toEqual([20, 999])
  throttle.take()
  pass(10 * minuteMs)
  throttle.take()
  expect(added(people)).toBe(1_000)
})

test('at the end all that has not been taken is', () => {
  const { throttle } = throttleAt(0)
  throttle.add(refusalOf('a'))
  throttle.take()
  throttle.add(refusalOf('a', { requestId: 'r-2' }))

  expect(throttle.size()).toBe(1)
  expect(counts(throttle.take(true))).toEqual([['r-2', 1]])
})

test('what succeeds is told apart by its address and browser, and refusals leave room for it', () => {
  const { throttle } = throttleAt(0)
  const signIn = (ip: string): PersonEntry => refusalOf('a', { code: null, isSignedIn: true, ip })
  for (let at = 0; at < 30; at += 1) throttle.add(refusalOf('a', { action: `action-${at}` }))

  const signIns = [signIn('192.0.2.1'), signIn('192.0.2.1'), signIn('192.0.2.2')]
  expect([...signIns, { ...signIn('192.0.2.2'), userAgent: 'Another/1' }].map(throttle.add)).not.toContain(false)
  expect(
    throttle
      .take()
      .filter(({ code }) => code === null)
      .map(({ ip, count }) => [ip, count]),
  ).toEqual([
    ['192.0.2.1', 2],
    ['192.0.2.2', 1],
    ['192.0.2.2', 1],
  ])
  for (let at = 0; at < 30; at += 1) throttle.add(signIn(`198.51.100.${at}`))
  expect(throttle.size()).toBe(17)
})
