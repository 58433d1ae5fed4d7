import { expect, test } from 'vitest'
import { assertVersion } from '../../service/version.ts'

test('the version that is expected, or none, is fine', () => {
  expect(() => assertVersion(3, 3)).not.toThrow()
  expect(() => assertVersion(3, undefined)).not.toThrow()
})

test('any other is refused with the current one', () => {
  expect(() => assertVersion(3, 2)).toThrow(
    expect.objectContaining({ code: 'version_mismatch', members: { currentVersion: 3 } }),
  )
})
