import { expect, test } from 'vitest'
import { entityTagsIn } from '#runtime/http-headers.ts'
import { assertNoneExpected, assertVersion } from '../../../service/execution/preconditions.ts'
import { changesBetween, isUnchanged } from '../../../service/execution/system-fields.ts'
import { codeOf, faultOf } from '../../support/faults.ts'

type Asked = { readonly expected?: number; readonly ifMatch?: string; readonly ifNoneMatch?: string }
const tagsIn = (text?: string) => (text === undefined ? undefined : (entityTagsIn(text) ?? []))
const given = ({ ifMatch, ifNoneMatch }: Asked) => ({
  preconditions: { ifMatch: tagsIn(ifMatch), ifNoneMatch: tagsIn(ifNoneMatch) },
})
const matching = (...tags: string[]): Asked[] => tags.map((ifMatch) => ({ ifMatch }))
const matchingNone = (...tags: string[]): Asked[] => tags.map((ifNoneMatch) => ({ ifNoneMatch }))
/** Of an object at version 3. */
const refusal = (asked: Asked) => faultOf(() => assertVersion({ id: 'p', version: 3 }, asked.expected, given(asked)))

test.each<[string | null, Asked[]]>([
  [null, [{ expected: 3 }, ...matching('"3"', '"1", "3"', '*'), ...matchingNone('"2"', '"33", "4"')]],
  ['version_mismatch', [{ expected: 2 }, ...matching('"2"', '"03"', '"33", "4"', 'W/"3"')]],
  ['precondition_failed', matchingNone('*', '"3"', 'W/"3"', '"1", "3"')],
])('version 3 is refused with %s, and named, where each of these is asked for: %j', (code, asked) => {
  const refused = asked.map((each) => [refusal(each)?.code ?? null, refusal(each)?.members['currentVersion']])

  expect(refused).toEqual(asked.map(() => [code, code === null ? undefined : 3]))
})

test('a weak tag of the very version is refused with the reason', () => {
  expect(refusal({ ifMatch: 'W/"3"' })?.members['hint']).toContain('weak')
})

test('of what is not there no version can be matched', () => {
  const codeFor = (asked: Asked) => codeOf(() => assertNoneExpected(asked.expected, given(asked)))

  for (const asked of [{ expected: 1 }, ...matching('"1"', '*')]) expect(codeFor(asked)).toBe('precondition_failed')
  expect(codeFor({ ifNoneMatch: '*' })).toBeNull()
})

test('only fields that differ are changed, and named with both values; bookkeeping alone is no change', () => {
  const before = { name: 'a', labels: ['x'], status: 'open', version: 1, updatedAt: '1', updatedBy: {} }
  const after = { name: 'b', labels: ['x'], status: 'open', version: 2, updatedAt: '2', updatedBy: { id: 1 } }

  expect(changesBetween(before, after)).toEqual({ name: { from: 'a', to: 'b' } })
  expect(isUnchanged({ ...before, name: 'b' }, after)).toBe(true)
})
