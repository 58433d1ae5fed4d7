// What people call an object by, `WEB-42`, `WEB` or `me`, is taken wherever its id is, together with what else a call
// may say. That it is found at each place of each input is seen in test/service/resolve-names.test.ts.
import { beforeAll, expect, test } from 'vitest'
import { v7 as uuid } from 'uuid'
import { operations } from '#contract/api.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { scopes } from '#contract/scopes.ts'
import { referencePlaces } from '../support/input-pointers.ts'
import { must, sharedSystem, type Tenant } from '../support/system.ts'
import { callsOf, told } from './calls.ts'

type Named = { readonly id: string; readonly name: string }

const refusal = (status: number, code: string, errors: object[]) => ({ status, body: { code, errors } })
const withoutOwner = '`me` is the owner of the key, and this key has none here.'

const { system, tenant: ownerless } = sharedSystem('standalone')
let tenant: Tenant
let known: Readonly<Record<'task' | 'project' | 'member', Named>>

beforeAll(async () => {
  const [owner] = must(await ownerless.api('GET', '/api/v1/members')).data
  tenant = await ownerless.key(scopes, { ownerId: owner.id })
  known = { ...(await taskAndProject('WEB')), member: { id: owner.id, name: 'me' } }
})

const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>, who = tenant) =>
  who.api(method, `/api/v1${path}`, body, headers)
const get = async (path: string) => must(await ask('GET', path))

async function taskAndProject(key: string): Promise<{ task: Named; project: Named }> {
  const project = must(await ask('POST', '/projects', { name: key, key }))
  const task = must(await ask('POST', '/tasks', { title: key, projectId: project.id }))
  return { project: { id: project.id, name: key }, task: { id: task.id, name: task.identifier } }
}

test('every place that takes the id of a task, a project or a member takes its name as well', () => {
  const places = operations.flatMap(({ name, audiences, input }) =>
    audiences.includes('api') ? unmarkedIn(input.properties).map((field) => `${name} ${field}`) : [],
  )
  const formatsAt = (path: string) =>
    operations.flatMap(({ http, input }) =>
      http.includes(path) ? [(input.properties['id'] as SchemaNode).format] : [],
    )

  expect(places).toEqual([])
  expect(new Set(formatsAt('/tasks/{id}'))).toEqual(new Set(['task-ref']))
  expect(new Set(formatsAt('/projects/{id}'))).toEqual(new Set(['project-ref']))
  expect(operations.flatMap(({ input }) => referencePlaces(input)).length).toBeGreaterThan(70)
})

const wordsOfIds = /^(?:project|(?:parent)?task|blockedBy|assignee|owner|member|lead)Ids?$/i

/** Fields that are called as ids of them are, and take nothing else. */
function unmarkedIn(properties: object): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const text = JSON.stringify(schema)
    return wordsOfIds.test(name) && !/"format":"(?:task|project|member)-ref/.test(text) ? [name] : []
  })
}

const newTask = async (more = {}) => must(await ask('POST', '/tasks', { title: 'x', projectId: 'WEB', ...more }))
const idsIn = async (query: string): Promise<string[]> =>
  (await get(`/tasks?limit=200&${query}`)).data.map((task: Named) => task.id)

test('names lead to their objects in path, body and filters, alone and in lists, and to nothing in another workspace', async () => {
  const { task, project, member } = known
  const other = callsOf(await system.tenant())
  const comment = must(await ask('POST', '/tasks/web-1/comments', { body: 'x' }))
  const naming = { projectId: 'WEB', parentTaskId: 'WEB-1', blockedByIds: ['WEB-1'], assigneeIds: ['me'] }
  const below = must(await ask('POST', '/tasks', { title: 'Below', ...naming }))

  expect(await get(`/tasks/${task.id}/comments/${comment.id}`)).toMatchObject({ subject: { id: task.id } })
  const ids = { projectId: project.id, parentTaskId: task.id, blockedByIds: [task.id], assigneeIds: [member.id] }
  expect(below).toMatchObject(ids)
  for (const query of ['projectId=web&parentTaskId=web-1', 'assigneeId=me', 'projectId=!NONE&assigneeId=me'])
    expect([query, await idsIn(query)]).toEqual([query, [below.id]])
  expect(await idsIn('projectId=WEB&assigneeId=!me')).toEqual([task.id])
  for (const path of ['/projects/WEB', '/tasks/WEB-1', '/tasks/WEB-1/comments', '/projects/WEB/tasks'])
    expect([path, told(await other.call('GET', path))]).toEqual([path, '404 not_found'])
  const { id: theirs } = await other.post('/projects', { name: 'x' })
  for (const field of ['projectId', 'parentTaskId']) {
    const body = { title: 'x', projectId: theirs, [field]: field === 'projectId' ? 'WEB' : 'WEB-1' }
    expect(told(await other.call('POST', '/tasks', body))).toBe(`422 reference_not_found /${field} not_found`)
  }
  expect(await other.listed('/tasks?projectId=WEB', 'id')).toEqual([])
})

test('former keys and identifiers lead to what has others now, in path, body and filter, and events tell of ids', async () => {
  const { project, task } = await taskAndProject('FORMER')
  const { project: next } = await taskAndProject('NEXT')
  must(await ask('PATCH', '/projects/former', { key: 'LATER' }))
  must(await ask('PATCH', '/tasks/FORMER-1', { projectId: 'NEXT' }))

  expect(await get('/projects/FORMER')).toMatchObject({ id: project.id, key: 'LATER' })
  expect(await get('/tasks/LATER-1')).toMatchObject({ id: task.id, projectId: next.id, identifier: 'NEXT-2' })
  const since = await tenant.lastSequence()
  const below = await newTask({ projectId: 'FORMER', parentTaskId: 'former-1' })
  expect((await get(`/events?after=${since}`)).data).toMatchObject([{ resource: { id: below.id }, data: below }])
  expect(below).toMatchObject({ projectId: project.id, parentTaskId: task.id, identifier: 'LATER-2' })
  expect(await idsIn('projectId=FORMER&parentTaskId=LATER-1')).toEqual([below.id])
  expect(await idsIn('ids=FORMER-1,LATER-2')).toEqual(expect.arrayContaining([below.id, task.id]))
})

test('items of a batch name what they are about and what they refer to, and are refused one by one', async () => {
  const [one, two] = [await newTask(), await newTask()]
  const items = [
    { action: 'create', data: { title: 'x', projectId: 'web', assigneeIds: ['me'], blockedByIds: [one.identifier] } },
    { action: 'update', id: one.identifier, expectedVersion: 1, data: { parentTaskId: known.task.name } },
    { action: 'delete', id: two.identifier },
    { action: 'restore', id: two.identifier },
    { action: 'upsert', externalSource: 'erp', externalId: 'named', data: { title: 'x', projectId: 'WEB' } },
    { action: 'update', id: 'NONE-1', data: { title: 'y' } },
    { action: 'create', data: { title: 'x', projectId: 'NONE' } },
  ]

  const { results } = must(await ask('POST', '/tasks/batch', { items }))

  const [project, parent] = [known.project.id, known.task.id]
  expect(results).toMatchObject([
    { status: 201, data: { projectId: project, assigneeIds: [known.member.id], blockedByIds: [one.id] } },
    { status: 200, data: { id: one.id, parentTaskId: parent } },
    { status: 200, data: null },
    { status: 200, data: { id: two.id, deletedAt: null } },
    { status: 201, data: { projectId: project } },
    { status: 404, problem: { code: 'not_found' } },
    { status: 422, problem: { code: 'reference_not_found', errors: [{ pointer: '/items/6/data/projectId' }] } },
  ])
})

test('an Idempotency-Key stands for the words that were sent: with an id for the name it is another request', async () => {
  const { project } = await taskAndProject('ONCE')
  const headers = { 'idempotency-key': uuid() }
  const send = (projectId: string) => ask('POST', '/tasks', { title: 'Unrepeated', projectId }, headers)

  const made = must(await send('ONCE'))
  must(await ask('PATCH', '/projects/ONCE', { key: 'TWICE' }))
  const again = await send('ONCE')

  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([made, 'true'])
  expect((await send(project.id)).body).toMatchObject({ code: 'idempotency_key_reused' })
  expect(await idsIn('projectId=TWICE&q=Unrepeated')).toEqual([made.id])
})

test('a deleted object is found by its name where it is found by its id, and nowhere else', async () => {
  const { project, task } = await taskAndProject('GONE')
  must(await ask('DELETE', '/projects/GONE'))

  const { status, body } = await ask('GET', '/projects/GONE?includeDeleted=true')
  expect([status, body.id, body.deletedAt]).toEqual([200, project.id, expect.any(String)])
  expect(await get('/tasks/GONE-1?includeDeleted=true')).toMatchObject({ id: task.id })
  for (const path of ['/projects/GONE', '/tasks/GONE-1', '/projects/GONE/tasks', '/tasks/GONE-1/comments'])
    expect((await ask('GET', path)).status).toBe(404)
  const absent = refusal(422, 'reference_not_found', [{ pointer: '/projectId' }])
  expect(await ask('POST', '/tasks', { title: 'x', projectId: 'GONE' })).toMatchObject(absent)
  must(await ask('POST', '/projects/GONE/restore'))
  expect(await get('/tasks/GONE-1')).toMatchObject({ id: task.id })
})

test('a cursor goes on with the name that it was made with, and with the id as well', async () => {
  const { project } = await taskAndProject('PAGES')
  const second = await newTask({ projectId: 'PAGES' })
  const pageOf = (name: string, cursor = '') => get(`/tasks?sort=createdAt&limit=1&projectId=${name}${cursor}`)

  const { page } = await pageOf('PAGES')

  for (const name of ['PAGES', 'pages', project.id])
    expect((await pageOf(name, `&cursor=${page.nextCursor}`)).data).toMatchObject([{ id: second.id }])
  expect(await ask('GET', `/tasks?limit=1&projectId=WEB&cursor=${page.nextCursor}`)).toMatchObject({ status: 400 })
})

test('`me` is the value of a custom field whose values are members, in an object and in a filter', async () => {
  const field = { key: 'buddy', label: 'Buddy', target: 'task', type: 'user' }
  must(await tenant.settings('POST', '/custom-fields', field))
  const { id } = await newTask({ customFields: { buddy: 'me' } })
  const refused = { body: { errors: [{ detail: withoutOwner }] } }

  expect(await get(`/tasks/${id}`)).toMatchObject({ customFields: { buddy: known.member.id } })
  expect(await idsIn('customFields.buddy=me')).toEqual([id])
  expect(await idsIn('customFields.buddy=!me')).not.toContain(id)
  expect(await ask('PATCH', `/tasks/${id}`, { customFields: { buddy: 'me' } }, {}, ownerless)).toMatchObject(refused)
  expect(await ask('GET', '/tasks?customFields.buddy=me', undefined, {}, ownerless)).toMatchObject(refused)
})

test('`me` is nobody for the operator, in another workspace, and for a key without an owner', async () => {
  const refused = refusal(400, 'invalid_parameter', [{ parameter: 'id' }])

  expect(await ask('GET', '/members/me', undefined, {}, ownerless)).toMatchObject(refused)
  expect(await tenant.settings('GET', '/members/me')).toMatchObject(refused)
  expect(await ask('GET', '/members/me')).toMatchObject({ status: 200, body: { id: known.member.id } })
})
