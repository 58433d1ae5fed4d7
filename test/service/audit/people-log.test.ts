import { expect, test } from 'vitest'
import { entryThrottle, type PersonEntry } from '../../../service/audit/people-log.ts'

const minuteMs = 60_000

const from = { surface: 'console', ip: '192.0.2.1', userAgent: null, requestId: 'r-1' } as const
const refused = { isSignedIn: false, code: 'wrong_password', action: 'sessions.create', count: 1 } as const
const at = new Date('2026-11-22T12:00:00.000Z')
const refusalOf = (id: string, more: Partial<PersonEntry> = {}): PersonEntry =>
  Object.assign({ who: { kind: 'account' as const, id }, at, ...refused, ...from }, more)

function throttle() {
  let now = 0
  const { add, take, size } = entryThrottle(() => now)
  return {
    size,
    take,
    pass: (ms: number) => void (now += ms),
    /** Adds them, and tells how many found room. */
    add: (...entries: readonly PersonEntry[]) => entries.map(add).filter(Boolean).length,
    /** Of what is due: which came first, and how many of its kind there were. */
    due: (isEnd = false) => take(isEnd).map(({ requestId, count }) => [requestId, count]),
  }
}

test('the first is due at once; those of the ten minutes after it are one, at their end; then one is due at once again; at the end all are', () => {
  const { add, due, pass, size } = throttle()
  add(refusalOf('a'))
  const first = due()
  for (let at = 0; at < 1_000; at += 1) add(refusalOf('a', { requestId: `later-${at}`, ip: `192.0.2.${at % 9}` }))

  pass(10 * minuteMs - 1)
  const before = due()
  pass(1)

  expect([first, before, due()]).toEqual([[['r-1', 1]], [], [['later-0', 1_000]]])
  for (const requestId of ['r-2', 'r-3']) {
    pass(10 * minuteMs)
    expect([due(), size()]).toEqual([[], 0])
    add(refusalOf('a', { requestId }))
    expect(due()).toEqual([[requestId, 1]])
  }
  add(refusalOf('a', { requestId: 'last' }))
  expect([size(), due(true)]).toEqual([1, [['last', 1]]])
})

test('another person, code or action, and whether somebody was signed in, are told apart', () => {
  const { add, take } = throttle()
  const kinds = [
    refusalOf('a'),
    refusalOf('b'),
    refusalOf('a', { code: 'rate_limited' }),
    refusalOf('a', { action: 'sessions.confirm' }),
    refusalOf('a', { isSignedIn: true }),
    refusalOf('a', { who: { kind: 'member', id: 'a', name: 'Ada', workspaceId: 'w' } }),
  ]

  add(...kinds, ...kinds)

  expect(take().map(({ count }) => count)).toEqual(kinds.map(() => 2))
})

test('of one person twenty kinds are kept, of a thousand people; more find no room until ten minutes are over', () => {
  const { add, due, pass } = throttle()
  const kinds = Array.from({ length: 25 }, (_none, at) => refusalOf('a', { action: `action-${at}` }))
  const people = Array.from({ length: 1_005 }, (_none, at) => refusalOf(`person-${at}`))

  expect([add(...kinds), add(...people)]).toEqual([20, 999])
  due()
  pass(10 * minuteMs)
  due()
  expect(add(...people)).toBe(1_000)
})

test('what succeeds is told apart by its address and browser, and refusals leave room for it', () => {
  const { add, take, size } = throttle()
  const signIn = (ip: string): PersonEntry => refusalOf('a', { code: null, isSignedIn: true, ip })
  for (let at = 0; at < 30; at += 1) add(refusalOf('a', { action: `action-${at}` }))

  const signIns = [signIn('192.0.2.1'), signIn('192.0.2.1'), signIn('192.0.2.2')]
  expect(add(...signIns, { ...signIn('192.0.2.2'), userAgent: 'Another/1' })).toBe(4)
  const due = take().filter(({ code }) => code === null)
  expect(due.map(({ ip, count }) => `${ip} ${count}`)).toEqual(['192.0.2.1 2', '192.0.2.2 1', '192.0.2.2 1'])
  for (let at = 0; at < 30; at += 1) add(signIn(`198.51.100.${at}`))
  expect(size()).toBe(17)
})
