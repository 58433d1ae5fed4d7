// What an answer shows and a call cannot set is refused as such: `unknown` would send whoever reads it looking for a
// typo.

import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { operationNamed, operations } from '#contract/api.ts'
import { methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames } from '#contract/route-paths.ts'
import { inputFrom } from '../../../service/http/request-input.ts'
import { assertInput } from '../../../service/validation/validate-operation.ts'
import { didYouMean } from '../../../service/validation/unknown-field.ts'
import { sampleInput } from '../../support/sample-value.ts'
import { faultOf } from '../../support/faults.ts'

const writing = operations
  .filter((operation) => ['POST', 'PATCH', 'PUT'].includes(methodOf(operation)) && 'id' in shownIn(operation.output))
  .map((operation): [string, Operation] => [operation.name, operation])

test.each(writing)('%s says of each field that it shows and does not take that it is read-only', (_name, operation) => {
  const inPath = parameterNames(pathOf(operation))
  for (const field of Object.keys(shownIn(operation.output))) {
    if (field in operation.input.properties && !inPath.includes(field)) continue
    const given = sampleInput(operation.input)
    const path = Object.fromEntries(inPath.map((name) => [name, given[name]]))
    const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !inPath.includes(name)))

    const overHttp = faultOf(() =>
      inputFrom(operation, {
        ...{ path, query: {}, ifMatch: undefined, ifNoneMatch: undefined },
        body: { ...rest, [field]: 'x' },
      }),
    )
    const overMcp = inPath.includes(field) ? overHttp : faultOf(() => assertInput(operation, { ...given, [field]: 1 }))

    const errors = [{ pointer: `/${field}`, code: 'read_only', detail: 'Can be read, and not be written here.' }]
    for (const refused of [overHttp, overMcp])
      expect(refused).toMatchObject({ code: 'validation_failed', members: { errors } })
  }
})

test('a name that is neither shown nor taken is unknown', () => {
  const given = { name: 'x', createdWhen: 'x', createdAt: 'x' }

  const fault = faultOf(() => assertInput(operationNamed('projects.create'), given))

  expect(fault?.code).toBe('validation_failed')
  expect(fault?.members.errors?.map(({ pointer, code }) => [pointer, code])).toEqual([
    ['/createdWhen', 'unknown'],
    ['/createdAt', 'read_only'],
  ])
})

const known = ['status', 'dueDate', 'ownerId', 'q', 'externalSource', 'priority']

test.each([
  ['statuss', ' Did you mean `status`?'],
  ['due_date', ' Did you mean `dueDate`?'],
  ['DUEDATE', ' Did you mean `dueDate`?'],
  ['external_source', ' Did you mean `externalSource`?'],
  ['owner', ' Did you mean `ownerId`?'],
  ['sattus', ' Did you mean `status`?'],
  ['prio', ''],
  ['page', ''],
  ['status'.repeat(100_000), ''],
])('%.20s is near one of the known names, or near none:%s', (name, said) => {
  expect(didYouMean(name, known)).toBe(said)
  expect(didYouMean(name, [])).toBe('')
})

function shownIn(schema: TSchema): Record<string, TSchema> {
  const { properties = {}, anyOf = [] } = schema as { properties?: Record<string, TSchema>; anyOf?: readonly TSchema[] }
  return Object.assign({}, properties, ...anyOf.map(shownIn)) as Record<string, TSchema>
}
