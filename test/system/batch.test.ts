// What an integrator relies on who sends many changes in one request. An item that is refused only because an earlier
// one was says so, and one with a fault of its own does not.
import { missingId } from '../support/client.ts'
import { expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { callTool } from '../support/mcp.ts'
import { describeMode, describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

type Body = Answer['body']
type Item = {
  readonly action: string
  readonly id?: string
  readonly externalSource?: string
  readonly externalId?: string
  readonly expectedVersion?: number
  readonly data?: object
}
type Sending = { readonly who?: Tenant; readonly segment?: string; readonly atomic?: boolean }

const erp = (externalId: string) => ({ externalSource: 'erp', externalId })
const make = (data: object): Item => ({ action: 'create', data })
const update = (id: string, data: object, expectedVersion?: number): Item => ({
  action: 'update',
  id,
  data,
  ...(expectedVersion !== undefined && { expectedVersion }),
})
const named = (name: string): Item => make({ name })
const pointed = ({ pointer, code }: Record<string, string>): string => `${pointer} ${code}`
const statusesOf = (results: readonly Body[]): number[] => results.map(({ status }) => status)

function batchesOf(tenant: Tenant) {
  const send = (items: readonly Item[], { who = tenant, segment = 'projects', ...more }: Sending = {}) =>
    who.api('POST', `/api/v1/${segment}/batch`, { items, ...more })
  return {
    send,
    resultsOf: async (items: readonly Item[], sending?: Sending): Promise<Body[]> =>
      must(await send(items, sending)).results,
    create: async (body: object = {}, segment = 'projects'): Promise<Body> =>
      must(
        await tenant.api('POST', `/api/v1/${segment}`, segment === 'projects' ? { name: 'Website', ...body } : body),
      ),
    read: async (id: string): Promise<Body> => must(await tenant.api('GET', `/api/v1/projects/${id}`)),
    eventsAfter: async (sequence: number): Promise<Body[]> =>
      must(await tenant.settings('GET', `/events?after=${sequence}&limit=200`)).data,
  }
}
describeModes('batches', (mode) => {
  const { tenant } = sharedSystem(mode)
  const { send, resultsOf, create, read, eventsAfter } = batchesOf(tenant)

  test('each item has the answer of the single call', async () => {
    const [first, second, gone] = [await create(), await create(), await create()]
    must(await tenant.api('DELETE', `/api/v1/projects/${gone.id}`))

    const answer = await send([
      make({ name: 'New', labels: ['a'] }),
      update(first.id, { name: 'Changed' }),
      { action: 'upsert', ...erp('a/b'), data: { name: 'Ours' } },
      { action: 'upsert', ...erp('a/b'), data: { priority: 'high', name: 'Ours' } },
      { action: 'delete', id: second.id },
      { action: 'delete', id: second.id },
      { action: 'restore', id: gone.id },
    ])

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      results: [
        { index: 0, status: 201, data: expect.objectContaining({ name: 'New', labels: ['a'], version: 1 }) },
        { index: 1, status: 200, data: expect.objectContaining({ id: first.id, name: 'Changed', version: 2 }) },
        { index: 2, status: 201, data: expect.objectContaining({ externalId: 'a/b', version: 1 }) },
        { index: 3, status: 200, data: expect.objectContaining({ priority: 'high', version: 2 }) },
        { index: 4, status: 200, data: null },
        { index: 5, status: 200, data: null },
        { index: 6, status: 200, data: expect.objectContaining({ id: gone.id, deletedAt: null, version: 3 }) },
      ],
    })
    for (const at of [0, 1, 3, 6]) {
      const { data } = answer.body.results[at]
      expect(await read(data.id)).toEqual(data)
    }
  })

  test('atomic: all items succeed, or none does and the refused ones are named', async () => {
    const { id } = await create()
    const before = await tenant.lastSequence()

    const refused = await send(
      [
        make({ name: 'Never', ...erp('never') }),
        update(id, { name: 'Never' }),
        update(missingId, { name: 'x' }),
        make({}),
      ],
      { atomic: true },
    )
    const lost = await tenant.api('GET', '/api/v1/projects/by-external-id/erp/never')
    const silent = await tenant.lastSequence()
    const done = await resultsOf([named('Both'), update(id, { name: 'Both' })], { atomic: true })

    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 'batch_failed',
        results: [
          { index: 2, status: 404, problem: { code: 'not_found' } },
          { index: 3, status: 422, problem: { code: 'validation_failed' } },
        ],
      },
    })
    expect([lost.status, silent]).toEqual([404, before])
    expect(statusesOf(done)).toEqual([201, 200])
    expect((await read(id)).name).toBe('Both')
  })

  test('a batch has 1 to 100 items', async () => {
    const items = Array.from({ length: 101 }, (_, n) => named(`Many ${n}`))
    const before = await tenant.lastSequence()

    const tooMany = await send(items)
    const none = await send([])
    const silent = await tenant.lastSequence()
    const hundred = await resultsOf(items.slice(0, 100))

    expect(tooMany).toMatchObject({ status: 413, body: { code: 'too_many_items', errors: [{ pointer: '/items' }] } })
    expect(none).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ pointer: '/items' }] } })
    expect(silent).toBe(before)
    expect(new Set(statusesOf(hundred))).toEqual(new Set([201]))
    const made = (await eventsAfter(before)).map(({ data }) => data.name)
    expect(made).toEqual(hundred.map((_result, n) => `Many ${n}`))
  })

  test('events and times come in the order of items, without gaps, and none for what was refused or is as it was', async () => {
    const { id } = await create()
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
    const next = await create()

    const events = await eventsAfter(before)
    const types = ['updated', 'created', 'created', 'deleted', 'created'].map((what) => `projects.${what}`)
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual(types.map((type, n) => [type, before + 1 + n]))
    const times: string[] = [...[0, 2, 5].map((at) => results[at].data.updatedAt), next.updatedAt]
    expect(times).toEqual([...new Set(times)].toSorted())
  })

  test('a duplicate value fails its item and none after it', async () => {
    await create({ key: 'SPOIL' })

    const results = await resultsOf([
      make({ name: 'a', key: 'SPOIL' }),
      make({ name: 'b', key: 'FRESH' }),
      make({ name: 'c', key: 'FRESH' }),
      make({ name: 'd', ...erp('same') }),
      make({ name: 'e', ...erp('same') }),
      named('f'),
    ])

    expect(statusesOf(results)).toEqual([409, 201, 409, 201, 409, 201])
    expect(results[2].problem).toMatchObject({ code: 'duplicate', field: 'key', existingId: results[1].data.id })
  })

  test('an item that only the database refuses fails alone as well', async () => {
    const { id: projectId } = await create()
    const parent = await create({ projectId, title: 'Parent' }, 'tasks')

    const results = await resultsOf(
      [
        make({ projectId, title: 'Child', parentTaskId: parent.id }),
        update(parent.id, { parentTaskId: parent.id }),
        make({ projectId, title: 'Last' }),
      ],
      { segment: 'tasks' },
    )

    expect(results).toMatchObject([
      { status: 201, data: { number: 2 } },
      { status: 422, problem: { errors: [{ pointer: '/items/1/data/parentTaskId' }] } },
      { status: 201, data: { number: 3 } },
    ])
  })

  test('batches at the same time do not block each other', async () => {
    const { id } = await create()
    const items = [1, 2, 3].map((n) => update(id, { name: `Name ${n}` }))

    const answers = await Promise.all(Array.from({ length: 8 }, () => send(items)))

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await read(id)).version).toBe(25)
  })
})

describeMode('an item that is refused', 'distributed', () => {
  const { system, tenant } = sharedSystem('distributed')
  const { resultsOf, create } = batchesOf(tenant)

  test('says what is wrong and where in the body, and the others succeed', async () => {
    const [owner] = must(await tenant.settings('GET', '/members')).data
    const [{ id }, other] = [await create({ status: 'completed' }), await create()]

    const results = await resultsOf([
      make({ labels: ['a', 'a'] }),
      make({ name: 'x', memberIds: [owner.id, missingId] }),
      make({ name: 'x', dueDaet: '2026-01-01' }),
      { action: 'update', data: { name: 'x' } },
      update('?', { name: 'x' }),
      update(missingId, { name: 'x' }),
      update(id, { status: 'paused' }),
      { action: 'upsert', externalId: '1', data: { name: 'x' } },
      { action: 'delete', id, data: { name: 'x' } },
      { action: 'restore', id: other.id },
      update(id, { id: missingId, createdAt: 'x' }),
      { action: 'create', ...erp('1'), data: { name: 'x', externalId: '2' } },
      update(id, { createdAt: 'x' }),
      { action: 'restore', externalSource: 'erp' },
      { action: 'update', externalSource: 'x'.repeat(41), externalId: '1', data: { name: 'x' } },
      { action: 'delete', ...erp('none') },
      { action: 'delete', id: 'WEB', ...erp('1') },
      named('Done'),
    ])

    expect(results.map(({ status, problem }) => [status, problem?.code, problem?.errors?.map(pointed)])).toEqual([
      [
        422,
        'validation_failed',
        expect.arrayContaining(['/items/0/data/name required', '/items/0/data/labels not_unique']),
      ],
      [422, 'reference_not_found', ['/items/1/data/memberIds/1 not_found']],
      [422, 'unknown_field', ['/items/2/data/dueDaet unknown']],
      [422, 'validation_failed', ['/items/3/id required']],
      [422, 'validation_failed', ['/items/4/id wrong_format']],
      [404, 'not_found', undefined],
      [409, 'invalid_transition', undefined],
      [422, 'validation_failed', ['/items/7/externalSource required']],
      [422, 'unknown_field', ['/items/8/data/name unknown']],
      [409, 'not_deleted', undefined],
      [422, 'unknown_field', ['/items/10/data/id unknown']],
      [422, 'unknown_field', ['/items/11/data/externalId unknown']],
      [422, 'validation_failed', ['/items/12/data/createdAt read_only']],
      [422, 'validation_failed', ['/items/13/externalId required']],
      [422, 'validation_failed', ['/items/14/externalSource too_long']],
      [404, 'not_found', undefined],
      [422, 'unknown_field', ['/items/16/externalSource unknown', '/items/16/externalId unknown']],
      [201, undefined, undefined],
    ])
    for (const { index, status, problem } of results.slice(0, -1))
      expect(problem).toMatchObject({ status, instance: `#/items/${index}`, requestId: expect.any(String) })
  })

  test('for a scope that the key lacks, or for a custom field, is refused alone', async () => {
    const fresh = await system.tenant()
    const careful = await fresh.key(scopes.filter((scope) => scope !== 'projects:delete'))
    const field = { key: 'size', target: 'project', type: 'number', label: 'Size', required: true }
    must(await fresh.api('POST', '/api/v1/custom-fields', field))
    const sized = (size: unknown) => make({ name: 'x', customFields: { size } })

    const results = await resultsOf([sized(7), named('x'), sized('large'), { action: 'delete', id: missingId }], {
      who: careful,
    })

    expect(results).toMatchObject([
      { status: 201, data: { customFields: { size: 7 } } },
      { problem: { errors: [{ pointer: '/items/1/data/customFields/size', code: 'required' }] } },
      { problem: { errors: [{ pointer: '/items/2/data/customFields/size', code: 'wrong_type' }] } },
      { status: 403, problem: { code: 'insufficient_scope', requiredScopes: ['projects:delete'] } },
    ])
  })

  /** Each item's code, with the index that it names. */
  const codes = async (items: readonly Item[], sending?: Sending): Promise<string[]> =>
    (await resultsOf(items, sending)).map(({ status, problem }) =>
      [problem?.code ?? status, problem?.failedIndex].filter((part) => part !== undefined).join(' '),
    )

  test('is told that the object it names was not made, by the id of its caller or by a key', async () => {
    const bad = { name: 'x', priority: 'extreme' }

    expect(
      await codes([
        { action: 'upsert', ...erp('a'), data: bad },
        { action: 'update', ...erp('a'), data: { name: 'y' } },
        { action: 'delete', ...erp('a') },
        make({ ...bad, ...erp('b') }),
        { action: 'restore', ...erp('b') },
        make({ ...bad, key: 'NEVER' }),
        update('never', { name: 'y' }),
        { action: 'update', ...erp('c'), data: { name: 'y' } },
        { action: 'merge', ...erp('c') },
        { action: 'delete', ...erp('c') },
      ]),
    ).toEqual([
      'validation_failed',
      'depends_on_failed 0',
      'depends_on_failed 0',
      'validation_failed',
      'depends_on_failed 3',
      'validation_failed',
      'depends_on_failed 5',
      'not_found',
      'validation_failed',
      'not_found',
    ])
  })

  test('is told the reason that it has by itself, over HTTP and in `objects.bulk`', async () => {
    const items = [
      { action: 'upsert', ...erp('reason'), data: { name: 'a\u0000b' } },
      { action: 'update', ...erp('reason'), data: { name: 'y' } },
    ]

    const results = await resultsOf(items)
    const { structured } = await callTool(tenant, 'objects.bulk', { type: 'projects', items })

    expect(results[1]).toMatchObject({
      status: 424,
      ...erp('reason'),
      problem: { code: 'depends_on_failed', failedIndex: 0, reason: 'not_found', instance: '#/items/1' },
    })
    expect(structured.outcomes[1]).toMatchObject({
      code: 'depends_on_failed',
      detail: expect.stringContaining('Item 0, which it builds on, was refused.'),
    })
  })

  test('is told so of a task that its project did not get', async () => {
    const { id, key } = await create({ key: 'DEPEND' })
    const task = (title: string, more: object = {}) => make({ projectId: id, title, ...more })
    const items = [
      task(''),
      task('Child', { parentTaskId: `${key}-1` }),
      task('Blocked', { blockedByIds: ['DEPEND-1'] }),
      make({ projectId: key, title: '' }),
      update('depend-1', { title: 'x' }),
      task('Elsewhere', { parentTaskId: missingId }),
      task('Fine'),
    ]

    expect(await codes(items, { segment: 'tasks' })).toEqual([
      'validation_failed',
      'depends_on_failed 0',
      'depends_on_failed 1',
      'validation_failed',
      'depends_on_failed 3',
      'reference_not_found',
      '201',
    ])
  })

  test('is told that the object was not changed, deleted or restored before', async () => {
    const [{ id }, gone] = [await create(), await create()]
    const document = await create({ title: 'x' }, 'documents')
    must(await tenant.api('DELETE', `/api/v1/projects/${gone.id}`))
    const careful = await tenant.key(scopes.filter((scope) => scope !== 'projects:delete'))

    const ofVersions = await codes([
      update(id, { name: '' }, 1),
      update(id.toUpperCase(), { name: 'Second' }, 2),
      update(id, { name: 'Ninth' }, 9),
    ])
    const ofDeletion = await codes(
      [
        { action: 'delete', id },
        { action: 'restore', id },
        { action: 'restore', id: gone.id, data: {}, expectedVersion: 1 },
        update(gone.id, { name: 'x' }),
      ],
      { who: careful },
    )
    const ofState = await codes(
      [
        update(document.id, { status: 'published', title: '' }),
        update(document.id, { status: 'archived' }),
        update(document.id, { title: '' }),
      ],
      { segment: 'documents' },
    )

    expect(ofVersions).toEqual(['validation_failed', 'depends_on_failed 0', 'version_mismatch'])
    expect(ofDeletion).toEqual(['insufficient_scope', 'depends_on_failed 0', 'unknown_field', 'depends_on_failed 2'])
    expect(ofState).toEqual(['validation_failed', 'depends_on_failed 0', 'validation_failed'])
  })

  test('is told that the object which has its value was to give it up', async () => {
    const segment = 'crm-entities'
    const company = (name: string) => ({ kind: 'company', name, domains: ['given-up.example'] })
    const { id } = await create(company('Old'), segment)
    const taking = make(company('New'))

    const given = await codes([update(id, { domains: [], name: '' }), taking, update(id, { name: '' })], { segment })
    const kept = await codes([update(id, { name: '' }), taking], { segment })

    expect(given).toEqual(['validation_failed', 'depends_on_failed 0', 'validation_failed'])
    expect(kept).toEqual(['validation_failed', 'duplicate'])
  })
})
