import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import { isPlainTarget, takeParameter } from '../../../gateway/request/target.ts'

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

const workspace = '0190a000-0000-7000-8000-00000000000a'

test.each([
  ['', undefined, ''],
  ['a=1&b=2', undefined, 'a=1&b=2'],
  [`workspaceId=${workspace}`, workspace, ''],
  [`a=%20&workspaceId=${workspace}&b`, workspace, 'a=%20&b'],
  [`work%73paceId=${workspace}`, workspace, ''],
  ['workspaceId', '', ''],
  ['workspaceId=a%3Db=c', 'a=b=c', ''],
  ['workspaceid=x&WorkspaceId=y', undefined, 'workspaceid=x&WorkspaceId=y'],
  ['%zz=1&workspaceId=%zz', '%zz', '%zz=1'],
])('of the query "%s" a parameter is taken out', (query, value, rest) => {
  expect(takeParameter(query, 'workspaceId')).toEqual({ value, rest })
})

test('what is left of a query is what was there, in its order', () => {
  const pair = fc
    .tuple(fc.stringMatching(/^[a-z%+]{0,5}$/), fc.stringMatching(/^[a-z0-9%=+]{0,5}$/))
    .map((both) => both.join('='))
  fc.assert(
    fc.property(fc.array(pair), fc.nat(10), (pairs, at) => {
      const withWorkspace = pairs.toSpliced(at, 0, `workspaceId=${workspace}`)
      expect(takeParameter(withWorkspace.join('&'), 'workspaceId')).toEqual({ value: workspace, rest: pairs.join('&') })
    }),
  )
})

test('a parameter that is there twice is refused', () => {
  expect(() => takeParameter('workspaceId=a&work%73paceId=a', 'workspaceId')).toThrow(Fault)
})
