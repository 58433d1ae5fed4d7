// The MCP tools that work on many objects or on the workspace as a whole, through the gateway.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { callTool, listTools, type ToolResult } from '../../support/mcp.ts'
import { missingId } from '../../support/client.ts'
import { must, sharedSystem, type Tenant } from '../../support/system.ts'
import { ownedTenant } from '../support/tool-arguments.ts'

const { system } = sharedSystem('standalone')
let tenant: Tenant & { readonly ownerId: string }
let outputs: ReadonlyMap<string, ValidateFunction>

beforeAll(async () => {
  tenant = await ownedTenant(system)
  const listed = await listTools(tenant)
  outputs = new Map(
    listed.map(({ name, outputSchema = {} }) => [name, new Ajv2020({ strict: true }).compile(outputSchema)]),
  )
})

const api = async (method: string, path: string, body?: unknown) =>
  must(await tenant.api(method, `/api/v1/${path}`, body))
const statusOf = async (path: string) => (await tenant.api('GET', `/api/v1/${path}`)).status
const project = async (key: string): Promise<{ id: string }> => api('POST', 'projects', { name: `Project ${key}`, key })
const task = async (projectId: string, title: string, more = {}): Promise<{ id: string; identifier: string }> =>
  api('POST', 'tasks', { projectId, title, ...more })

/** What succeeds fits the schema that the tool is listed with. */
async function run(name: string, args: object = {}, who: Tenant = tenant): Promise<ToolResult> {
  const result = await callTool(who, name, args)
  const fits = outputs.get(name)!
  if (!result.isError) expect([fits(result.structured), fits.errors]).toEqual([true, null])
  return result
}

describe('objects.delete and objects.restore', () => {
  test('each id has an outcome of its own, and what was deleted comes back', async () => {
    const { id } = await project('DELA')
    const [one, two] = [await task(id, 'One'), await task(id, 'Two')]

    const deleted = await run('objects.delete', { type: 'tasks', ids: [one.identifier, missingId, two.id] })
    const gone = await statusOf(`tasks/${one.id}`)
    const restored = await run('objects.restore', { type: 'tasks', ids: [one.id, missingId, two.id] })

    const outcomes = [
      { index: 0, id: one.identifier, ok: true },
      { index: 1, id: missingId, ok: false, code: 'not_found' },
      { index: 2, id: two.id, ok: true },
    ]
    expect(deleted).toMatchObject({ isError: false, structured: { done: 2, refused: 1, outcomes } })
    expect(deleted.text).toMatch(/^Done: 2\. Refused: 1\.\n- 0 deleted: DELA-1\n- 1 delete .*: not_found: /)
    expect(gone).toBe(404)
    expect(restored.structured.outcomes).toMatchObject([
      { ok: true, name: 'One', version: 3 },
      { ok: false, code: 'not_found' },
      { ok: true, name: 'Two' },
    ])
    expect(await statusOf(`tasks/${one.id}`)).toBe(200)
  })

  test('what is only tried, out of date or not deleted stays as it is', async () => {
    const { id } = await project('STAY')
    await api('PATCH', `projects/${id}`, { status: 'active' })
    const ids = { type: 'projects', ids: [id] }

    const tried = await run('objects.delete', { ...ids, dryRun: true })
    const stale = await run('objects.delete', { ...ids, expectedVersion: 1 })
    const never = await run('objects.restore', ids)

    const outcome = { index: 0, id, ok: true, name: 'Project STAY', version: 2 }
    expect(tried.structured).toEqual({ dryRun: true, done: 1, refused: 0, outcomes: [outcome] })
    expect(tried.text).toContain('nothing is changed')
    expect(stale).toMatchObject({ isError: true, structured: { done: 0, outcomes: [{ code: 'version_mismatch' }] } })
    expect(stale.text).toContain('version 2')
    expect(never).toMatchObject({ isError: true, structured: { outcomes: [{ code: 'not_deleted' }] } })
    expect(await statusOf(`projects/${id}`)).toBe(200)
  })

  test('a key that may delete and not write deletes; one that may write and not delete does not', async () => {
    const { id } = await project('SCOPE')
    const deleter = await tenant.key(['projects:delete'])
    const writer = await tenant.key(['projects:write'])
    const ids = { type: 'projects', ids: [id] }

    await expect(run('objects.delete', ids, writer)).rejects.toThrow(/403|scope/)
    const bulk = await run('objects.bulk', { type: 'projects', items: [{ action: 'delete', id }] }, writer)

    expect(bulk.structured.outcomes).toMatchObject([{ ok: false, code: 'insufficient_scope' }])
    expect((await run('objects.delete', ids, deleter)).structured.done).toBe(1)
  })
})

describe('objects.bulk', () => {
  const items = (projectId: string, status: string) => [
    { action: 'create', data: { projectId, title: 'First', assigneeIds: [tenant.ownerId] } },
    { action: 'create', data: { projectId, title: 'Second', status } },
  ]

  test('atomic with a flaw leaves nothing and says what to change; without the flaw it acts, tried first', async () => {
    const { id } = await project('ATOM')
    const before = await tenant.lastSequence()

    const flawed = await run('objects.bulk', { type: 'tasks', atomic: true, items: items(id, 'open') })
    const tried = await run('objects.bulk', { type: 'tasks', atomic: true, dryRun: true, items: items(id, 'todo') })
    const untouched = await tenant.lastSequence()
    const made = await run('objects.bulk', { type: 'tasks', atomic: true, items: items(id, 'todo') })

    expect(flawed).toMatchObject({ isError: true, structured: { done: 0, outcomes: [{ index: 1, ok: false }] } })
    expect(flawed.text).toMatch(/^batch_failed: .*\n- 1 create: validation_failed: `data\.status`: .*todo/)
    expect(tried.structured).toMatchObject({ dryRun: true, done: 2, outcomes: [{ name: 'First' }, { name: 'Second' }] })
    expect(tried.structured.outcomes[0]).not.toHaveProperty('id')
    expect(untouched).toBe(before)
    expect(made.text).toBe(
      'Done: 2. Refused: 0.\n- 0 created: ATOM-1 "First", version 1\n- 1 created: ATOM-2 "Second", version 1',
    )
    expect((await api('GET', `projects/${id}/tasks`)).data).toHaveLength(2)
  })

  test('with one idempotency key it acts once, and another call with that key is refused', async () => {
    const { id } = await project('ONCE')
    const args = { type: 'tasks', items: items(id, 'todo'), idempotencyKey: 'agent-7' }

    const [first, again] = [await run('objects.bulk', args), await run('objects.bulk', args)]
    const other = await run('objects.bulk', { ...args, items: items(id, 'done') })

    expect(again).toEqual(first)
    expect(other).toMatchObject({ isError: true, text: expect.stringMatching(/^idempotency_key_reused:/) })
    expect((await api('GET', `projects/${id}/tasks`)).data).toHaveLength(2)
  })
})

test('objects.count counts by filter and group, with the names of ids', async () => {
  const { id } = await project('COUNT')
  for (const status of ['todo', 'todo', 'done']) await task(id, 'Some', { status })

  const byStatus = await run('objects.count', { type: 'tasks', filter: { projectId: [id] }, groupBy: ['status'] })
  const open = { projectId: [id], status: ['!done'] }
  const byProject = await run('objects.count', { type: 'tasks', filter: open, groupBy: ['projectId'] })

  expect(byStatus.text).toBe('3 tasks\n- todo: 2\n- done: 1')
  expect(byStatus.structured).toMatchObject({ total: 3, groups: [{ value: 'todo' }, { value: 'done', count: 1 }] })
  expect(byProject.structured).toEqual({ total: 2, groups: [{ value: id, name: 'Project COUNT', count: 2 }] })
})

test.each([
  ['objects.count', { type: 'tasks', filter: { statuses: ['todo'] } }, /`filter\.statuses`.*Did you mean `status`/],
  ['objects.count', { type: 'tasks', filter: { status: ['open'] } }, /`filter\.status`.*todo/],
  ['objects.count', { type: 'tasks', groupBy: 'stage' }, /`groupBy`.*priority/],
  ['changes.list', { since: 'yesterday' }, /`since`: Must be a time/],
])('what the operation of %s refuses of %j is named as an argument of the tool', async (name, args, text) => {
  expect(await run(name, args)).toMatchObject({ isError: true, text: expect.stringMatching(text) })
})

describe('search.query', () => {
  test('finds objects by words, and a member to assign', async () => {
    const { id } = await project('FIND')
    const description = 'The zebra contract ends in May.'
    const { id: taskId, identifier } = await task(id, 'Renew zebra contract', { description })

    const found = await run('search.query', { q: 'zebra' })
    const member = await run('search.query', { q: 'ada', types: ['members'] })

    const named = { identifier, title: 'Renew zebra contract', uri: `workspace://tasks/${taskId}` }
    const ada = { type: 'members', id: tenant.ownerId, name: 'Ada' }
    expect(found.structured.data).toMatchObject([{ type: 'tasks', id: taskId, ...named }])
    expect(found.text).toContain('FIND-1')
    expect(member.structured).toMatchObject({ data: [ada], hasMore: false })
    expect(member.text).toContain(tenant.ownerId)
  })

  test('without words it lists custom fields as they are set, and members', async () => {
    const field = { key: 'region', target: 'company', type: 'select', label: 'Sales region', options: ['EU', 'US'] }
    await api('POST', 'custom-fields', field)

    const fields = await run('search.query', { types: ['custom-fields'] })
    const sales = await run('search.query', { q: 'sales', types: ['custom-fields', 'members'] })

    const { key, target, options, type: valueType } = field
    for (const { structured } of [fields, sales])
      expect(structured.data).toMatchObject([{ type: 'custom-fields', key, target, valueType, options }])
  })

  test('leaves out what the key may not read, and refuses it where it is named', async () => {
    const reader = await tenant.key(['tasks:read'])

    const all = await run('search.query', { q: 'ada' }, reader)
    const members = await run('search.query', { q: 'ada', types: ['members'] }, reader)

    expect(all).toMatchObject({ isError: false, structured: { data: [] }, text: 'Nothing found.' })
    expect(members).toMatchObject({ isError: true, structured: { code: 'insufficient_scope' } })
    expect(members.text).toContain('members:read')
  })
})

describe('changes.list', () => {
  test('tells what changed, of which object, by whom and from what to what, and reads on from there', async () => {
    const { id } = await project('CHG')
    const start = await run('changes.list', { limit: 1 })
    const { next } = (await run('changes.list', { since: String(await tenant.lastSequence()) })).structured
    await api('PATCH', `projects/${id}`, { status: 'active', name: 'Renamed' })

    const changed = await run('changes.list', { since: next })
    const later = await run('changes.list', { since: changed.structured.next })

    expect(start.structured.data).toHaveLength(1)
    const changes = { status: ['planned', 'active'], name: ['Project CHG', 'Renamed'] }
    const told = { event: 'projects.updated', id, identifier: 'CHG', name: 'Renamed', by: 'Agent', changes }
    expect(changed.structured).toMatchObject({ hasMore: false, data: [told] })
    expect(changed.text).toMatch(/projects\.updated CHG "Renamed" by Agent: .*status planned → active/)
    expect(later.structured).toEqual({ data: [], next: changed.structured.next, hasMore: false })
    const { eventId } = changed.structured.data[0]
    expect((await api('GET', `events/${eventId}`)).id).toBe(eventId)
  })

  test('of one object gives its own changes and no others, from the first that is kept', async () => {
    const { id } = await project('ONE')
    await project('TWO')
    await api('PATCH', `projects/${id}`, { status: 'active' })

    const { data } = (await run('changes.list', { id })).structured
    const byKey = (await run('changes.list', { id: 'one' })).structured
    const wrong = await run('changes.list', { id: 'NONE' })

    const events = data.map(({ event, identifier }: { event: string; identifier: string }) => [event, identifier])
    expect(events).toEqual([
      ['projects.created', 'ONE'],
      ['projects.updated', 'ONE'],
    ])
    expect(byKey.data).toEqual(data)
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringMatching(/^not_found:/)])
  })

  test('of one object takes its name, with its type where several types have such names', async () => {
    const { id } = await project('NAMED')
    const { id: taskId } = await task(id, 'Named', { externalSource: 'erp', externalId: 'named-1' })
    await api('DELETE', `tasks/${taskId}`)
    const ofTask = async (args: object) =>
      (await run('changes.list', args)).structured.data.map((change: { id: string; event: string }) => [
        change.event,
        change.id,
      ])

    const byIdentifier = await ofTask({ id: 'NAMED-1' })
    const byOwnId = await ofTask({ id: 'ext:erp/named-1', types: ['tasks'] })
    const byEmail = await run('changes.list', { id: 'ada@example.com', types: ['members'] })
    const unclear = await run('changes.list', { id: 'ext:erp/named-1' })

    expect(byIdentifier).toEqual([
      ['tasks.created', taskId],
      ['tasks.deleted', taskId],
    ])
    expect(byOwnId).toEqual(byIdentifier)
    expect(byEmail.isError).toBe(false)
    expect(unclear).toMatchObject({ isError: true, text: expect.stringMatching(/`id`.*`types`/) })
  })

  test('a time, a day, and a page at a time give the same changes, and a type no others', async () => {
    const tasks = (await run('changes.list', { types: ['tasks'] })).structured
    const all = (await run('changes.list', { since: '2020-01-01', limit: 200 })).structured
    const ids = (page: { data: { eventId: string }[] }) => page.data.map(({ eventId }) => eventId)
    const paged: string[] = []
    for (let since = '2020-01-01T00:00:00Z', more = true; more;) {
      const page = (await run('changes.list', { since, limit: 40 })).structured
      paged.push(...ids(page))
      ;({ next: since, hasMore: more } = page)
    }

    expect(paged.slice(0, all.data.length)).toEqual(ids(all))
    expect(new Set(paged).size).toBe(paged.length)
    const kinds = tasks.data.map(({ event }: { event: string }) => event.split('.')[0])
    expect(new Set(kinds)).toEqual(new Set(['tasks']))
  })
})

test('comments are written once with one key, and listed newest first', async () => {
  const { id } = await project('TALK')
  const { id: taskId } = await task(id, 'Talk')
  const subject = { type: 'tasks', id: taskId }
  const args = { ...subject, body: 'First', idempotencyKey: 'c-1' }

  const written = await run('comments.create', args)
  await run('comments.create', args)
  await run('comments.create', { ...subject, body: 'x'.repeat(2_000) })
  const listed = await run('comments.list', subject)
  const full = await run('comments.list', { ...subject, detail: 'full', limit: 1 })
  const older = await run('comments.list', { ...subject, limit: 1, cursor: full.structured.page.nextCursor })

  expect(written.structured).toMatchObject({ subject })
  expect(listed.structured.data).toMatchObject([
    { body: `${'x'.repeat(600)}…`, cutOff: 1_400 },
    { body: 'First', by: 'Agent', id: written.structured.id },
  ])
  expect(listed.text).toContain('1400 characters more')
  expect(full.structured.data[0].body).toBe('x'.repeat(2_000))
  expect(older.structured.data).toMatchObject([{ body: 'First' }])
})

describe('whoami', () => {
  test('names workspace, member, key, scopes and limits', async () => {
    const { structured, text } = await run('whoami')

    expect(structured).toMatchObject({
      workspace: { id: tenant.workspaceId, name: 'Acme', timeZone: 'UTC', currency: 'EUR' },
      me: { id: tenant.ownerId, name: 'Ada', role: 'owner' },
      key: { id: tenant.keyId, name: 'Agent', expiresAt: null },
      rateLimit: { limit: expect.any(Number) },
      hiddenTools: [],
    })
    expect(text).toContain('- tasks:write: Create')
  })

  test('works with any key, and says which tools are hidden and why', async () => {
    const reader = await tenant.key(['tasks:read'])
    const headers = { 'x-mcp-readonly': 'true', 'x-mcp-toolsets': 'context' }

    const few = await run('whoami', {}, reader)
    const narrowed = await callTool(tenant, 'whoami', {}, headers)

    const reasonOf = ({ structured }: ToolResult, tool: string) =>
      structured.hiddenTools.find(({ tools }: { tools: string[] }) => tools.includes(tool))?.reason
    expect(few.structured.me).toBeNull()
    expect(reasonOf(few, 'tasks.create')).toBe('the key lacks the scope tasks:write')
    expect(reasonOf(few, 'objects.delete')).toContain('projects:delete')
    expect(reasonOf(few, 'comments.create')).not.toContain('documents')
    expect(reasonOf(few, 'tasks.list')).toBeUndefined()
    expect(reasonOf(narrowed, 'objects.delete')).toBe('x-mcp-readonly is set')
    expect(reasonOf(narrowed, 'tasks.list')).toBe('x-mcp-toolsets lacks tasks')
  })
})
