// What it costs to say `WEB` for an id: nothing where nobody says it, and one statement for each kind of object.
import { expect, test } from 'vitest'
import { operationNamed } from '#contract/api.ts'
import type { Call } from '../../../service/execution/call.ts'
import { resolvingNames } from '../../../service/resolve-names.ts'

const ids = ['01999999-0000-7000-8000-000000000001', '01999999-0000-7000-8000-000000000002'] as const
const create = operationNamed('tasks.create')

/** A call whose database knows every name by the first id, and remembers what it was asked. */
function callOf() {
  const asked: string[] = []
  const answer = (kind: string, rows: unknown) => {
    asked.push(kind)
    return Promise.resolve(rows)
  }
  const db = {
    $queryRaw: (text: TemplateStringsArray, given: readonly string[]) =>
      answer(
        text.join('').includes('number') ? 'task' : 'project',
        given.map((name) => ({ name, id: ids[0] })),
      ),
    apiKey: { findFirst: () => answer('member', { ownerId: ids[0] }) },
  }
  return { asked, call: { db, workspaceId: 'w', principal: { kind: 'api_key', id: 'k' } } as object as Call }
}

const resolved = async (input: object) => {
  const { asked, call } = callOf()
  const seen = await resolvingNames(create, (given) => Promise.resolve(given))(input, call)
  return { asked, seen }
}

test('a call with ids alone asks the database nothing, and its input is not copied', async () => {
  const input = { title: 'x', projectId: ids[0], assigneeIds: [ids[1]], parentTaskId: null }

  const { asked, seen } = await resolved(input)

  expect(asked).toEqual([])
  expect(seen).toBe(input)
})

test('all names of a kind are looked up in one statement', async () => {
  const input = {
    title: 'x',
    projectId: 'web',
    parentTaskId: 'web-1',
    blockedByIds: ['web-2', ids[1]],
    assigneeIds: ['me'],
  }

  const { asked, seen } = await resolved(input)

  expect(asked.toSorted()).toEqual(['member', 'project', 'task'])
  expect(seen).toEqual({
    title: 'x',
    projectId: ids[0],
    parentTaskId: ids[0],
    blockedByIds: [...ids],
    assigneeIds: [ids[0]],
  })
})

test('an operation that takes no names keeps its own handler', () => {
  const handler = () => Promise.resolve(null)

  expect(resolvingNames(operationNamed('me.get'), handler)).toBe(handler)
  expect(resolvingNames(create, handler)).not.toBe(handler)
})
