// The walk over an input finds every name and changes nothing else, for the inputs of all operations.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import type { Operation } from '#contract/operation.ts'
import { namesIn, referencesIn, repeatedIn } from '../../../service/resolve-names.ts'
import { referencePlaces } from '../../support/input-pointers.ts'
import { valid } from '../../support/arbitrary/valid-value.ts'

const [one, two] = ['01999999-0000-7000-8000-000000000001', '01999999-0000-7000-8000-000000000002']
const names = { task: 'web-42', project: 'web', member: 'me', key: 'me' } as const

const taking = operations
  .filter(({ input }) => referencesIn(input) !== null)
  .map((operation): [string, Operation] => [operation.name, operation])

describe.each(taking)('%s', (_name, { input: schema }) => {
  const replace = referencesIn(schema)!

  test('finds the name at each of its places, with its kind, and puts the id there', () => {
    for (const { pointer, kind, isNegatable, inputWith } of referencePlaces(schema)) {
      for (const sign of isNegatable ? ['', '!'] : ['']) {
        const input = inputWith(sign + names[kind])

        expect(namesIn(input, replace)).toContainEqual({ kind, name: names[kind], pointer })
        const replaced = replace(input, (named) => (named.pointer === pointer ? one : named.name))
        expect(at(replaced, pointer)).toBe(sign + one)
        expect(at(input, pointer)).toBe(sign + names[kind])
        expect(JSON.stringify(replaced)).toBe(
          JSON.stringify(input).replace(`"${sign}${names[kind]}"`, `"${sign}${one}"`),
        )
      }
    }
  })

  test('changes nothing where there are no names', () => {
    const draw = { idFor: () => fc.constantFrom(one, two), isQuery: false }
    fc.assert(
      fc.property(valid(schema, draw), (input) => {
        expect(replace(input, ({ name }) => name)).toEqual(input)
        for (const { name } of namesIn(input, replace)) expect(name).not.toHaveLength(one.length)
      }),
      { numRuns: 20 },
    )
  })
})

test('what names an object twice is told where it stands for the second time, list by list', () => {
  const replace = referencesIn(operations.find(({ name }) => name === 'tasks.update')!.input)!
  const input = { id: one, parentTaskId: one, blockedByIds: [one, two, one], assigneeIds: [two, two, one] }

  expect(repeatedIn(input, replace)).toEqual(expect.arrayContaining(['/blockedByIds/2', '/assigneeIds/1']))
  expect(repeatedIn(input, replace)).toHaveLength(2)
})

const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, step) => (inner as Readonly<Record<string, unknown>> | null)?.[step], value)
