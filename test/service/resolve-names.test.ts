// What it costs to say `WEB` for an id: nothing where nobody says it, and one statement for each kind of object. That a
// name is taken at each place of an id is seen in test/system/references.test.ts.
import { expect, test } from 'vitest'
import { operationNamed } from '#contract/api.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../../service/execution/call.ts'
import { resolvingNames } from '../../service/resolve-names.ts'
import { namesIn, referencesIn, repeatedIn } from '../../service/validation/references.ts'

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

test('a name is told with its place, and what names an object twice with the second one, list by list', () => {
  const replace = referencesIn(operationNamed('tasks.update').input)!
  const input = { id: one, parentTaskId: one, blockedByIds: [one, two, one], assigneeIds: [two, two, one] }

  const named = { ...input, blockedByIds: [one, 'web-2'] }
  expect(namesIn(named, replace)).toEqual([{ kind: 'task', name: 'web-2', pointer: '/blockedByIds/1' }])
  expect(repeatedIn(input, replace)).toEqual(expect.arrayContaining(['/blockedByIds/2', '/assigneeIds/1']))
  expect(repeatedIn(input, replace)).toHaveLength(2)
})
