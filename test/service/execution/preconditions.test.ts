import { expect, test } from 'vitest'
import { entityTagsIn } from '#runtime/http-headers.ts'
import { assertNoneExpected, assertVersion } from '../../../service/execution/preconditions.ts'

const object = { id: 'p', version: 3 }
const given = ({ ifMatch, ifNoneMatch }: { ifMatch?: string; ifNoneMatch?: string } = {}) => ({
  preconditions: {
    ifMatch: ifMatch === undefined ? undefined : (entityTagsIn(ifMatch) ?? []),
    ifNoneMatch: ifNoneMatch === undefined ? undefined : (entityTagsIn(ifNoneMatch) ?? []),
  },
})

test('the version that is expected, or none, is fine', () => {
  expect(() => assertVersion(object, 3, given())).not.toThrow()
  expect(() => assertVersion(object, undefined, given())).not.toThrow()
  for (const ifMatch of ['"3"', '"1", "3"', '*'])
    expect(() => assertVersion(object, undefined, given({ ifMatch })), ifMatch).not.toThrow()
  for (const ifNoneMatch of ['"2"', '"33", "4"'])
    expect(() => assertVersion(object, undefined, given({ ifNoneMatch })), ifNoneMatch).not.toThrow()
})

test('any other is refused with the current one', () => {
  const refusal = expect.objectContaining({
    code: 'version_mismatch',
    members: expect.objectContaining({ currentVersion: 3 }),
  })
  expect(() => assertVersion(object, 2, given())).toThrow(refusal)
  for (const ifMatch of ['"2"', '"03"', '"33", "4"', 'W/"3"'])
    expect(() => assertVersion(object, undefined, given({ ifMatch })), ifMatch).toThrow(refusal)
})

test('a weak tag of the very version is refused with the reason', () => {
  expect(() => assertVersion(object, undefined, given({ ifMatch: 'W/"3"' }))).toThrow(
    expect.objectContaining({ members: expect.objectContaining({ hint: expect.stringContaining('weak') }) }),
  )
})

test('what may not be there, or not in this version, is refused', () => {
  for (const ifNoneMatch of ['*', '"3"', 'W/"3"', '"1", "3"']) {
    expect(() => assertVersion(object, undefined, given({ ifNoneMatch })), ifNoneMatch).toThrow(
      expect.objectContaining({
        code: 'precondition_failed',
        members: expect.objectContaining({ currentVersion: 3 }),
      }),
    )
  }
})

test('of what is not there no version can be matched', () => {
  const refusal = expect.objectContaining({ code: 'precondition_failed' })
  expect(() => assertNoneExpected(1, given())).toThrow(refusal)
  for (const ifMatch of ['"1"', '*']) expect(() => assertNoneExpected(undefined, given({ ifMatch }))).toThrow(refusal)
  expect(() => assertNoneExpected(undefined, given({ ifNoneMatch: '*' }))).not.toThrow()
})
