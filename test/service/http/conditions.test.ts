import { expect, test } from 'vitest'
import { operationNamed } from '#contract/api.ts'
import { conditions } from '../../../service/http/conditions.ts'

const ifMatch = (name: string, value: string) =>
  conditions(operationNamed(name), { ifMatch: value, ifNoneMatch: undefined })

test('an ETag is the version that it holds', () => {
  expect(ifMatch('projects.update', '"7"')).toEqual({ expectedVersion: 7 })
  expect(ifMatch('projects.upsert', 'W/"7"')).toEqual({ expectedVersion: 7 })
})

test('any version is no condition on what must exist anyhow', () => {
  expect(ifMatch('projects.update', '*')).toEqual({})
  expect(ifMatch('projects.delete', '*')).toEqual({})
})

test('any version is refused on what may not exist yet, for it would be made', () => {
  expect(() => ifMatch('projects.upsert', '*')).toThrow(expect.objectContaining({ code: 'invalid_header' }))
})
