// What it costs to say `WEB` for an id: nothing where nobody says it, and one statement for each kind of object.

import { expect, test, describe } from 'vitest'
import { operationNamed, operations } from '#contract/api.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../../service/execution/call.ts'
import { resolvingNames, namesIn, referencesIn, repeatedIn } from '../../service/resolve-names.ts'
import fc from 'fast-check'
import type { Operation } from '#contract/operation.ts'
import { referencePlaces } from '../support/input-pointers.ts'
import { valid } from '../support/arbitrary/valid-value.ts'

const [one, two] = ['01999999-0000-7000-8000-000000000001', '01999999-0000-7000-8000-000000000002']
const create = operationNamed('tasks.create')

/** A call whose database knows every name by the first id, and remembers what it was asked. */
function callOf() {
  const asked: string[] = []
  const answer = (kind: string, rows: unknown) => {
    asked.push(kind)
    return Promise.resolve(rows)
  }
  const db = {
    $queryRaw: ({ strings, values: [given] }: Prisma.Sql) =>
      answer(
        strings.join('').includes('number') ? 'task' : 'project',
        (given as readonly string[]).map((name) => ({ name, id: one })),
      ),
    apiKey: { findFirst: () => answer('member', { ownerId: one }) },
  }
  return { asked, call: { db, workspaceId: 'w', principal: { kind: 'api_key', id: 'k' } } as object as Call }
}

const resolved = async (input: object) => {
  const { asked, call } = callOf()
  const seen = await resolvingNames(create, (given) => Promise.resolve(given))(input, call)
  return { asked, seen }
}

test('all names of a kind are looked up in one statement; ids ask the database nothing, and are not copied', async () => {
  const input = { title: 'x', projectId: one, assigneeIds: [two], parentTaskId: null }
  const named = { projectId: 'web', parentTaskId: 'web-1', blockedByIds: ['web-2', two], assigneeIds: ['me'] }

  const [without, looked] = [await resolved(input), await resolved(named)]

  expect(without.asked).toEqual([])
  expect(without.seen).toBe(input)
  expect(looked.asked.toSorted()).toEqual(['member', 'project', 'task'])
  expect(looked.seen).toEqual({ projectId: one, parentTaskId: one, blockedByIds: [one, two], assigneeIds: [one] })
})

test('an operation that takes no names keeps its own handler', () => {
  const handler = () => Promise.resolve(null)

  expect(resolvingNames(operationNamed('me.get'), handler)).toBe(handler)
  expect(resolvingNames(create, handler)).not.toBe(handler)
})

// The walk over an input finds every name and changes nothing else, for the inputs of all operations.

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
        const written = JSON.stringify(input).replace(`"${sign}${names[kind]}"`, `"${sign}${one}"`)
        expect(JSON.stringify(replaced)).toBe(written)
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

function at(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1)
  return steps.reduce((inner, step) => (inner as Record<string, unknown> | null)?.[step], value)
}
