// What people call an object by, `WEB-42`, `WEB` or `me`, is taken wherever its id is: at every place that the contract
// marks, and together with everything else that a call may say.
import { beforeAll, describe, expect, test } from 'vitest'
import { v7 as uuid } from 'uuid'
import { operations } from '#contract/api.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { pathOf, type Operation } from '#contract/operation.ts'
import type { ReferenceKind } from '#contract/references.ts'
import { parameterNames } from '#contract/route-paths.ts'
import { scopes } from '#contract/scopes.ts'
import { requestOf, takesQuery } from '../support/arbitrary/http-request.ts'
import { referencePlaces, type ReferencePlace } from '../support/input-pointers.ts'
import { must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

type Fields = Readonly<Record<string, unknown>>
type Case = ReferencePlace & { readonly operation: Operation }
type Named = { readonly id: string; readonly name: string }

const cases = operations.flatMap((operation) =>
  referencePlaces(operation.input).map((place): Case => ({ ...place, operation })),
)
const titled = (which: (each: Case) => boolean) =>
  cases.filter(which).map((each) => ({ place: `${each.operation.name} ${each.pointer}`, each }))

const refusal = (status: number, code: string, errors: object[]) => ({ status, body: { code, errors } })
const withoutOwner = '`me` is the owner of the key, and this key has none here.'

const isInPath = ({ operation, pointer }: Case): boolean =>
  parameterNames(pathOf(operation)).some((name) => pointer === `/${name}`)
const isInBody = (each: Case): boolean => !takesQuery(each.operation) && !isInPath(each)
/** By whoever made it. Members and keys are called `me` alone. */
const isNamed = ({ kind }: Case): boolean => kind === 'task' || kind === 'project'
const isFilter = (each: Case): boolean => takesQuery(each.operation) && !isInPath(each)

const { system, tenant: ownerless } = sharedSystem('standalone')
let tenant: Tenant
let other: Tenant
let known: Record<ReferenceKind, Named>
let foreign: Named

beforeAll(async () => {
  other = await system.tenant()
  const [owner] = must(await ownerless.api('GET', '/api/v1/members')).data
  tenant = await ownerless.key(scopes, { ownerId: owner.id })
  const me = { member: { id: owner.id, name: 'me' }, key: { id: tenant.keyId, name: 'me' } }
  known = { ...(await taskAndProject('WEB')), ...me }
  foreign = (await taskAndProject('OTHER', other)).project
  await foundByFilters()
}, 60_000)

const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>, who = tenant) =>
  who.api(method, `/api/v1${path}`, body, headers)
const get = async (path: string) => must(await ask('GET', path))

async function taskAndProject(key: string, who = tenant): Promise<{ task: Named; project: Named }> {
  const project = must(await ask('POST', '/projects', { name: key, key }, {}, who))
  const task = must(await ask('POST', '/tasks', { title: key, projectId: project.id }, {}, who))
  return { project: { id: project.id, name: key }, task: { id: task.id, name: task.identifier } }
}

/** Each filter by the known objects finds one of these. */
async function foundByFilters(): Promise<void> {
  const { task, project, member } = known
  const [projectId, parentTaskId, ownerId] = [project.id, task.id, member.id]
  must(
    await ask('POST', '/tasks', {
      title: 'Below',
      projectId,
      parentTaskId,
      blockedByIds: [parentTaskId],
      assigneeIds: [ownerId],
    }),
  )
  must(await ask('POST', '/projects', { name: 'Mine', ownerId, memberIds: [ownerId] }))
  must(await ask('POST', '/crm-entities', { kind: 'company', name: 'Mine', ownerId }))
  must(await ask('POST', '/documents', { title: 'Of the project', projectId }))
}

/** Calls the operation with the value at the place, and with what else it needs. */
async function callWith(each: Case, value: string, who = tenant): Promise<Answer> {
  const { operation, inputWith } = each
  const target = isInPath(each) ? {} : { id: await tenant.make(operation) }
  return send(operation, { ...(inputWith(value) as Fields), ...(await beside(each)), ...target }, who)
}

/** The required references, but for the place itself. */
async function beside({ operation, pointer }: Case): Promise<Fields> {
  const made = Object.entries(await tenant.references(operation))
  return Object.fromEntries(made.filter(([name]) => pointer !== `/${name}`))
}

/** Without what it does not take. */
function send(operation: Operation, input: Fields, who: Tenant): Promise<Answer> {
  const taken = Object.entries(input).filter(([name]) => name in operation.input.properties)
  const { method, url, payload, headers } = requestOf(operation, Object.fromEntries(taken), 'api', who.workspaceId)
  return who.api(method, url, payload, { ...headers })
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
  expect(cases.length).toBeGreaterThan(70)
})

const wordsOfIds = /^(?:project|(?:parent)?task|blockedBy|assignee|owner|member|lead)Ids?$/i

/** Fields that are called as ids of them are, and take nothing else. */
function unmarkedIn(properties: Fields): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const text = JSON.stringify(schema)
    return wordsOfIds.test(name) && !/"format":"(?:task|project|member)-ref/.test(text) ? [name] : []
  })
}

describe('in the path', () => {
  test.each(titled(isInPath))('$place takes the name, which is unknown to another workspace', async ({ each }) => {
    const { operation, kind, inputWith } = each
    const target = kind === 'member' ? known.member : await fresh(each)
    const commentId = await commentBelow(each, target)

    const answer = await send(operation, { ...(inputWith(target.name) as Fields), commentId }, tenant)

    expect([answer.status, answer.body?.code]).toEqual([operation.success, undefined])
    if (operation.success !== 204 && 'id' in answer.body) expect(JSON.stringify(answer.body)).toContain(target.id)
    if (answer.status === 201) expect(answer.headers.get('location')).toContain(target.id)
    if (!isNamed(each)) return
    const elsewhere = (id: string) => send(operation, { ...(inputWith(id) as Fields), commentId: uuid() }, other)
    const [byName, byId] = [await elsewhere(known[kind].name), await elsewhere(uuid())]
    expect(byName.status).toBe(404)
    expect(told(byName)).toEqual(told(byId))
  })

  /** A new object in the state that the operation takes. */
  async function fresh({ operation, kind }: Case): Promise<Named> {
    const id = (await tenant.make(operation)) ?? ''
    const { key, identifier } = await get(`/${kind}s/${id}`)
    if (/\.(?:restore|purge)$/.test(operation.name)) must(await ask('DELETE', `/${kind}s/${id}`))
    return { id, name: identifier ?? key }
  }

  async function commentBelow({ operation, kind }: Case, { id }: Named): Promise<string | undefined> {
    if (!pathOf(operation).includes('{commentId}')) return undefined
    return must(await ask('POST', `/${kind}s/${id}/comments`, { body: 'x' })).id
  }
})

describe('in the body', () => {
  test.each(titled(isInBody))('$place takes the name, and refuses by its place what is unknown', async ({ each }) => {
    const { operation, kind, pointer } = each
    const { id, name } = known[kind]

    const answer = await callWith(each, name)

    expect([answer.body, answer.status]).toEqual([answer.body, operation.creates ? 201 : operation.success])
    expect(at(answer.body, pointer)).toBe(id)
    if (isNamed(each)) {
      const errors = [{ pointer, code: 'not_found' }]
      const refused = await callWith(each, kind === 'task' ? 'NONE-1' : 'NONE')
      expect(refused).toMatchObject(refusal(422, 'reference_not_found', errors))
    }
    if (kind === 'member') {
      const errors = [{ pointer, detail: withoutOwner }]
      const refused = await callWith(each, 'me', ownerless)
      expect(refused).toMatchObject(refusal(422, 'validation_failed', errors))
    }
  })
})

describe('in a filter', () => {
  test.each(titled(isFilter))('$place takes the name, and what is unknown matches nothing', async ({ each }) => {
    const { operation, kind, isNegatable } = each
    const { id, name } = known[kind]
    const answered = async (value: string) => told(await send(operation, inputOf(each, value), tenant))
    const elsewhere = async (value: string) => told(await send(operation, inputOf(each, value, foreign.id), other))

    const byId = await answered(id)

    expect(JSON.stringify(byId)).toMatch(/"data":\[\{|"total":[1-9]/)
    for (const same of [name, name.toLowerCase()]) expect(await answered(same)).toEqual(byId)
    if (isNegatable) {
      const negated = await answered(`!${name}`)
      expect(negated).toEqual(await answered(`!${id}`))
      expect(negated).not.toEqual(byId)
    }
    if (isNamed(each))
      for (const sign of isNegatable ? ['', '!'] : [''])
        expect(await elsewhere(sign + name)).toEqual(await elsewhere(sign + uuid()))
  })
})

describe('together with what else a call may say', () => {
  const newTask = async (more = {}) => must(await ask('POST', '/tasks', { title: 'x', projectId: 'WEB', ...more }))
  const idsIn = async (query: string): Promise<string[]> =>
    (await get(`/tasks?limit=200&${query}`)).data.map((task: Named) => task.id)

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

  test('several values of a filter may be names and ids, and with `!` all but those are found', async () => {
    const { project, task } = await taskAndProject('SEVERAL')

    expect(await idsIn(`projectId=SEVERAL,${known.project.id}&ids=${task.name},${known.task.id}`)).toHaveLength(2)
    const others = await idsIn('projectId=!SEVERAL,!WEB')
    expect(others).not.toContain(task.id)
    expect(others).toEqual(await idsIn(`projectId=!${project.id},!${known.project.id}`))
    expect(await ask('GET', '/tasks?projectId=!SEVERAL,WEB')).toMatchObject({ status: 400 })
  })

  test('If-Match is held against the version of what the identifier names', async () => {
    const { identifier } = await newTask()
    const patch = (tag: string) => ask('PATCH', `/tasks/${identifier}`, { title: tag }, { 'if-match': tag })

    expect((await patch('"1"')).body).toMatchObject({ version: 2 })
    expect(await patch('"1"')).toMatchObject({ status: 412, body: { code: 'version_mismatch', currentVersion: 2 } })
    expect((await ask('DELETE', `/tasks/${identifier}`, undefined, { 'if-match': '"1"' })).status).toBe(412)
    expect((await ask('DELETE', `/tasks/${identifier}`, undefined, { 'if-match': '"2"' })).status).toBe(204)
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

  test('a list that names an object twice, by its name and by its id, is refused at the second', async () => {
    const body = { title: 'x', projectId: 'WEB', assigneeIds: [known.member.id, 'me'] }

    const errors = [{ pointer: '/assigneeIds/1', code: 'not_unique' }]
    expect(await ask('POST', '/tasks', body)).toMatchObject(refusal(422, 'validation_failed', errors))
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
})

/** A list may be that of a project. */
const inputOf = ({ inputWith }: Case, value: string, id = known.project.id): Fields =>
  Object.assign({}, inputWith(value), { id })

/** The body without what differs from call to call. */
const told = ({ body }: Answer): unknown => {
  const { requestId: _requestId, instance: _instance, ...rest } = body
  return rest
}

function at(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1)
  return steps.reduce<unknown>((inner, step) => (inner as Fields | null)?.[step], value)
}
