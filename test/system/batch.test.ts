// What an integrator relies on who sends many changes in one request.
import { expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { describeModes, must, sharedSystem, type Answer } from '../support/system.ts'

const missingId = '01999999-0000-7000-8000-000000000000'

type Body = Answer['body']
type Item = { action: string; id?: string; externalSource?: string; externalId?: string; data?: object }

describeModes('batches', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const send = (items: readonly Item[], more: object = {}, who = tenant, headers = {}) =>
    who.api('POST', '/api/v1/projects/batch', { items, ...more }, headers)
  const create = async (body: object = {}, who = tenant): Promise<Body> =>
    must(await who.api('POST', '/api/v1/projects', { name: 'Website', ...body }))
  const nameOf = async (id: string): Promise<string> => must(await tenant.api('GET', `/api/v1/projects/${id}`)).name
  const feedAfter = async (sequence: number, who = tenant): Promise<Body[]> =>
    must(await who.settings('GET', `/events?after=${sequence}&limit=200`)).data
  const statusesOf = ({ results }: Body): number[] => results.map(({ status }: Body) => status)

  test('each item has the answer of the single call', async () => {
    const [first, second, gone] = [await create(), await create(), await create()]
    must(await tenant.api('DELETE', `/api/v1/projects/${gone.id}`))

    const answer = await send([
      { action: 'create', data: { name: 'New', labels: ['a'] } },
      { action: 'update', id: first.id, data: { name: 'Changed' } },
      { action: 'upsert', externalSource: 'erp', externalId: 'a/b', data: { name: 'Ours' } },
      { action: 'upsert', externalSource: 'erp', externalId: 'a/b', data: { priority: 'high', name: 'Ours' } },
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
    for (const { data } of answer.body.results.filter(({ data }: Body) => data !== null && data.name !== 'Ours')) {
      expect(must(await tenant.api('GET', `/api/v1/projects/${data.id}`))).toEqual(data)
    }
  })

  test('a refused item says what is wrong and where in the body, and the others succeed', async () => {
    const [owner] = must(await tenant.settings('GET', '/members')).data
    const [project, other] = [await create({ status: 'completed' }), await create()]

    const { results } = must(
      await send([
        { action: 'create', data: { labels: ['a', 'a'] } },
        { action: 'create', data: { name: 'x', memberIds: [owner.id, missingId] } },
        { action: 'create', data: { name: 'x', dueDaet: '2026-01-01' } },
        { action: 'update', data: { name: 'x' } },
        { action: 'update', id: '?', data: { name: 'x' } },
        { action: 'update', id: missingId, data: { name: 'x' } },
        { action: 'update', id: project.id, data: { status: 'paused' } },
        { action: 'upsert', externalId: '1', data: { name: 'x' } },
        { action: 'delete', id: project.id, data: { name: 'x' } },
        { action: 'restore', id: other.id },
        { action: 'update', id: project.id, data: { id: missingId, createdAt: 'x' } },
        { action: 'create', externalSource: 'a', externalId: '1', data: { name: 'x', externalId: '2' } },
        { action: 'update', id: project.id, data: { createdAt: 'x' } },
        { action: 'create', data: { name: 'Done' } },
      ]),
    )

    const problems = results.map(({ problem }: Body) => problem && [problem.code, problem.errors?.map(pointed)])
    expect(problems).toEqual([
      ['validation_failed', expect.arrayContaining(['/items/0/data/name required', '/items/0/data/labels not_unique'])],
      ['reference_not_found', ['/items/1/data/memberIds/1 not_found']],
      ['unknown_field', ['/items/2/data/dueDaet unknown']],
      ['validation_failed', ['/items/3/id required']],
      ['validation_failed', ['/items/4/id wrong_format']],
      ['not_found', undefined],
      ['invalid_transition', undefined],
      ['validation_failed', ['/items/7/externalSource required']],
      ['unknown_field', ['/items/8/data/name unknown']],
      ['not_deleted', undefined],
      ['unknown_field', ['/items/10/data/id unknown']],
      ['unknown_field', ['/items/11/data/externalId unknown']],
      ['validation_failed', ['/items/12/data/createdAt read_only']],
      undefined,
    ])
    expect(statusesOf({ results })).toEqual([422, 422, 422, 422, 422, 404, 409, 422, 422, 409, 422, 422, 422, 201])
    for (const { index, status, problem } of results.slice(0, 13)) {
      expect(problem).toMatchObject({ status, instance: `#/items/${index}`, requestId: expect.any(String) })
    }
  })

  test('an expected version counts for its item alone', async () => {
    const project = await create()

    const { results } = must(
      await tenant.api('POST', '/api/v1/projects/batch', {
        items: [
          { action: 'update', id: project.id, expectedVersion: 1, data: { name: 'Second' } },
          { action: 'update', id: project.id, expectedVersion: 1, data: { name: 'Third' } },
          { action: 'delete', id: project.id, expectedVersion: 7 },
        ],
      }),
    )

    expect(statusesOf({ results })).toEqual([200, 412, 412])
    expect(results[1].problem).toMatchObject({ code: 'version_mismatch', currentVersion: 2 })
  })

  test('an item whose scope the key lacks is refused alone', async () => {
    const project = await create()
    const careful = await tenant.key(scopes.filter((scope) => scope !== 'projects:delete'))

    const { results } = must(
      await send(
        [
          { action: 'delete', id: project.id },
          { action: 'update', id: project.id, data: { name: 'Kept' } },
        ],
        {},
        careful,
      ),
    )

    expect(results[0]).toMatchObject({
      status: 403,
      problem: { code: 'insufficient_scope', requiredScopes: ['projects:delete'] },
    })
    expect(results[1]).toMatchObject({ status: 200, data: { name: 'Kept' } })
  })

  test('atomic: all items succeed, or none does and the refused ones are named', async () => {
    const project = await create()
    const before = await tenant.lastSequence()

    const refused = await send(
      [
        { action: 'create', data: { name: 'Never', externalSource: 'erp', externalId: 'never' } },
        { action: 'update', id: project.id, data: { name: 'Never' } },
        { action: 'update', id: missingId, data: { name: 'x' } },
        { action: 'create', data: {} },
      ],
      { atomic: true },
    )
    const lost = await tenant.api('GET', '/api/v1/projects/by-external-id/erp/never')
    const silent = await tenant.lastSequence()
    const done = await send(
      [
        { action: 'create', data: { name: 'Both' } },
        { action: 'update', id: project.id, data: { name: 'Both' } },
      ],
      { atomic: true },
    )

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
    expect(lost.status).toBe(404)
    expect(silent).toBe(before)
    expect(statusesOf(must(done))).toEqual([201, 200])
    expect(await nameOf(project.id)).toBe('Both')
  })

  test('a batch has 1 to 100 items', async () => {
    const items = Array.from({ length: 101 }, (_, n) => ({ action: 'create', data: { name: `Many ${n}` } }))
    const before = await tenant.lastSequence()

    const tooMany = await send(items)
    const none = await send([])
    const silent = await tenant.lastSequence()
    const hundred = await send(items.slice(0, 100))

    expect(tooMany).toMatchObject({ status: 413, body: { code: 'too_many_items', errors: [{ pointer: '/items' }] } })
    expect(none).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ pointer: '/items' }] } })
    expect(silent).toBe(before)
    expect(new Set(statusesOf(must(hundred)))).toEqual(new Set([201]))
    expect((await feedAfter(before)).map(({ data }) => data.name)).toEqual(
      items.slice(0, 100).map(({ data }) => data.name),
    )
  })

  test('events come in the order of items, without gaps, and none for what was refused or changed nothing', async () => {
    const project = await create()
    const before = await tenant.lastSequence()

    must(
      await send([
        { action: 'update', id: project.id, data: { name: 'Second' } },
        { action: 'create', data: {} },
        { action: 'create', data: { name: 'Third' } },
        { action: 'update', id: project.id, data: { name: 'Second' } },
        { action: 'delete', id: missingId },
        { action: 'delete', id: project.id },
      ]),
    )

    const events = await feedAfter(before)
    expect(events.map(({ type }) => type)).toEqual(['projects.updated', 'projects.created', 'projects.deleted'])
    expect(events.map(({ sequence }) => sequence)).toEqual([before + 1, before + 2, before + 3])
  })

  test('each item has an updatedAt of its own, in their order, and the next change a later one', async () => {
    const projects = await Promise.all(Array.from({ length: 5 }, () => create()))

    const { results } = must(
      await send(projects.map(({ id }) => ({ action: 'update', id, data: { name: 'Changed' } }))),
    )
    const next = await create()

    const times: string[] = [...results.map(({ data }: Body) => data.updatedAt), next.updatedAt]
    expect(times).toEqual([...new Set(times)].toSorted())
  })

  test('a duplicate value fails its item and none after it', async () => {
    await create({ key: 'SPOIL' })

    const { results } = must(
      await send([
        { action: 'create', data: { name: 'a', key: 'SPOIL' } },
        { action: 'create', data: { name: 'b', key: 'FRESH' } },
        { action: 'create', data: { name: 'c', key: 'FRESH' } },
        { action: 'create', data: { name: 'd', externalSource: 'erp', externalId: 'same' } },
        { action: 'create', data: { name: 'e', externalSource: 'erp', externalId: 'same' } },
        { action: 'create', data: { name: 'f' } },
      ]),
    )

    expect(statusesOf({ results })).toEqual([409, 201, 409, 201, 409, 201])
    expect(results[2].problem).toMatchObject({ code: 'duplicate', field: 'key', existingId: results[1].data.id })
  })

  test('an item that only the database refuses fails alone as well', async () => {
    const project = await create()
    const task = (title: string, more = {}) => ({ action: 'create', data: { projectId: project.id, title, ...more } })
    const [parent] = must(await tenant.api('POST', '/api/v1/tasks/batch', { items: [task('Parent')] })).results

    const { results } = must(
      await tenant.api('POST', '/api/v1/tasks/batch', {
        items: [
          task('Child', { parentTaskId: parent.data.id }),
          { action: 'update', id: parent.data.id, data: { parentTaskId: parent.data.id } },
          task('Last'),
        ],
      }),
    )

    expect(statusesOf({ results })).toEqual([201, 422, 201])
    expect(results[1].problem.errors).toMatchObject([{ pointer: '/items/1/data/parentTaskId' }])
    expect(results.filter(({ data }: Body) => data).map(({ data }: Body) => data.number)).toEqual([2, 3])
  })

  test('custom fields are checked in each item', async () => {
    const fresh = await system.tenant()
    const field = { key: 'size', target: 'project', type: 'number', label: 'Size', required: true }
    must(await fresh.api('POST', '/api/v1/custom-fields', field))

    const { results } = must(
      await send(
        [
          { action: 'create', data: { name: 'a' } },
          { action: 'create', data: { name: 'b', customFields: { size: 'large' } } },
          { action: 'create', data: { name: 'c', customFields: { size: 7 } } },
        ],
        {},
        fresh,
      ),
    )

    expect(results.map(({ problem }: Body) => problem?.errors.map(pointed))).toEqual([
      ['/items/0/data/customFields/size required'],
      ['/items/1/data/customFields/size wrong_type'],
      undefined,
    ])
    expect(results[2].data.customFields).toEqual({ size: 7 })
  })

  test('a batch that is repeated with its Idempotency-Key acts once and gets the same answer', async () => {
    const before = await tenant.lastSequence()
    const items = [
      { action: 'create', data: { name: 'Once' } },
      { action: 'create', data: {} },
    ]
    const headers = { 'idempotency-key': 'batch-1' }

    const [first, second] = [await send(items, {}, tenant, headers), await send(items, {}, tenant, headers)]
    const other = await send(items.slice(1), {}, tenant, headers)

    expect(second).toMatchObject({ status: 200, body: first.body })
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    expect(await tenant.lastSequence()).toBe(before + 1)
  })

  test('the cost of a batch is not shown to callers', async () => {
    const { headers } = await send([{ action: 'create', data: { name: 'Counted' } }, { action: 'create' }])

    expect([...headers.keys()].filter((name) => name.startsWith('x-internal') || name.includes('cost'))).toEqual([])
  })

  test('batches at the same time do not block each other', async () => {
    const project = await create()
    const items = [1, 2, 3].map((n) => ({ action: 'update', id: project.id, data: { name: `Name ${n}` } }))

    const answers = await Promise.all(Array.from({ length: 8 }, () => send(items)))

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(must(await tenant.api('GET', `/api/v1/projects/${project.id}`)).version).toBe(25)
  })
})

const pointed = ({ pointer, code }: { pointer: string; code: string }): string => `${pointer} ${code}`
