import { expect, test } from 'vitest'
import { isPlainTarget } from '../../../gateway/request/target.ts'

test.each([
  ['/', true],
  ['/a/b?x=//y', true],
  ['//a', false],
  ['/a//b', false],
  ['/a/', false],
  ['http://host/a', false],
  ['*', false],
  ['', false],
])('the target %s is plain: %s', (url, plain) => {
  expect(isPlainTarget(url)).toBe(plain)
})
