import { expect, test } from 'vitest'
import { operationNamed } from '#contract/api.ts'
import { assertIfMatch, isNotModified, preconditionsOf } from '../../../service/http/answer.ts'

const readFrom = (name: string, headers: object) => preconditionsOf(operationNamed(name), headers)
const tag = (opaque: string, weak = false) => ({ weak, opaque })

test('a change takes entity tags in lists, weak ones as such, and * for any', () => {
  expect(readFrom('projects.update', { 'if-match': '"7", W/"8"', 'if-none-match': '*' })).toEqual({
    ifMatch: [tag('7'), tag('8', true)],
    ifNoneMatch: '*',
  })
  expect(readFrom('projects.upsert', { 'if-match': '*' })).toEqual({ ifMatch: '*' })
  expect(readFrom('projects.delete', {})).toEqual({})
})

test.each(['7', '"7', '"1" "2"', '', '"1", *'])('%j is no tag, and refused on changes as on reads', (text) => {
  for (const name of ['projects.update', 'projects.get', 'projects.list']) {
    expect(() => readFrom(name, { 'if-none-match': text })).toThrow(
      expect.objectContaining({
        code: 'invalid_header',
        members: { errors: [expect.objectContaining({ header: 'If-None-Match', code: 'wrong_format' })] },
      }),
    )
  }
})

test('where no version can be judged a condition is refused by name', () => {
  const cases = [
    ['projects.create', 'If-None-Match'],
    ['projects.archive', 'If-Match'],
    ['projects.batch', 'If-Match'],
    ['projects.list', 'If-Match'],
  ] as const
  for (const [name, header] of cases) {
    expect(() => readFrom(name, { [header.toLowerCase()]: '"7"' })).toThrow(
      expect.objectContaining({ code: 'invalid_header', message: `${header}: This call takes no ${header}.` }),
    )
  }
})

test('what somebody has is known by one tag of a list, compared whole', () => {
  const known = (ifNoneMatch: string) =>
    isNotModified(readFrom('projects.get', { 'if-none-match': ifNoneMatch }), '"7"')

  expect(['"7"', 'W/"7"', '"6", "7"', '*'].map(known)).toEqual([true, true, true, true])
  expect(['"77"', '"17"', '"a\'7"', '"6","8"', '"6,7,8"'].map(known)).toEqual([false, false, false, false, false])
})

test('a read that must be of one version is refused where it is of another', () => {
  const read = (ifMatch: string) => assertIfMatch(readFrom('projects.get', { 'if-match': ifMatch }), '"7"', 7)

  for (const fine of ['"7"', '"6","7"', '*']) expect(() => read(fine)).not.toThrow()
  for (const other of ['"6"', 'W/"7"']) {
    expect(() => read(other)).toThrow(
      expect.objectContaining({ code: 'version_mismatch', members: { currentVersion: 7 } }),
    )
  }
})

test('of the ETag of an answer that shows more than the object a change is judged by the version, a read by all of it', () => {
  const etag = '"7-0123456789abcdef"'
  const read = (ifMatch: string) => assertIfMatch(readFrom('projects.get', { 'if-match': ifMatch }), etag, 7)

  expect(readFrom('projects.update', { 'if-match': `"6", ${etag}, W/${etag}` })).toEqual({
    ifMatch: [tag('6'), tag('7'), tag('7', true)],
  })
  for (const other of ['7-', '7-0123', '7-0123456789ABCDEF'])
    expect(readFrom('projects.update', { 'if-match': `"${other}"` })).toEqual({ ifMatch: [tag(other)] })
  expect(() => read(etag)).not.toThrow()
  for (const other of ['"7"', '"7-fedcba9876543210"']) expect(() => read(other)).toThrow()
})
