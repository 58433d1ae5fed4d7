// The MCP tools that work on many objects or on the workspace as a whole, through the gateway.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callTool, listTools, type ToolResult } from '../support/mcp.ts'
import { must, startSystem, type System, type Tenant } from '../support/system.ts'

let system: System
let tenant: Tenant
let ada: { id: string }
let outputs: ReadonlyMap<string, ValidateFunction>
const none = '01999999-0000-7000-8000-000000000000'

beforeAll(async () => {
  system = await startSystem('standalone')
  const first = await system.tenant()
  ;[ada] = must(await first.settings('GET', '/members')).data
  tenant = await first.key(await scopesOf(first), { ownerId: ada.id, name: 'Agent' })
  outputs = new Map(
    (await listTools(tenant)).flatMap(({ name, outputSchema }) =>
      outputSchema === undefined ? [] : [[name, new Ajv2020({ strict: true }).compile(outputSchema)]],
    ),
  )
})
afterAll(() => system?.[Symbol.asyncDispose]())

const scopesOf = async ({ api }: Tenant) => must(await api('GET', '/api/v1/me')).scopes
const project = async (key: string): Promise<{ id: string }> =>
  must(await tenant.api('POST', '/api/v1/projects', { name: `Project ${key}`, key }))
const task = async (projectId: string, title: string, more = {}): Promise<{ id: string; identifier: string }> =>
  must(await tenant.api('POST', '/api/v1/tasks', { projectId, title, ...more }))
const get = (segment: string, id: string) => tenant.api('GET', `/api/v1/${segment}/${id}`)

/** What succeeds fits the schema that the tool is listed with. */
async function run(name: string, args: object = {}, who = tenant): Promise<ToolResult> {
  const result = await callTool(who, name, args)
  const fits = outputs.get(name)
  if (!result.isError && fits !== undefined) expect([fits(result.structured), fits.errors]).toEqual([true, null])
  return result
}

describe('objects.delete and objects.restore', () => {
  test('each id has an outcome of its own, and what was deleted comes back', async () => {
    const { id } = await project('DELA')
    const [one, two] = [await task(id, 'One'), await task(id, 'Two')]

    const deleted = await run('objects.delete', { type: 'tasks', ids: [one.identifier, none, two.id] })
    const gone = await get('tasks', one.id)
    const restored = await run('objects.restore', { type: 'tasks', ids: [one.id, none, two.id] })

    expect(deleted).toMatchObject({
      isError: false,
      structured: {
        done: 2,
        refused: 1,
        outcomes: [
          { index: 0, id: one.identifier, ok: true },
          { index: 1, id: none, ok: false, code: 'not_found' },
          { index: 2, id: two.id, ok: true },
        ],
      },
    })
    expect(deleted.text).toMatch(/^Done: 2\. Refused: 1\.\n- 0 deleted: DELA-1\n- 1 delete .*: not_found: /)
    expect(gone.status).toBe(404)
    expect(restored.structured.outcomes).toMatchObject([
      { ok: true, name: 'One', version: 3 },
      { ok: false, code: 'not_found' },
      { ok: true, name: 'Two' },
    ])
    expect((await get('tasks', one.id)).status).toBe(200)
  })

  test('a dry run names what would go, and leaves it', async () => {
    const { id } = await project('DRY')

    const tried = await run('objects.delete', { type: 'projects', ids: [id], dryRun: true })

    expect(tried.structured).toEqual({
      dryRun: true,
      done: 1,
      refused: 0,
      outcomes: [{ index: 0, id, ok: true, name: 'Project DRY', version: 1 }],
    })
    expect(tried.text).toContain('nothing is changed')
    expect((await get('projects', id)).status).toBe(200)
  })

  test('a version that is out of date is refused, with the version that there is', async () => {
    const { id } = await project('STALE')
    must(await tenant.api('PATCH', `/api/v1/projects/${id}`, { status: 'active' }))

    const stale = await run('objects.delete', { type: 'projects', ids: [id], expectedVersion: 1 })
    const two = await run('objects.delete', { type: 'projects', ids: [id, none], expectedVersion: 2 })

    expect(stale).toMatchObject({ isError: true, structured: { done: 0, outcomes: [{ code: 'version_mismatch' }] } })
    expect(stale.text).toContain('version 2')
    expect(two).toMatchObject({ isError: true, text: expect.stringMatching(/^validation_failed:/) })
    expect((await get('projects', id)).status).toBe(200)
  })

  test('what was never deleted is not restored', async () => {
    const { id } = await project('NEVER')

    const { isError, structured } = await run('objects.restore', { type: 'projects', ids: [id] })

    expect({ isError, structured }).toMatchObject({
      isError: true,
      structured: { outcomes: [{ code: 'not_deleted' }] },
    })
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
    { action: 'create', data: { projectId, title: 'First', assigneeIds: [ada.id] } },
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
    expect(must(await tenant.api('GET', `/api/v1/projects/${id}/tasks`)).data).toHaveLength(2)
  })

  test('not atomic, each item is done or refused alone', async () => {
    const { id } = await project('EACH')
    const { identifier, id: taskId } = await task(id, 'Old')

    const { structured } = await run('objects.bulk', {
      type: 'tasks',
      items: [
        { action: 'update', id: taskId, expectedVersion: 7, data: { title: 'New' } },
        { action: 'update', id: taskId, data: { titel: 'New' } },
        { action: 'update', id: taskId, data: { title: 'New' } },
        { action: 'delete', id: taskId },
      ],
    })

    expect(structured).toMatchObject({
      done: 2,
      refused: 2,
      outcomes: [
        { action: 'update', ok: false, code: 'version_mismatch' },
        { action: 'update', ok: false, code: 'unknown_field', detail: expect.stringContaining('title') },
        { action: 'update', ok: true, identifier, name: 'New', version: 2 },
        { action: 'delete', ok: true, id: taskId },
      ],
    })
  })

  test('with one idempotency key it acts once, and another call with that key is refused', async () => {
    const { id } = await project('ONCE')
    const args = { type: 'tasks', items: items(id, 'todo'), idempotencyKey: 'agent-7' }

    const [first, again] = [await run('objects.bulk', args), await run('objects.bulk', args)]
    const other = await run('objects.bulk', { ...args, items: items(id, 'done') })

    expect(again).toEqual(first)
    expect(other).toMatchObject({ isError: true, text: expect.stringMatching(/^idempotency_key_reused:/) })
    expect(must(await tenant.api('GET', `/api/v1/projects/${id}/tasks`)).data).toHaveLength(2)
  })

  test('takes fifty items and no more', async () => {
    const item = { action: 'create', data: { name: 'x' } }

    const many = await run('objects.bulk', { type: 'projects', items: Array.from({ length: 51 }, () => item) })

    expect(many).toMatchObject({ isError: true })
    expect(many.text).toContain('50')
  })
})

describe('objects.count', () => {
  test('counts by filter and group, with the names of ids', async () => {
    const { id } = await project('COUNT')
    await task(id, 'One', { status: 'todo' })
    await task(id, 'Two', { status: 'todo' })
    await task(id, 'Three', { status: 'done' })

    const byStatus = await run('objects.count', { type: 'tasks', filter: { projectId: [id] }, groupBy: 'status' })
    const open = { projectId: [id], status: ['!done'] }
    const byProject = await run('objects.count', { type: 'tasks', filter: open, groupBy: 'projectId' })

    expect(byStatus.text).toBe('3 tasks\n- todo: 2\n- done: 1')
    expect(byStatus.structured).toEqual({
      total: 3,
      groups: [
        { value: 'todo', count: 2 },
        { value: 'done', count: 1 },
      ],
    })
    expect(byProject.structured).toEqual({ total: 2, groups: [{ value: id, name: 'Project COUNT', count: 2 }] })
  })

  test('an unknown filter is refused by name, with the one that was meant; so is a group of another type', async () => {
    const unknown = await run('objects.count', { type: 'tasks', filter: { statuses: ['todo'] } })
    const wrong = await run('objects.count', { type: 'tasks', filter: { status: ['open'] } })
    const group = await run('objects.count', { type: 'tasks', groupBy: 'stage' })

    expect(unknown).toMatchObject({ isError: true })
    expect(unknown.text).toMatch(/`filter\.statuses`.*Did you mean `status`/)
    expect(wrong.text).toMatch(/`filter\.status`.*todo/)
    expect(group.text).toMatch(/`groupBy`.*priority/)
  })
})

describe('search.query', () => {
  test('finds objects by words, and a member to assign', async () => {
    const { id } = await project('FIND')
    const made = await task(id, 'Renew zebra contract', { description: 'The zebra contract ends in May.' })

    const found = await run('search.query', { q: 'zebra' })
    const member = await run('search.query', { q: 'ada', types: ['members'] })

    expect(found.structured.data).toEqual([
      expect.objectContaining({
        type: 'tasks',
        id: made.id,
        identifier: 'FIND-1',
        title: 'Renew zebra contract',
        uri: `workspace://tasks/${made.id}`,
      }),
    ])
    expect(found.text).toContain('FIND-1')
    expect(member.structured).toMatchObject({ data: [{ type: 'members', id: ada.id, name: 'Ada' }], hasMore: false })
    expect(member.text).toContain(ada.id)
  })

  test('without words it lists custom fields as they are set, and members; anything else needs words', async () => {
    const field = { key: 'region', target: 'company', type: 'select', label: 'Sales region', options: ['EU', 'US'] }
    must(await tenant.api('POST', '/api/v1/custom-fields', field))

    const fields = await run('search.query', { types: ['custom-fields'] })
    const sales = await run('search.query', { q: 'sales', types: ['custom-fields', 'members'] })
    const wordless = await run('search.query', { types: ['tasks', 'members'] })
    const nothing = await run('search.query')

    const shown = {
      type: 'custom-fields',
      key: 'region',
      target: 'company',
      valueType: 'select',
      options: ['EU', 'US'],
    }
    expect(fields.structured.data).toMatchObject([shown])
    expect(sales.structured.data).toMatchObject([shown])
    for (const refused of [wordless, nothing])
      expect(refused).toMatchObject({ isError: true, structured: { code: 'validation_failed' } })
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
    must(await tenant.api('PATCH', `/api/v1/projects/${id}`, { status: 'active', name: 'Renamed' }))

    const changed = await run('changes.list', { since: next })
    const later = await run('changes.list', { since: changed.structured.next })

    expect(start.structured.data).toHaveLength(1)
    expect(changed.structured).toMatchObject({
      hasMore: false,
      data: [
        {
          event: 'projects.updated',
          id,
          identifier: 'CHG',
          name: 'Renamed',
          by: 'Agent',
          changes: { status: ['planned', 'active'], name: ['Project CHG', 'Renamed'] },
        },
      ],
    })
    expect(changed.text).toMatch(/projects\.updated CHG "Renamed" by Agent: .*status planned → active/)
    expect(later.structured).toEqual({ data: [], next: changed.structured.next, hasMore: false })
    const { eventId } = changed.structured.data[0]
    expect(must(await tenant.api('GET', `/api/v1/events/${eventId}`)).id).toBe(eventId)
  })

  test('a time, a day, and a page at a time give the same changes', async () => {
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
  })

  test('only of the types that are named; what is no time is refused by the argument’s name', async () => {
    const tasks = await run('changes.list', { types: ['tasks'] })
    const vague = await run('changes.list', { since: 'yesterday' })

    expect(new Set(tasks.structured.data.map(({ event }: { event: string }) => event.split('.')[0]))).toEqual(
      new Set(['tasks']),
    )
    expect(vague).toMatchObject({ isError: true })
    expect(vague.text).toMatch(/`since`: Must be a time/)
  })
})

describe('comments', () => {
  test('written once with one key, and listed newest first', async () => {
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

  test('on what is not there, and on documents, they are refused', async () => {
    const nowhere = await run('comments.create', { type: 'tasks', id: none, body: 'x' })
    const onDocument = await run('comments.list', { type: 'documents', id: none })

    expect(nowhere).toMatchObject({ isError: true, structured: { code: 'not_found' } })
    expect(onDocument).toMatchObject({ isError: true, structured: { code: 'validation_failed' } })
  })
})

describe('whoami', () => {
  test('names workspace, member, key, scopes and limits', async () => {
    const { structured, text } = await run('whoami')

    expect(structured).toMatchObject({
      workspace: { id: tenant.workspaceId, name: 'Acme', timeZone: 'UTC', currency: 'EUR' },
      me: { id: ada.id, name: 'Ada', role: 'owner' },
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
