// Writes that say little and are answered with little: a part of a list is changed, and the answer shows what was asked
// for.
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { partialType } from '#contract/operation.ts'
import { describeModes, describeOnce, must, sharedSystem } from '../support/system.ts'
import { uploadedFile } from '../support/uploaded-file.ts'
import { callsOf, told, toldEach, type Body } from './calls.ts'

const lists = Object.fromEntries(
  operations
    .filter(({ name }) => /^(?:projects|tasks|crm-entities|documents)\.update$/.test(name))
    .map(({ name, input }) => {
      // Own ids are set otherwise by an upsert: test/system/external-ids.test.ts.
      const editable = Object.entries(input.properties).filter(
        ([field, schema]) => field !== 'externalIds' && JSON.stringify(schema).includes('"remove"'),
      )
      return [name.split('.')[0], editable.map(([field]) => field)]
    }),
)

describeModes('lists that are changed at the same time', (mode) => {
  const { tenant } = sharedSystem(mode)

  test('lose nothing that one of the calls has added, and keep nothing that one has removed', async () => {
    const { post, patch, get } = callsOf(tenant)
    const labels = ['a', 'b', 'c', 'd', 'e']
    const { id } = await post('/projects', { name: 'Website', labels })

    await Promise.all(
      labels.map((label, at) => patch(`/projects/${id}`, { labels: { add: [`new ${at}`], remove: [label] } })),
    )

    const { labels: kept, version } = await get(`/projects/${id}`)
    expect([kept.toSorted(), version]).toEqual([labels.map((_label, at) => `new ${at}`), 6])
  })
})

describeOnce('small writes', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const { call, get, post, patch, eventsAfter } = callsOf(tenant)
  const project = (more: object = {}) => post('/projects', { name: 'Website', ...more })
  const entity = (kind: string, more: object = {}) =>
    post('/crm-entities', { kind, ...(kind === 'contact' ? { firstName: 'Ada' } : { name: 'Acme' }), ...more })

  test('of every list of every object a part can be added and removed, by id and by your own id, and nothing is lost', async () => {
    const people = await Promise.all(['a', 'b', 'c'].map(() => entity('contact')))
    const { id: projectId } = await project()
    const tasks = await Promise.all(['a', 'b', 'c'].map((title) => post('/tasks', { projectId, title })))
    const members = await Promise.all(
      ['a', 'b', 'c'].map(async (name) =>
        must(await tenant.settings('POST', '/members', { name, email: `${name}@members.example` })),
      ),
    )
    const files = await Promise.all(['a', 'b', 'c'].map(() => uploadedFile({ api: tenant.api, url: system.url })))
    const values: Readonly<Record<string, string[]>> = {
      fileIds: files,
      domains: ['one.example', 'two.example', 'three.example'],
      emails: ['one@a.example', 'two@a.example', 'three@a.example'],
      phones: ['+49 30 1', '+49 30 2', '+49 30 3'],
      assigneeIds: members.map(({ id }) => id),
      memberIds: members.map(({ id }) => id),
      contactIds: people.map(({ id }) => id),
      crmEntityIds: people.map(({ id }) => id),
      blockedByIds: tasks.map(({ id }) => id),
    }
    const needed: Readonly<Record<string, object>> = {
      projects: { name: 'x' },
      tasks: { projectId, title: 'x' },
      documents: { title: 'x' },
      domains: { kind: 'company', name: 'x' },
      contactIds: { kind: 'deal', name: 'x' },
      'crm-entities': { kind: 'contact', firstName: 'x' },
    }
    const seen: string[] = []
    for (const [segment, fields] of Object.entries<string[]>(lists))
      for (const field of fields) {
        const [one = '', two = '', three = ''] = values[field] ?? ['one', 'two', 'three']
        const start = needed[field] ?? needed[segment]
        const path = `/${segment}/by-external-id/small/${segment}-${field}`
        const made = must(await call('PUT', path, { ...start, [field]: { add: [one, two], remove: [three] } }))
        const changed = await patch(`/${segment}/${made.id}`, { [field]: { add: [three, two], remove: [one] } })
        const put = must(await call('PUT', path, { ...start, [field]: { remove: [two, one] } }))
        const unchanged = await patch(`/${segment}/${made.id}`, { [field]: { add: [three], remove: [two] } })
        expect([field, made[field], changed[field], put[field], unchanged.version]).toEqual([
          field,
          [one, two],
          [two, three],
          [three],
          3,
        ])
        seen.push(field)
      }
    expect(seen.toSorted()).toEqual([
      'assigneeIds',
      'blockedByIds',
      'contactIds',
      'crmEntityIds',
      'domains',
      'emails',
      'fileIds',
      'fileIds',
      'fileIds',
      'labels',
      'labels',
      'labels',
      'memberIds',
      'phones',
      'tags',
    ])
  })

  test('the event says what the list was and is, and a domain is removed in whichever script', async () => {
    const { id } = await entity('company', { domains: ['bücher.example', 'a.example'] })
    const before = await tenant.lastSequence()

    await patch(`/crm-entities/${id}`, { domains: { remove: ['xn--bcher-kva.example'], add: ['A.example'] } })

    const [event] = await eventsAfter(before)
    expect(event.changes).toEqual({ domains: { from: ['bücher.example', 'a.example'], to: ['a.example'] } })
  })

  test('what is wrong with a part of a list is refused where it was sent, alone and in a batch', async () => {
    const full = Array.from({ length: 50 }, (_each, at) => `label ${at}`)
    const { id } = await project({ labels: full })
    await entity('company', { domains: ['taken.example'] })
    const { id: ownId } = await entity('company', { domains: ['own.example'] })
    const { id: taskId } = await post('/tasks', { projectId: id, title: 'x' })
    const none = '0199f0a0-0000-7000-8000-000000000001'

    for (const [path, body, refusal] of [
      [`/projects/${id}`, { labels: { add: ['one more'] } }, '422 validation_failed /labels/add too_long'],
      [
        `/projects/${id}`,
        { labels: { add: ['x', 'y'], remove: ['label 1', 'y', 'label 2'] } },
        '422 validation_failed /labels/remove/1 not_unique',
      ],
      [`/projects/${id}`, { labels: {} }, '422 validation_failed /labels too_short'],
      [`/projects/${id}`, { labels: { add: [] } }, '422 validation_failed /labels/add too_short'],
      [`/projects/${id}`, { labels: { add: [1] } }, '422 validation_failed /labels/add/0 wrong_type'],
      [`/projects/${id}`, { labels: { ad: ['x'] } }, '422 unknown_field /labels/ad unknown'],
      [`/projects/${id}`, { labels: 'x' }, '422 validation_failed /labels wrong_type'],
      [`/projects/${id}`, { labels: [1] }, '422 validation_failed /labels/0 wrong_type'],
      [
        `/tasks/${taskId}`,
        { crmEntityIds: { add: [ownId, none] } },
        '422 reference_not_found /crmEntityIds/add/1 not_found',
      ],
      [
        `/tasks/${taskId}`,
        { blockedByIds: { add: ['NONE-1'] } },
        '422 reference_not_found /blockedByIds/add/0 not_found',
      ],
      [
        `/crm-entities/${ownId}`,
        { domains: { add: ['x.example', 'Taken.example'] } },
        '409 duplicate /domains/add/1 not_unique',
      ],
    ] as const)
      expect([body, told(await call('PATCH', path, body))]).toEqual([body, refusal])
    const items = [
      { action: 'update', id, data: { labels: { remove: ['label 0'] } } },
      { action: 'update', id, data: { labels: { add: ['label 0', 'one more'] } } },
      { action: 'create', data: { name: 'x', labels: { add: ['x'] } } },
    ]
    const { results } = await post('/projects/batch', { items })
    expect(toldEach(results)).toEqual([
      '200',
      '422 validation_failed /items/1/data/labels/add too_long',
      '422 validation_failed /items/2/data/labels wrong_type',
    ])
    expect(results[0].data.labels).toEqual(full.slice(1))
  })

  test('options of a custom field are added and removed in the same way', async () => {
    await post('/custom-fields', {
      key: 'colours',
      target: 'project',
      type: 'multi_select',
      label: 'Colours',
      options: ['red', 'green', 'blue'],
    })
    const { id } = await project({ customFields: { colours: ['red'] } })
    const change = (colours: unknown) => call('PATCH', `/projects/${id}`, { customFields: { colours } })

    const changed = must(await change({ add: ['blue', 'red'], remove: ['green'] }))
    const refused = [
      await change({ add: ['pink'] }),
      await change({ add: ['green'], remove: ['green'] }),
      await change({ ad: [] }),
    ]

    expect(changed.customFields).toEqual({ colours: ['red', 'blue'] })
    expect(refused.map(told)).toEqual([
      '422 validation_failed /customFields/colours not_in_list',
      '422 validation_failed /customFields/colours/remove/0 not_unique',
      '422 validation_failed /customFields/colours wrong_type',
    ])
  })

  test('a change is answered with the fields and related objects that it asks for, whichever way it is made', async () => {
    const { id: projectId, key } = await project()
    const body = { projectId, title: 'Links' }
    const query = '?fields=title,assigneeIds&expand=project'
    const shown = (version: number, title = 'Links') => ({
      id: expect.any(String),
      object: 'task',
      version,
      title,
      assigneeIds: [],
      project: { id: projectId, object: 'project', key, name: 'Website', status: 'planned' },
    })

    const made = await call('POST', `/tasks${query}`, body)
    const path = `/tasks/${made.body.id}`
    const upserted = await call('PUT', `/tasks/by-external-id/small/shown${query}`, body)
    const changed = await call('PATCH', path + query, { title: 'Other' })
    must(await call('DELETE', path))
    const restored = await call('POST', `${path}/restore${query}`)
    const items = [
      { action: 'update', id: made.body.id, data: { title: 'Last' } },
      { action: 'create', data: { projectId } },
      { action: 'delete', id: upserted.body.id },
    ]
    const batch = await call('POST', `/tasks/batch${query}`, { items })

    expect([made, upserted].map(({ status, body }) => [status, body])).toEqual([
      [201, shown(1)],
      [201, { ...shown(1), outcome: 'created', matchedBy: null }],
    ])
    expect(made.headers.get('location')).toBe(`/api/v1${path}`)
    expect([changed, restored].map(({ body }) => body)).toEqual([shown(2, 'Other'), shown(4, 'Other')])
    expect(batch.body.results.map(({ data }: Body) => data)).toEqual([shown(5, 'Last'), undefined, null])
    for (const answer of [made, upserted, changed, restored, batch])
      expect(answer.headers.get('content-type')).toBe(`${partialType}; charset=utf-8`)
    // Without `fields` it is the whole object, as it is read.
    const whole = await call('PATCH', `${path}?expand=project`, { title: 'Whole' })
    expect(whole.body).toEqual(await get(`${path}?expand=project`))
    expect(whole.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await patch(`${path}?fields=id`, { title: 'Least' })).toEqual({
      id: made.body.id,
      object: 'task',
      version: 7,
    })
  })

  test('a field that does not exist, related objects that the key may not read, and a parameter that is none are refused, and nothing is changed', async () => {
    const { id } = await project()
    const writer = callsOf(await tenant.key(['projects:read', 'projects:write']))
    const before = await tenant.lastSequence()
    const body = { name: 'Other' }

    expect(told(await call('PATCH', `/projects/${id}?fields=nmae`, body))).toBe(
      '400 invalid_parameter fields not_in_list',
    )
    expect(told(await call('PATCH', `/projects/${id}?fields=owner`, body))).toBe(
      '400 invalid_parameter expand required',
    )
    expect(told(await call('PATCH', `/projects/${id}?status=active`, body))).toBe(
      '400 unknown_parameter status unknown',
    )
    expect(told(await call('PATCH', `/projects/${id}`, { ...body, fields: ['name'] }))).toBe(
      '422 unknown_field /fields unknown',
    )
    expect(told(await writer.call('PATCH', `/projects/${id}?expand=owner`, body))).toBe('403 insufficient_scope')
    const misplaced = await call('PATCH', `/projects/${id}`, { ...body, expand: ['owner'] })
    expect(misplaced.body.errors[0].detail).toBe('Stands in the query, not in the body.')
    const item = { action: 'update', id, data: { ...body, fields: ['name'] } }
    expect(toldEach((await post('/projects/batch', { items: [item] })).results)).toEqual([
      '422 unknown_field /items/0/data/fields unknown',
    ])
    expect(await tenant.lastSequence()).toBe(before)
  })

  test.each(['PATCH', 'PUT'])(
    '%s acts once under an idempotency key, and is answered the same again, its fields included',
    async (method) => {
      const { id } = await project({ externalSource: 'small', externalId: `once-${method}` })
      const path = method === 'PATCH' ? `/projects/${id}` : `/projects/by-external-id/small/once-${method}`
      const send = (query: string, body: object) =>
        call(method, path + query, { name: 'Website', ...body }, { 'idempotency-key': `small-${method}` })

      const first = await send('?fields=labels', { labels: { add: ['x'] } })
      await patch(`/projects/${id}`, { labels: { remove: ['x'] } })
      const again = await send('?fields=labels', { labels: { add: ['x'] } })
      const other = await send('?fields=name', { labels: { add: ['x'] } })

      expect([first.status, first.body.labels]).toEqual([200, ['x']])
      expect([again.body, again.headers.get('idempotency-replayed'), again.headers.get('content-type')]).toEqual([
        first.body,
        'true',
        first.headers.get('content-type'),
      ])
      expect(told(other)).toMatch(/^422 idempotency/)
      expect((await get(`/projects/${id}`)).labels).toEqual([])
    },
  )
})
