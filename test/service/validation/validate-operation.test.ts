// What an answer shows and a call cannot set is refused as such: `unknown` would send whoever reads it looking for a
// typo.

import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import type { Fault } from '#contract/faults/fault.ts'
import { methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames } from '#contract/route-paths.ts'
import { inputFrom } from '../../../service/http/request-input.ts'
import { assertInput } from '../../../service/validation/validate-operation.ts'
import { sampleInput } from '../../support/sample-value.ts'

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

    const overHttp = refusalOf(() =>
      inputFrom(operation, {
        ...{ path, query: {}, ifMatch: undefined, ifNoneMatch: undefined },
        body: { ...rest, [field]: 'x' },
      }),
    )
    const overMcp = inPath.includes(field)
      ? overHttp
      : refusalOf(() => assertInput(operation, { ...given, [field]: 1 }))

    for (const { code, members } of [overHttp, overMcp]) {
      expect([code, members.errors]).toMatchObject([
        'validation_failed',
        [{ pointer: `/${field}`, code: 'read_only', detail: 'Can be read, and not be written here.' }],
      ])
    }
  }
})

test('a name that is neither shown nor taken is unknown', () => {
  const create = operations.find(({ name }) => name === 'projects.create')!

  expect(refusalOf(() => assertInput(create, { name: 'x', createdWhen: 'x', createdAt: 'x' }))).toMatchObject({
    code: 'validation_failed',
    members: {
      errors: [
        { pointer: '/createdWhen', code: 'unknown' },
        { pointer: '/createdAt', code: 'read_only' },
      ],
    },
  })
})

function shownIn(schema: TSchema): Record<string, TSchema> {
  const { properties = {}, anyOf = [] } = schema as { properties?: Record<string, TSchema>; anyOf?: readonly TSchema[] }
  return Object.assign({}, properties, ...anyOf.map(shownIn)) as Record<string, TSchema>
}

function refusalOf(act: () => unknown): Fault {
  try {
    act()
  } catch (thrown) {
    return thrown as Fault
  }
  throw new Error('Nothing was refused')
}
