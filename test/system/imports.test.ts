// Objects that come from another system with their history: what is shown of it, who may say it, and what is refused.
import { expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { describeModes, describeOnce, must, sharedSystem } from '../support/system.ts'
import { callsOf, told, toldEach, type Body } from './calls.ts'

const imported = {
  createdAt: '2019-03-01T10:00:00+01:00',
  updatedAt: '2021-06-01T00:00:00Z',
  createdBy: { name: 'Ada Old', email: 'Ada@Old.example' },
}
const person = { name: 'Ada Old', email: 'ada@old.example' }

describeModes('imports', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const { call, get, post, patch, remove, listed, eventsAfter } = callsOf(tenant)

  const newProject = () => post('/projects', { name: 'Website' })
  const put = (path: string, id: string, body: object) => call('PUT', `/${path}/by-external-id/old/${id}`, body)

  test.each([
    ['projects', { name: 'Old', status: 'completed' }, 'completedAt'],
    ['crm-entities', { kind: 'deal', name: 'Old', stage: 'won' }, 'closedAt'],
    ['crm-entities', { kind: 'contact', firstName: 'Old' }, null],
    ['documents', { title: 'Old', content: 'Text' }, null],
  ])(
    '%s show when and by whom they were made there, and every list that asks for it finds them',
    async (path, body, ends) => {
      const ended = ends === null ? {} : { [ends]: '2020-01-01T00:00:00.000Z' }
      const now = await post(`/${path}`, body)

      const made = await post(`/${path}`, { ...body, imported: { ...imported, ...ended } })

      const importer = { type: 'api_key', id: tenant.keyId, name: made.updatedBy.name }
      expect(made).toMatchObject({
        ...ended,
        createdAt: '2019-03-01T09:00:00.000Z',
        createdBy: { type: 'imported', id: tenant.keyId, name: 'Ada Old' },
        updatedBy: importer,
        imported: {
          importedAt: made.updatedAt,
          importedBy: importer,
          updatedAt: '2021-06-01T00:00:00.000Z',
          createdBy: person,
        },
      })
      expect(await get(`/${path}/${made.id}`)).toEqual(made)
      const found = (query: string) => listed(`/${path}?ids=${now.id},${made.id}&${query}`, 'id')
      expect(await found('sort=-createdAt')).toEqual([now.id, made.id])
      expect(await found('createdBefore=2020-01-01T00:00:00Z&createdBy=me')).toEqual([made.id])
      expect(await found('imported=none')).toEqual([now.id])
      expect(await found('imported=any&importedEmail=ADA@old.example,nobody@old.example')).toEqual([made.id])
      expect(await found('importedEmail=nobody@old.example')).toEqual([])
      // The watermark of copies is the time of the import.
      expect(await found(`updatedAfter=${now.updatedAt}`)).toEqual([made.id])
    },
  )

  test('pages of what was imported in any order of times are in the order of their times, each object once', async () => {
    const { id: projectId } = await newProject()
    const years = [2005, 1999, 2011, 1999, 2003]
    const items = years.map((year) => ({
      action: 'create',
      data: { projectId, title: `From ${year}`, imported: { createdAt: `${year}-01-01T00:00:00Z` } },
    }))
    await post('/tasks/batch', { items, atomic: true })

    const seen: string[] = []
    for (let cursor = ''; ;) {
      const page = await get(`/tasks?projectId=${projectId}&sort=createdAt&limit=2${cursor}`)
      seen.push(...page.data.map(({ title }: Body) => title))
      if (!page.page.hasMore) break
      cursor = `&cursor=${page.page.nextCursor}`
    }

    expect(seen).toEqual(years.toSorted((one, other) => one - other).map((year) => `From ${year}`))
  })

  test('the same import once more changes nothing; another one corrects what it says, and null names nobody', async () => {
    const { id: projectId } = await newProject()
    const before = await tenant.lastSequence()
    const task = {
      projectId,
      title: 'Old',
      status: 'done',
      imported: { ...imported, completedAt: '2020-01-01T00:00:00Z', number: 7 },
    }
    const made = must(await put('tasks', 'repeated', task))

    const again = must(await put('tasks', 'repeated', task))
    const later = must(await put('tasks', 'repeated', { ...task, imported: { updatedAt: '2022-01-01T00:00:00Z' } }))
    const nobody = await patch(`/tasks/${made.id}`, { imported: { createdBy: null } })

    expect(again).toEqual({ ...made, outcome: 'unchanged', matchedBy: 'externalId' })
    expect(later).toMatchObject({ version: 2, createdAt: made.createdAt, createdBy: made.createdBy })
    expect(later.imported).toEqual({ ...made.imported, updatedAt: '2022-01-01T00:00:00.000Z' })
    expect(nobody).toMatchObject({ version: 3, createdBy: made.updatedBy, imported: { createdBy: null } })
    const events = await eventsAfter(before)
    expect(events.map(({ type, origin }) => `${type} ${origin}`)).toEqual([
      'tasks.created import',
      'tasks.updated import',
      'tasks.updated import',
    ])
    expect(Object.keys(events[2]?.changes)).toEqual(['createdBy', 'imported'])
  })

  test('tasks keep their numbers in a project that has numbered none by itself, and the next ones follow', async () => {
    const { id: projectId, key } = await newProject()
    const numbered = (number: number, id = projectId) =>
      call('POST', '/tasks', { projectId: id, title: 'Old', imported: { number } })
    const made = [must(await numbered(40)), must(await numbered(7))]
    const taken = await numbered(40)
    const elsewhere = await numbered(40, (await newProject()).id)

    const next = await post('/tasks', { projectId, title: 'New' })
    const late = await numbered(100)

    expect(made.map(({ identifier }) => identifier)).toEqual([`${key}-40`, `${key}-7`])
    expect([taken.status, taken.body.code, taken.body.existingId]).toEqual([409, 'duplicate', made[0].id])
    expect(elsewhere.status).toBe(201)
    expect(next.identifier).toBe(`${key}-41`)
    expect(told(late)).toBe('422 validation_failed /imported/number read_only')
    expect((await get(`/tasks/${key}-7`)).id).toBe(made[1].id)
  })

  test('a number that a task took along into another project is not given to another', async () => {
    const [{ id: projectId }, other] = [await newProject(), await newProject()]
    const made = await post('/tasks', { projectId, title: 'Old', imported: { number: 3 } })
    await patch(`/tasks/${made.id}`, { projectId: other.id })

    const again = await call('POST', '/tasks', { projectId, title: 'Old', imported: { number: 3 } })

    expect([again.status, again.body.existingId]).toEqual([409, made.id])
  })

  test('without the scope nothing with a history is written, alone, in a batch or as a comment; all else is', async () => {
    const key = await tenant.key(scopes.filter((scope) => scope !== 'imports:write'))
    const by = callsOf(key)
    const task = await post('/tasks', { projectId: (await newProject()).id, title: 'New' })
    const before = await tenant.lastSequence()
    const data = { kind: 'company', name: 'Old' }

    const answers = [
      await by.call('POST', '/crm-entities', { ...data, imported }),
      await by.call('PUT', '/crm-entities/by-external-id/old/c1', { ...data, imported }),
      await by.call('PATCH', `/tasks/${task.id}`, { imported }),
      await by.call('POST', `/tasks/${task.id}/comments`, { body: 'Old', imported }),
    ]
    const { results } = await by.post('/crm-entities/batch', {
      items: [
        { action: 'create', data: { ...data, imported } },
        { action: 'create', data },
      ],
    })

    const requiredScopes = ['imports:write']
    for (const { status, body } of [...answers, { status: results[0].status, body: results[0].problem }])
      expect([status, body.code, body.requiredScopes]).toEqual([403, 'insufficient_scope', requiredScopes])
    expect(results[1].status).toBe(201)
    expect(await tenant.eventTypesAfter(before)).toEqual(['crm-entities.created'])
  })

  test('comments keep their authors and times, and are listed in their order', async () => {
    const task = await post('/tasks', { projectId: (await newProject()).id, title: 'New' })
    await post(`/tasks/${task.id}/comments`, { body: 'Now' })

    const made = await post(`/tasks/${task.id}/comments`, { body: 'Then', imported })

    expect(made).toMatchObject({ createdBy: { type: 'imported', name: 'Ada Old' }, imported: { createdBy: person } })
    expect(await listed(`/tasks/${task.id}/comments`, 'body')).toEqual(['Then', 'Now'])
    expect(await get(`/tasks/${task.id}/comments/${made.id}`)).toEqual(made)
  })

  test('a purge forgets whom the import named', async () => {
    const { id } = await post('/crm-entities', { kind: 'contact', firstName: 'Old', imported })
    await remove(`/crm-entities/${id}`)

    await post(`/crm-entities/${id}/purge`)

    const row = await system.db.crmEntity.findFirstOrThrow({ where: { id } })
    // Ids are of hexadecimal digits, in which `ada` may occur.
    expect(JSON.stringify(row)).not.toMatch(/Ada |old\.example/i)
  })

  test('the audit log has one entry for each call that imports, with how many it created and updated', async () => {
    const first = await post('/crm-entities', {
      kind: 'company',
      name: 'Old',
      imported,
      externalSource: 'old',
      externalId: 'a1',
    })
    const items = ['a1', 'a2', 'a3'].map((externalId) => ({
      action: 'upsert',
      externalSource: 'old',
      externalId,
      data: { kind: 'company', name: externalId, imported },
    }))
    const { results } = await post('/crm-entities/batch', {
      items: [...items, { action: 'create', data: { kind: 'x', imported } }],
    })
    await post('/crm-entities', { kind: 'company', name: 'New' })

    const { data } = await get('/audit-entries?action=crm-entities.create,crm-entities.batch&limit=2')

    expect(toldEach(results)).toEqual(['200', '201', '201', '422 validation_failed /items/3/data/kind not_in_list'])
    expect(data).toMatchObject([
      { action: 'crm-entities.batch', target: null, changes: { created: { to: 2 }, updated: { to: 1 } } },
      { action: 'crm-entities.create', target: { type: 'crm_entity', id: first.id }, changes: { created: { to: 1 } } },
    ])
  })

  test('a webhook that leaves imports out gets every other change', async () => {
    await using receiver = await startReceiver()
    // What was changed before may still wait to be fanned out, to webhooks that have come meanwhile as well.
    const { workspaceId } = tenant
    const waiting = () => system.db.outbox.count({ where: { workspaceId } })
    await eventually(async () => (await waiting()) === 0, 'earlier events to be fanned out')
    const webhook = { name: 'Receiver', url: receiver.url, eventTypes: ['crm-entities.*'], includeImports: false }
    const { id, includeImports } = await post('/webhooks', webhook)
    const old = await post('/crm-entities', { kind: 'company', name: 'Old', imported })

    await patch(`/crm-entities/${old.id}`, { name: 'Changed' })

    const [received] = await receiver.count(1)
    expect(includeImports).toBe(false)
    const event = JSON.parse(String(received?.body))
    expect([event.type, event.data.name, event.origin]).toEqual(['crm-entities.updated', 'Changed', undefined])
    const first = await patch(`/webhooks/${id}`, { includeImports: true })
    await post('/crm-entities', { kind: 'company', name: 'Older', imported })
    const [, second] = await receiver.count(2)
    expect(first.includeImports).toBe(true)
    expect(JSON.parse(String(second?.body))).toMatchObject({ type: 'crm-entities.created', origin: 'import' })
  })
})

describeOnce('imports that contradict themselves', (mode) => {
  const { tenant } = sharedSystem(mode)
  const { call, post } = callsOf(tenant)

  const newProject = () => post('/projects', { name: 'Website' })
  const inFuture = '2999-01-01T00:00:00Z'
  const done = { status: 'done' }
  const createdAt = '2020-01-01T00:00:00Z'
  test.each<[string, object, object]>([
    ['422 validation_failed /imported/createdAt too_large', {}, { createdAt: inFuture }],
    ['422 validation_failed /imported/updatedAt too_large', {}, { updatedAt: inFuture }],
    ['422 validation_failed /imported/completedAt too_large', done, { completedAt: inFuture }],
    ['422 validation_failed /imported/createdAt too_small', {}, { createdAt: '0001-01-01T00:00:00Z' }],
    ['422 validation_failed /imported/updatedAt too_small', {}, { createdAt, updatedAt: '2019-12-31T23:59:59.999Z' }],
    ['422 validation_failed /imported/updatedAt too_small', {}, { updatedAt: createdAt }],
    ['422 validation_failed /imported/completedAt too_small', done, { createdAt, completedAt: '2019-01-01T00:00:00Z' }],
    ['422 validation_failed /imported/completedAt read_only', {}, { createdAt, completedAt: createdAt }],
    ['422 unknown_field /imported/closedAt unknown', done, { closedAt: createdAt }],
    ['422 validation_failed /imported/createdBy/name required', {}, { createdBy: { email: 'a@b.example' } }],
    ['422 validation_failed /imported/createdBy/email wrong_format', {}, { createdBy: { name: 'A', email: 'a' } }],
    ['422 validation_failed /imported/number too_small', {}, { number: 0 }],
    ['422 validation_failed /imported too_short', {}, {}],
    ['201', done, { createdAt, updatedAt: createdAt, completedAt: createdAt, createdBy: { name: 'A', email: '' } }],
  ])('%s for a task %j with the history %j', async (expected, body, given) => {
    const { id: projectId } = await newProject()

    const answer = await call('POST', '/tasks', { projectId, title: 'Old', ...body, imported: given })

    expect(told(answer)).toBe(expected)
  })

  test('what is not ended, or ends earlier by a correction, is refused where it was sent', async () => {
    const { id: projectId } = await newProject()
    const task = await post('/tasks', {
      projectId,
      title: 'Old',
      ...done,
      imported: { createdAt, completedAt: createdAt },
    })
    const company = { kind: 'company', name: 'Old', imported: { closedAt: createdAt } }

    const answers = [
      await call('PATCH', `/tasks/${task.id}`, { imported: { createdAt: '2020-01-02T00:00:00Z' } }),
      await call('PATCH', `/tasks/${task.id}`, { imported: { number: 9 } }),
      await call('POST', '/crm-entities', company),
    ]

    expect(answers.map(told)).toEqual([
      '422 validation_failed /imported/createdAt too_large',
      '422 validation_failed /imported/number read_only',
      '422 validation_failed /imported/closedAt read_only',
    ])
  })
})
