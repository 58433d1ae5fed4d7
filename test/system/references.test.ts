// What an object is called, `WEB-42`, `me`, `ext:erp/4711` or `ada@example.com`, is taken wherever its id is, together
// with what else a call may say. That it is found at each place of each input is seen in
// test/service/resolve-names.test.ts.
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

const wordsOfIds =
  /^(?:project|(?:parent)?task|blockedBy|assignee|owner|member|lead|(?:parent)?company|contact|crmEntity)Ids?$/i

/** Fields that are called as ids of them are, and take nothing else. */
function unmarkedIn(properties: object): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const text = JSON.stringify(schema)
    return wordsOfIds.test(name) && !/"format":"(?:task|project|member|company|contact|crm-entity)-ref/.test(text)
      ? [name]
      : []
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

test('own ids, emails and domains lead to their objects in path, body, filter and merge, by every kind', async () => {
  const crm = async (body: object) => must(await ask('POST', '/crm-entities', body))
  const own = (externalId: string) => ({ externalSource: 'old/crm', externalId })
  const name = (externalId: string) => `ext:old%2Fcrm/${externalId}`
  const company = await crm({ kind: 'company', name: 'Firm', domains: ['firm.example'], ...own('co/17,8') })
  const contact = await crm({ kind: 'contact', emails: ['Ana@x.example'], companyId: name('co/17,8') })
  const project = must(await ask('POST', '/projects', { name: 'x', companyId: 'domain:Firm.example', ...own('p') }))
  const email = must(await ask('GET', `/members/${known.member.id}`)).email.toUpperCase()
  const naming = { ownerId: email, companyId: 'domain:firm.example', contactIds: ['email:ana@X.example'] }
  const deal = await crm({ kind: 'deal', name: 'Deal', ...naming })
  const task = await newTask({
    projectId: name('p'),
    assigneeIds: [`email:${email}`],
    crmEntityIds: [name('co/17,8'), 'ana@x.example'],
    ...own('T'),
  })
  const document = must(
    await ask('POST', '/documents', { title: 'x', crmEntityId: 'email:ana@x.example', ...own('d') }),
  )
  const listed = async (path: string) => (await get(path)).data.map(({ id }: Named) => id)
  const inPath = (text: string) => encodeURIComponent(text)

  expect(contact).toMatchObject({ companyId: company.id })
  expect(project).toMatchObject({ companyId: company.id })
  expect(deal).toMatchObject({ ownerId: known.member.id, companyId: company.id, contactIds: [contact.id] })
  const related = { assigneeIds: [known.member.id], crmEntityIds: [company.id, contact.id] }
  expect(task).toMatchObject({ projectId: project.id, ...related })
  expect(document).toMatchObject({ crmEntityId: contact.id })
  for (const [path, id] of [
    [`/crm-entities/${inPath(name('co/17,8'))}`, company.id],
    ['/crm-entities/domain:firm.example', company.id],
    ['/crm-entities/ana@x.example', contact.id],
    [`/projects/${inPath(name('p'))}`, project.id],
    [`/tasks/${inPath(name('T'))}`, task.id],
    [`/documents/${inPath(name('d'))}`, document.id],
    [`/members/${email}`, known.member.id],
  ] as const)
    expect([path, (await get(path)).id]).toEqual([path, id])
  const ofCompany = `companyId=${inPath(name('co/17\\,8'))}`
  for (const [path, ids] of [
    [`/crm-entities?sort=createdAt&${ofCompany}`, [contact.id, deal.id]],
    ['/crm-entities?contactId=email:ana@x.example', [deal.id]],
    ['/crm-entities?kind=deal&companyId=!domain:firm.example', []],
    [`/tasks?crmEntityId=ana@x.example&assigneeId=${email}`, [task.id]],
    [`/tasks?ids=${inPath(name('T'))},${inPath(name('t'))}`, [task.id]],
    ['/documents?crmEntityId=domain:firm.example,ana@x.example', [document.id]],
    ['/projects?companyId=domain:nobody.example', []],
  ] as const)
    expect([path, await listed(path)]).toEqual([path, ids])
  const other = await crm({ kind: 'company', name: 'Twin', ...own('twin') })
  const merged = await ask('POST', `/crm-entities/domain:firm.example/merge`, { sourceId: name('twin') })
  expect(must(merged)).toMatchObject({ id: company.id })
  expect(await get(`/crm-entities/${other.id}`)).toMatchObject({ id: company.id })
})

test.each([
  [
    'an own id',
    'POST',
    '/tasks',
    { title: 'x', projectId: 'ext:erp/none' },
    '/projectId',
    'No project is called `ext:erp/none`.',
  ],
  [
    'a domain',
    'POST',
    '/projects',
    { name: 'x', companyId: 'domain:none.example' },
    '/companyId',
    'No company is called `domain:none.example`.',
  ],
  [
    'an email',
    'PATCH',
    '/tasks/WEB-1',
    { assigneeIds: ['me', 'none@x.example'] },
    '/assigneeIds/1',
    'No member is called `none@x.example`.',
  ],
])('%s that nothing has is refused with its text', async (_what, method, path, body, pointer, detail) => {
  expect(await ask(method, path, body)).toMatchObject(
    refusal(422, 'reference_not_found', [{ pointer, code: 'not_found', detail }]),
  )
})

test('text that is no name of its kind is refused, and says which forms there are', async () => {
  for (const [path, body, pointer] of [
    ['/crm-entities', { kind: 'deal', name: 'x', companyId: 'email:ada@x.example' }, '/companyId'],
    ['/crm-entities', { kind: 'deal', name: 'x', contactIds: ['domain:x.example'] }, '/contactIds/0'],
    ['/crm-entities', { kind: 'deal', name: 'x', companyId: 'ext:50%/1' }, '/companyId'],
    ['/tasks', { title: 'x', projectId: 'ada@x.example' }, '/projectId'],
    ['/tasks', { title: 'x', projectId: 'WEB', parentTaskId: '#0' }, '/parentTaskId'],
  ] as const)
    expect([pointer, await ask('POST', path, body)]).toMatchObject([
      pointer,
      refusal(422, 'validation_failed', [{ pointer, code: 'wrong_format', detail: expect.stringContaining('UUID') }]),
    ])
})

test('emails and domains are looked up only for keys that may read whose they are; own ids and keys for all', async () => {
  const writer = await ownerless.key(['tasks:write', 'projects:write', 'crm-entities:write', 'tasks:read'])
  const send = (method: string, path: string, body?: object) => ask(method, path, body, {}, writer)
  const lacking = (scope: string) => ({ status: 403, body: { code: 'insufficient_scope', requiredScopes: [scope] } })
  must(await ask('POST', '/projects', { name: 'x', externalSource: 'erp', externalId: 'own' }))

  for (const assigneeId of ['known@x.example', 'email:none@x.example']) {
    const body = { title: 'x', projectId: 'ext:erp/own', assigneeIds: [assigneeId] }
    expect(await send('POST', '/tasks', body)).toMatchObject(lacking('members:read'))
    expect(await send('GET', `/tasks?assigneeId=${assigneeId}`)).toMatchObject(lacking('members:read'))
  }
  expect(await send('GET', '/tasks?crmEntityId=domain:x.example')).toMatchObject({ status: 200 })
  const reader = await ownerless.key(['tasks:write'])
  const named = await ask('GET', '/tasks?crmEntityId=domain:x.example', undefined, {}, reader)
  expect(named).toMatchObject(lacking('crm-entities:read'))
  must(await send('POST', '/tasks', { title: 'x', projectId: 'ext:erp/own' }))
})

test('an email is the value of a custom field whose values are members', async () => {
  const field = { key: 'deputy', label: 'Deputy', target: 'task', type: 'user' }
  must(await tenant.settings('POST', '/custom-fields', field))
  const { email } = await get(`/members/${known.member.id}`)

  const { id, customFields } = await newTask({ customFields: { deputy: email.toUpperCase() } })

  expect(customFields).toEqual({ deputy: known.member.id })
  expect(await idsIn(`customFields.deputy=email:${email}`)).toEqual([id])
  expect(await idsIn(`customFields.deputy=none@x.example`)).toEqual([])
  expect(await ask('PATCH', `/tasks/${id}`, { customFields: { deputy: 'none@x.example' } })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/customFields/deputy', detail: 'No member is called `none@x.example`.' }] },
  })
})

test('`#3` in an item of a batch is the object of the earlier item 3, in its data and in the place of its id', async () => {
  const items = [
    { action: 'create', data: { kind: 'company', name: 'First', domains: ['first.example'] } },
    { action: 'create', data: { kind: 'contact', firstName: 'Ada', companyId: '#0', emails: ['ada@first.example'] } },
    { action: 'create', data: { kind: 'deal', name: 'D', companyId: 'domain:first.example', contactIds: ['#1'] } },
    { action: 'update', id: '#1', data: { companyId: null } },
    { action: 'create', data: { kind: 'company', name: '' } },
    { action: 'create', data: { kind: 'contact', firstName: 'Bo', companyId: '#4' } },
    { action: 'delete', id: '#5' },
    { action: 'create', data: { kind: 'contact', firstName: 'Cy', companyId: '#7' } },
    { action: 'create', data: { kind: 'deal', name: 'E', ownerId: '#0' } },
    { action: 'delete', id: '#3' },
    { action: 'create', data: { kind: 'deal', name: 'F', contactIds: ['#9'] } },
  ]

  const { results } = must(await ask('POST', '/crm-entities/batch', { items }))

  const [company, contact] = [results[0].data?.id, results[1].data?.id]
  const refused = (pointer: string, status: number, code: string) => ({
    status,
    problem: { code, errors: [{ pointer }] },
  })
  expect(results).toMatchObject([
    { status: 201 },
    { status: 201, data: { companyId: company } },
    { status: 201, data: { companyId: company, contactIds: [contact] } },
    { status: 200, data: { id: contact, companyId: null } },
    { status: 422 },
    { ...refused('/items/5/data/companyId', 424, 'depends_on_failed'), problem: { failedIndex: 4 } },
    { status: 424, problem: { failedIndex: 5, reason: 'not_found' } },
    refused('/items/7/data/companyId', 422, 'reference_not_found'),
    refused('/items/8/data/ownerId', 422, 'validation_failed'),
    { status: 200, data: null },
    refused('/items/10/data/contactIds/0', 422, 'reference_not_found'),
  ])
})
