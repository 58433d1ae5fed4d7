// Whose turn it is.
import { expect, test } from 'vitest'
import { inTurn } from '../../gateway/upstreams.ts'

const take = (upstreams: ReturnType<typeof inTurn>, times: number): string[] =>
  Array.from({ length: times }, () => upstreams.next())

test('addresses take turns; what follows the origin is left off', () => {
  expect(take(inTurn(['http://a:1/', 'http://b:2/x']), 3)).toEqual(['http://a:1', 'http://b:2', 'http://a:1'])
})

test('one that is left out gets no calls for two seconds', () => {
  let now = 0
  const upstreams = inTurn(['http://a', 'http://b'], () => now)
  upstreams.leaveOut('http://a')
  expect(take(upstreams, 3)).toEqual(['http://b', 'http://b', 'http://b'])
  now = 2_000
  expect(new Set(take(upstreams, 2))).toEqual(new Set(['http://a', 'http://b']))
})

test('where all are left out, they are tried all the same', () => {
  const upstreams = inTurn(['http://a', 'http://b'], () => 0)
  upstreams.leaveOut('http://a')
  upstreams.leaveOut('http://b')
  expect(new Set(take(upstreams, 2))).toEqual(new Set(['http://a', 'http://b']))
})
