import { expect, test } from 'vitest'
import { entityTagsIn } from '#runtime/http-headers.ts'
import { assertNoneExpected, assertVersion } from '../../../service/execution/preconditions.ts'
import { codeOf, faultOf } from '../../support/faults.ts'

type Headers = { readonly ifMatch?: string; readonly ifNoneMatch?: string }
const tagsIn = (text: string | undefined) => (text === undefined ? undefined : (entityTagsIn(text) ?? []))
const given = ({ ifMatch, ifNoneMatch }: Headers) => ({
  preconditions: { ifMatch: tagsIn(ifMatch), ifNoneMatch: tagsIn(ifNoneMatch) },
})
/** Of an object at version 3. */
const refusal = (expected: number | undefined, headers: Headers = {}) =>
  faultOf(() => assertVersion({ id: 'p', version: 3 }, expected, given(headers)))

test.each<[number | undefined, Headers]>([
  [3, {}],
  [undefined, {}],
  ...['"3"', '"1", "3"', '*'].map((ifMatch): [undefined, Headers] => [undefined, { ifMatch }]),
  ...['"2"', '"33", "4"'].map((ifNoneMatch): [undefined, Headers] => [undefined, { ifNoneMatch }]),
])('version 3 is fine where %j and %j are asked for', (expected, headers) => {
  expect(refusal(expected, headers)).toBeNull()
})

test.each<[number | undefined, Headers, string]>([
  [2, {}, 'version_mismatch'],
  ...['"2"', '"03"', '"33", "4"', 'W/"3"'].map((ifMatch): [undefined, Headers, string] => [
    undefined,
    { ifMatch },
    'version_mismatch',
  ]),
  ...['*', '"3"', 'W/"3"', '"1", "3"'].map((ifNoneMatch): [undefined, Headers, string] => [
    undefined,
    { ifNoneMatch },
    'precondition_failed',
  ]),
])('version 3 is refused, and named, where %j and %j are asked for: %s', (expected, headers, code) => {
  expect(refusal(expected, headers)).toMatchObject({ code, members: { currentVersion: 3 } })
})

test('a weak tag of the very version is refused with the reason', () => {
  expect(refusal(undefined, { ifMatch: 'W/"3"' })?.members['hint']).toContain('weak')
})

test('of what is not there no version can be matched', () => {
  const codeFor = (expected: number | undefined, headers: Headers) =>
    codeOf(() => assertNoneExpected(expected, given(headers)))

  expect(codeFor(1, {})).toBe('precondition_failed')
  for (const ifMatch of ['"1"', '*']) expect(codeFor(undefined, { ifMatch })).toBe('precondition_failed')
  expect(codeFor(undefined, { ifNoneMatch: '*' })).toBeNull()
})
