// What an integrator relies on who sends many changes in one request. An item that is refused only because an earlier
// one was says so, and one with a fault of its own does not.
import { describe, expect, test } from 'vitest'
import { batchItemsMax } from '#contract/collection/batch.ts'
import { scopes } from '#contract/scopes.ts'
import { missingId } from '../support/client.ts'
import { callTool } from '../support/mcp.ts'
import { describeMode, describeOnce, sharedSystem, type Tenant } from '../support/system.ts'
import { callsOf, told, toldEach, type Body } from './calls.ts'

type Sending = { readonly segment?: string; readonly atomic?: boolean }

const erp = (externalId: string) => ({ externalSource: 'erp', externalId })
const make = (data: object) => ({ action: 'create', data })
const update = (id: string, data: object, more = {}) => ({ action: 'update', id, data, ...more })
const named = (name: string) => make({ name })

function batchesOf(tenant: Tenant) {
  const { call, post, ...calls } = callsOf(tenant)
  const send = (items: readonly object[], { segment = 'projects', ...more }: Sending = {}) =>
    call('POST', `/${segment}/batch`, { items, ...more })
  const resultsOf = async (...sent: Parameters<typeof send>): Promise<Body[]> => (await send(...sent)).body.results
  return {
    ...calls,
    call,
    post,
    send,
    resultsOf,
    project: (body: object = {}) => post('/projects', { name: 'Website', ...body }),
    read: (id: string) => calls.get(`/projects/${id}`),
    /** Each item's code, with the index that it names. */
    codes: async (...sent: Parameters<typeof send>): Promise<string[]> =>
      (await resultsOf(...sent)).map(({ status, problem }) =>
        [problem?.code ?? status, problem?.failedIndex].filter((part) => part !== undefined).join(' '),
      ),
  }
}

describeOnce('batches', (mode) => {
  const { tenant } = sharedSystem(mode)
  const { send, resultsOf, project, post, read, remove, get, call, eventsAfter } = batchesOf(tenant)

  test('each item has the answer of the single call', async () => {
    const [first, second, gone] = [await project(), await project(), await project()]
    await remove(`/projects/${gone.id}`)

    const { status, body } = await send([
      make({ name: 'New', labels: ['a'] }),
      update(first.id, { name: 'Changed' }),
      { action: 'upsert', ...erp('a/b'), data: { name: 'Ours' } },
      { action: 'upsert', ...erp('a/b'), data: { priority: 'high', name: 'Ours' } },
      { action: 'delete', id: second.id },
      { action: 'delete', id: second.id },
      { action: 'restore', id: gone.id },
      { action: 'update', ...erp('a/b'), data: { name: 'Own' }, expectedVersion: 2 },
      { action: 'delete', ...erp('a/b'), expectedVersion: 2 },
      { action: 'delete', ...erp('a/b'), expectedVersion: 3 },
      { action: 'restore', ...erp('a/b') },
    ])

    const like = (data: object) => expect.objectContaining(data)
    expect(status).toBe(200)
    expect(body.results).toMatchObject([
      { index: 0, status: 201, data: like({ name: 'New', labels: ['a'], version: 1 }) },
      { index: 1, status: 200, data: like({ id: first.id, name: 'Changed', version: 2 }) },
      { index: 2, status: 201, data: like({ externalId: 'a/b', version: 1 }) },
      { index: 3, status: 200, data: like({ priority: 'high', version: 2 }) },
      { index: 4, status: 200, data: null },
      { index: 5, status: 200, data: null },
      { index: 6, status: 200, data: like({ id: gone.id, deletedAt: null, version: 3 }) },
      { index: 7, status: 200, data: like({ name: 'Own', version: 3 }) },
      { index: 8, status: 412, problem: like({ code: 'version_mismatch', currentVersion: 3 }) },
      { index: 9, status: 200, data: null, ...erp('a/b') },
      { index: 10, status: 200, data: like({ name: 'Own', deletedAt: null, version: 5 }) },
    ])
    for (const { data } of [0, 1, 6, 10].map((at) => body.results[at])) expect(await read(data.id)).toEqual(data)
  })

  test('atomic: all items succeed, or none does and the refused ones are named', async () => {
    const { id } = await project()
    const before = await tenant.lastSequence()
    const fine = [make({ name: 'Never', ...erp('never') }), update(id, { name: 'Never' })]

    const refused = await send([...fine, update(missingId, { name: 'x' }), make({})], { atomic: true })
    const lost = await call('GET', '/projects/by-external-id/erp/never')
    const silent = await tenant.lastSequence()
    const done = await resultsOf([named('Both'), update(id, { name: 'Both' })], { atomic: true })

    expect(told(refused)).toBe('422 batch_failed')
    expect(refused.body.results.map(({ index }: Body) => index)).toEqual([2, 3])
    const ofName = '422 validation_failed /items/3/data/name required'
    expect(toldEach(refused.body.results)).toEqual(['404 not_found', ofName])
    expect([lost.status, silent]).toEqual([404, before])
    expect([toldEach(done), (await read(id)).name]).toEqual([['201', '200'], 'Both'])
  })

  test('events and times come in the order of items, without gaps, and none for what was refused or is as it was', async () => {
    const { id } = await project()
    const before = await tenant.lastSequence()

    const results = await resultsOf([
      update(id, { name: 'Second' }),
      make({}),
      named('Third'),
      update(id, { name: 'Second' }),
      { action: 'delete', id: missingId },
      named('Fourth'),
      { action: 'delete', id },
    ])
    const next = await project()

    const events = await eventsAfter(before)
    const types = ['updated', 'created', 'created', 'deleted', 'created'].map((what) => `projects.${what}`)
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual(types.map((type, n) => [type, before + 1 + n]))
    const times: string[] = [...[0, 2, 5].map((at) => results[at].data.updatedAt), next.updatedAt]
    expect(times).toEqual([...new Set(times)].toSorted())
  })

  test('what only the database refuses, as a duplicate value, fails its item and none after it', async () => {
    const { id: projectId } = await project({ key: 'SPOIL' })
    const parent = await post('/tasks', { projectId, title: 'Parent' })
    const task = (title: string, more = {}) => make({ projectId, title, ...more })

    const results = await resultsOf([
      make({ name: 'a', key: 'SPOIL' }),
      make({ name: 'b', key: 'FRESH' }),
      make({ name: 'c', key: 'FRESH' }),
      make({ name: 'd', ...erp('same') }),
      make({ name: 'e', ...erp('same') }),
      named('f'),
    ])
    const own = update(parent.id, { parentTaskId: parent.id })
    const tasks = await resultsOf([task('Child', { parentTaskId: parent.id }), own, task('Last')], { segment: 'tasks' })

    expect(results.map(({ status }) => status)).toEqual([409, 201, 409, 201, 409, 201])
    expect(results[2].problem).toMatchObject({ code: 'duplicate', field: 'key', existingId: results[1].data.id })
    expect(toldEach(tasks)).toEqual(['201', '422 validation_failed /items/1/data/parentTaskId wrong_format', '201'])
    expect([tasks[0].data.number, tasks[2].data.number]).toEqual([2, 3])
  })

  test('an item that is refused takes no event and no quota, and an external id is free until an item has it', async () => {
    const { usage } = await get('/workspaces/current')
    await tenant.settings('PATCH', '', { quotas: { objects: usage.objects + 4 } })
    const before = await tenant.lastSequence()
    const upsert = (externalId: string, data: object) => ({ action: 'upsert', ...erp(externalId), data })

    const results = await resultsOf([
      upsert('late-1', { name: 'a', key: 'LATER' }),
      upsert('late-2', { name: 'b', key: 'LATER' }),
      upsert('late\u0000', { name: 'b' }),
      upsert('late-1', { name: 'a again' }),
      upsert('late-2', { name: 'c' }),
      make({ name: 'd', ...erp('late-2') }),
      make({ name: 'e' }),
      make({ name: 'f' }),
      make({ name: 'One too many' }),
    ])
    await tenant.settings('PATCH', '', { quotas: { objects: null } })
    await project()

    expect(results.map(({ status, problem, outcome }) => [status, problem?.code ?? outcome ?? null])).toEqual([
      [201, 'created'],
      [409, 'duplicate'],
      [422, 'validation_failed'],
      [200, 'updated'],
      [201, 'created'],
      [409, 'duplicate'],
      [201, null],
      [201, null],
      [409, 'quota_reached'],
    ])
    expect(results[3].data.id).toBe(results[0].data.id)
    const made = ['created', 'updated', 'created', 'created', 'created', 'created'].map((what) => `projects.${what}`)
    const events = await eventsAfter(before)
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual(made.map((type, n) => [type, before + 1 + n]))
  })

  test('an item that only the database refuses, when others have changed and it has itself, leaves nothing behind', async () => {
    const { id: projectId } = await project({ key: 'LATE' })
    const { usage } = await get('/workspaces/current')
    await tenant.settings('PATCH', '', { quotas: { objects: usage.objects + 4 } })
    const before = await tenant.lastSequence()
    const task = (title: string, more = {}) => make({ projectId, title, ...more })
    const deepest = Array.from({ length: 2 }, (_, n) => task(`${n}`, n === 0 ? {} : { parentTaskId: '#0' }))
    const circle = { action: 'update', id: '#0', data: { title: 'Changed', blockedByIds: ['#1'] } }

    const results = await resultsOf(
      [
        ...deepest,
        { action: 'update', id: '#1', data: { blockedByIds: ['#0'] } },
        circle,
        task('Below itself', { parentTaskId: '#3' }),
        task('Third'),
        task('Fourth'),
        task('One too many'),
      ],
      { segment: 'tasks' },
    )
    await tenant.settings('PATCH', '', { quotas: { objects: null } })

    expect(toldEach(results)).toEqual([
      '201',
      '201',
      '200',
      '422 validation_failed /items/3/data/blockedByIds wrong_format',
      '424 depends_on_failed /items/4/data/parentTaskId not_found',
      '201',
      '201',
      '409 quota_reached',
    ])
    expect(results.map(({ data }) => data?.number ?? null)).toEqual([1, 2, 2, null, null, 3, 4, null])
    expect(await get(`/tasks/${results[0].data.id}`)).toMatchObject({ title: '0', version: 1, blockedByIds: [] })
    const events = await eventsAfter(before)
    const types = ['created', 'created', 'updated', 'created', 'created'].map((what) => `tasks.${what}`)
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual(types.map((type, n) => [type, before + 1 + n]))
  })

  test('what the database refuses to make takes no quota: what comes after it still fits', async () => {
    const { id: projectId } = await project()
    const { usage } = await get('/workspaces/current')
    // A task lies below at most four others.
    const chain = Array.from({ length: 6 }, (_, n) =>
      make({ projectId, title: `${n}`, ...(n > 0 && { parentTaskId: `#${n - 1}` }) }),
    )
    await tenant.settings('PATCH', '', { quotas: { objects: usage.objects + 6 } })

    const results = await resultsOf([...chain, make({ projectId, title: 'Fits' })], { segment: 'tasks' })
    await tenant.settings('PATCH', '', { quotas: { objects: null } })

    expect(toldEach(results)).toEqual([
      ...chain.slice(0, 5).map(() => '201'),
      '422 validation_failed /items/5/data/parentTaskId too_large',
      '201',
    ])
  })

  test('as many items as a batch may have succeed, each in its place', async () => {
    const names = Array.from({ length: batchItemsMax }, (_, n) => `Project ${n}`)

    const results = await resultsOf(names.map(named))

    expect(results.map(({ status, data }) => [status, data.name])).toEqual(names.map((name) => [201, name]))
  })

  test('batches at the same time do not block each other', async () => {
    const { id } = await project()
    const items = [1, 2, 3].map((n) => update(id, { name: `Name ${n}` }))

    const answers = await Promise.all(Array.from({ length: 8 }, () => send(items)))

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await get(`/projects/${id}`)).version).toBe(25)
  })
})

describeMode('an item that is refused', 'distributed', () => {
  const { system, tenant } = sharedSystem('distributed')
  const { resultsOf, codes, project, post, remove } = batchesOf(tenant)
  const careful = (who: Tenant) => who.key(scopes.filter((scope) => scope !== 'projects:delete'))

  test('says what is wrong and where in the body, and the others succeed', async () => {
    const [owner] = (await callsOf(tenant).get('/members')).data
    const [{ id }, other] = [await project({ status: 'completed' }), await project()]

    const cases: [object, string][] = [
      [make({ labels: ['a', 'a'] }), '422 validation_failed /data/name required /data/labels not_unique'],
      [make({ name: 'x', memberIds: [owner.id, missingId] }), '422 reference_not_found /data/memberIds/1 not_found'],
      [{ action: 'update', data: { name: 'x' } }, '422 validation_failed /id required'],
      [update('?', { name: 'x' }), '422 validation_failed /id wrong_format'],
      [update(missingId, { name: 'x' }), '404 not_found'],
      [update(id, { status: 'paused' }), '409 invalid_transition'],
      [{ action: 'upsert', externalId: '1', data: { name: 'x' } }, '422 validation_failed /externalSource required'],
      [{ action: 'delete', id, data: { name: 'x' } }, '422 unknown_field /data/name unknown'],
      [{ action: 'restore', id: other.id }, '409 not_deleted'],
      [update(id, { id: missingId, createdAt: 'x' }), '422 unknown_field /data/id unknown'],
      [{ ...make({ name: 'x', externalId: '2' }), ...erp('1') }, '422 unknown_field /data/externalId unknown'],
      [{ action: 'restore', externalSource: 'erp' }, '422 validation_failed /externalId required'],
      [{ action: 'delete', ...erp('none') }, '404 not_found'],
      [{ action: 'delete', id: 'WEB', ...erp('1') }, '422 unknown_field /externalSource unknown /externalId unknown'],
      [named('Done'), '201'],
    ]
    const results = await resultsOf(cases.map(([item]) => item))

    const found = toldEach(results).map((text, at) => text.replaceAll(`/items/${at}/`, '/'))
    expect(found).toEqual(cases.map(([, expected]) => expected))
    for (const { index, status, problem } of results.slice(0, -1))
      expect(problem).toMatchObject({ status, instance: `#/items/${index}`, requestId: expect.any(String) })
  })

  test('for a scope that the key lacks, or for a custom field, is refused alone', async () => {
    const fresh = await system.tenant()
    const field = { key: 'size', target: 'project', type: 'number', label: 'Size', required: true }
    await callsOf(fresh).post('/custom-fields', field)
    const sized = (size: unknown) => make({ name: 'x', customFields: { size } })
    const items = [sized(7), named('x'), sized('large'), { action: 'delete', id: missingId }]

    const results = await batchesOf(await careful(fresh)).resultsOf(items)

    expect(toldEach(results)).toEqual([
      '201',
      '422 validation_failed /items/1/data/customFields/size required',
      '422 validation_failed /items/2/data/customFields/size wrong_type',
      '403 insufficient_scope',
    ])
    expect(results[0].data.customFields).toEqual({ size: 7 })
    expect(results[3].problem.requiredScopes).toEqual(['projects:delete'])
  })

  describe('is told', () => {
    test('that the object it names was not made, by the id of its caller or by a key', async () => {
      const bad = { name: 'x', priority: 'extreme' }
      const y = { data: { name: 'y' } }
      const cases: [object, string][] = [
        [{ action: 'upsert', ...erp('a'), data: bad }, 'validation_failed'],
        [{ action: 'update', ...erp('a'), ...y }, 'depends_on_failed 0'],
        [{ action: 'delete', ...erp('a') }, 'depends_on_failed 0'],
        [make({ ...bad, ...erp('b') }), 'validation_failed'],
        [{ action: 'restore', ...erp('b') }, 'depends_on_failed 3'],
        [make({ ...bad, key: 'NEVER' }), 'validation_failed'],
        [update('never', { name: 'y' }), 'depends_on_failed 5'],
        [{ action: 'update', ...erp('c'), ...y }, 'not_found'],
        [{ action: 'merge', ...erp('c') }, 'validation_failed'],
        [{ action: 'delete', ...erp('c') }, 'not_found'],
      ]

      expect(await codes(cases.map(([item]) => item))).toEqual(cases.map(([, code]) => code))
    })

    test('the reason that it has by itself, over HTTP and in `objects.bulk`', async () => {
      const items = [
        { action: 'upsert', ...erp('reason'), data: { name: 'a\u0000b' } },
        { action: 'update', ...erp('reason'), data: { name: 'y' } },
      ]

      const [, { status, problem, ...rest }] = await resultsOf(items)
      const { structured } = await callTool(tenant, 'objects.bulk', { type: 'projects', items })

      const why = { code: 'depends_on_failed', failedIndex: 0, reason: 'not_found', instance: '#/items/1' }
      expect([status, problem, rest]).toMatchObject([424, why, erp('reason')])
      const detail = expect.stringContaining('This item depends on item 0, which failed.')
      expect(structured.outcomes[1]).toMatchObject({ code: 'depends_on_failed', detail })
    })

    test('so of a task that its project did not get', async () => {
      const { id, key } = await project({ key: 'DEPEND' })
      const task = (title: string, more: object = {}) => make({ projectId: id, title, ...more })
      const cases: [object, string][] = [
        [task(''), 'validation_failed'],
        [task('Child', { parentTaskId: `${key}-1` }), 'depends_on_failed 0'],
        [task('Blocked', { blockedByIds: ['DEPEND-1'] }), 'depends_on_failed 1'],
        [make({ projectId: key, title: '' }), 'validation_failed'],
        [update('depend-1', { title: 'x' }), 'depends_on_failed 3'],
        [task('Elsewhere', { parentTaskId: missingId }), 'reference_not_found'],
        [task('Fine'), '201'],
      ]

      const items = cases.map(([item]) => item)
      expect(await codes(items, { segment: 'tasks' })).toEqual(cases.map(([, code]) => code))
    })

    test('that the object was not changed, deleted or restored before', async () => {
      const [{ id }, gone] = [await project(), await project()]
      const document = await post('/documents', { title: 'x' })
      await remove(`/projects/${gone.id}`)

      const ofVersions = await codes([
        update(id, { name: '' }, { expectedVersion: 1 }),
        update(id.toUpperCase(), { name: 'Second' }, { expectedVersion: 2 }),
        update(id, { name: 'Ninth' }, { expectedVersion: 9 }),
      ])
      const ofDeletion = await batchesOf(await careful(tenant)).codes([
        { action: 'delete', id },
        { action: 'restore', id },
        { action: 'restore', id: gone.id, data: {}, expectedVersion: 1 },
        update(gone.id, { name: 'x' }),
      ])
      const states = [{ status: 'published', title: '' }, { status: 'archived' }, { title: '' }]
      const changes = states.map((data) => update(document.id, data))
      const ofState = await codes(changes, { segment: 'documents' })

      expect(ofVersions).toEqual(['validation_failed', 'depends_on_failed 0', 'version_mismatch'])
      expect(ofDeletion).toEqual(['insufficient_scope', 'depends_on_failed 0', 'unknown_field', 'depends_on_failed 2'])
      expect(ofState).toEqual(['validation_failed', 'depends_on_failed 0', 'validation_failed'])
    })

    test('that the object which has its value was to give it up', async () => {
      const segment = 'crm-entities'
      const company = (name: string) => ({ kind: 'company', name, domains: ['given-up.example'] })
      const { id } = await post(`/${segment}`, company('Old'))
      const taking = make(company('New'))

      const given = await codes([update(id, { domains: [], name: '' }), taking, update(id, { name: '' })], { segment })
      const kept = await codes([update(id, { name: '' }), taking], { segment })

      expect(given).toEqual(['validation_failed', 'depends_on_failed 0', 'validation_failed'])
      expect(kept).toEqual(['validation_failed', 'duplicate'])
    })
  })
})
