import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { Fault } from '#contract/fault.ts'
import { inputFrom, type HttpParts } from '../../../service/http/input.ts'

const named = (name: string) => operations.find((operation) => operation.name === name)!
const parts = (given: Partial<HttpParts>): HttpParts => ({
  path: {},
  query: {},
  body: undefined,
  ifMatch: undefined,
  ...given,
})
const faultOf = (name: string, given: Partial<HttpParts>): Fault => {
  try {
    inputFrom(named(name), parts(given))
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown
  }
  throw new Error('was not refused')
}

test('query text is read as what the schema says it is', () => {
  const input = inputFrom(
    named('projects.list'),
    parts({ query: { limit: '3', includeArchived: 'true', status: 'active,paused' } }),
  )

  expect(input).toEqual({ limit: 3, includeArchived: true, status: ['active', 'paused'] })
})

test('text that does not read as its type is left for the schema to refuse', () => {
  const input = inputFrom(named('projects.list'), parts({ query: { limit: '3.5', includeArchived: 'yes' } }))

  expect(input).toEqual({ limit: '3.5', includeArchived: 'yes' })
})

test('an unknown parameter is refused with the nearest name', () => {
  const fault = faultOf('projects.list', { query: { statuss: 'active' } })

  expect(fault.code).toBe('unknown_parameter')
  expect(fault.members.errors).toEqual([
    { parameter: 'statuss', code: 'unknown', detail: 'Unknown parameter. Did you mean `status`?' },
  ])
})

test('a parameter that is given twice is refused', () => {
  expect(faultOf('projects.list', { query: { limit: ['1', '2'] } }).code).toBe('invalid_parameter')
})

test('a write takes no query', () => {
  expect(faultOf('projects.create', { query: { name: 'x' }, body: { name: 'x' } }).code).toBe('unknown_parameter')
})

test('a body holds neither path parameters nor the expected version', () => {
  for (const body of [{ id: 'other' }, { expectedVersion: 1 }]) {
    expect(faultOf('projects.update', { path: { id: 'p' }, body }).code).toBe('unknown_field')
  }
})

test('an unknown field is refused with the nearest name', () => {
  const fault = faultOf('projects.create', { body: { nmae: 'x' } })

  expect(fault.code).toBe('unknown_field')
  expect(fault.members.errors).toEqual([
    { pointer: '/nmae', code: 'unknown', detail: 'Unknown field. Did you mean `name`?' },
  ])
})

test('a body that is no object is refused', () => {
  for (const body of [[], 'text', 7]) expect(faultOf('projects.create', { body }).code).toBe('validation_failed')
})

test('If-Match is the expected version, weak or strong', () => {
  for (const ifMatch of ['"7"', 'W/"7"']) {
    expect(inputFrom(named('projects.update'), parts({ path: { id: 'p' }, body: {}, ifMatch }))).toEqual({
      id: 'p',
      expectedVersion: 7,
    })
  }
})

test('If-Match: * asks for any version, and junk is refused', () => {
  expect(inputFrom(named('projects.delete'), parts({ path: { id: 'p' }, ifMatch: '*' }))).toEqual({ id: 'p' })
  expect(faultOf('projects.delete', { path: { id: 'p' }, ifMatch: '7' }).code).toBe('invalid_header')
})
