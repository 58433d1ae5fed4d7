// What an integrator relies on when reading and writing comments: the same on tasks, projects and CRM entities.
import { expect, test } from 'vitest'
import { missingId } from '../support/client.ts'
import { describeOnce, sharedSystem } from '../support/system.ts'
import { callsOf, told } from './calls.ts'

const segments = ['tasks', 'projects', 'crm-entities'] as const

describeOnce('comments', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const { call, get, post, patch, listed, remove, eventsAfter } = callsOf(tenant)

  /** Something to comment on, with the project that it is in. */
  async function newSubject(segment: (typeof segments)[number]) {
    const entity = segment === 'crm-entities' ? await post('/crm-entities', { kind: 'company', name: 'Acme' }) : null
    const project = entity === null ? await post('/projects', { name: 'Web' }) : null
    const task = segment === 'tasks' ? await post('/tasks', { projectId: project.id, title: 'Paint' }) : null
    const { id } = entity ?? task ?? project
    return { path: `/${segment}/${id}/comments`, id: id as string, projectId: (project?.id ?? null) as string | null }
  }

  test.each(segments)('a comment on %s is read, changed by another key and deleted, with events', async (segment) => {
    const { path, id, projectId } = await newSubject(segment)
    const other = await tenant.key([`${segment}:write`])
    const before = await tenant.lastSequence()
    const [body, second] = ['First **look**', { body: 'Second look' }]

    const made = await call('POST', path, { body })
    const at = `${path}/${made.body.id}`
    const changed = await callsOf(other).patch(at, second)
    for (const same of [second, {}]) expect(await patch(at, same)).toEqual(changed)
    const list = await get(path)
    const deleted = [await call('DELETE', at), await call('DELETE', at)]
    const gone = [await call('GET', at), await call('PATCH', at, second)]

    const createdBy = { type: 'api_key', id: tenant.keyId }
    const subject = { type: segment, id }
    expect([made.status, made.headers.get('location')]).toEqual([201, `/api/v1${at}`])
    expect(made.body).toMatchObject({ object: 'comment', subject, body, version: 1, deletedAt: null, createdBy })
    expect(changed).toMatchObject({ ...second, version: 2, createdBy, updatedBy: { id: other.keyId } })
    expect(list.data).toEqual([changed])
    expect([...deleted, ...gone].map(told)).toEqual(['204', '204', '404 not_found', '404 not_found'])
    expect((await get(path)).data).toEqual([])
    const events = await eventsAfter(before)
    expect(events).toMatchObject([
      { type: `${segment}.comment_created` },
      { type: `${segment}.comment_updated`, data: changed, changes: { body: { from: body, to: second.body } } },
      { type: `${segment}.comment_deleted`, data: { id: made.body.id, version: 3 } },
    ])
    const kind = segment === 'crm-entities' ? 'company' : null
    const project = projectId === null ? {} : { project: { id: projectId, key: expect.any(String), name: 'Web' } }
    const named = {
      tasks: { task: { id, identifier: expect.stringMatching(/-1$/), title: 'Paint' } },
      projects: {},
      'crm-entities': { crmEntity: { id, kind, name: 'Acme' } },
    }
    for (const event of events) {
      expect(event.resource).toEqual({ ...subject, kind, version: null })
      expect(event.related).toEqual({ ...named[segment], ...project })
    }
    const rows = await system.db.event.findMany({ where: { id: { in: events.map((event) => event.id) } } })
    expect(rows.map((row) => row.projectId)).toEqual([projectId, projectId, projectId])
  })

  test('a comment of another subject is the same 404 as a missing one', async () => {
    const [here, there] = [await newSubject('tasks'), await newSubject('tasks')]
    const { id } = await post(here.path, { body: 'Here' })

    const refused = [
      await call('GET', `${there.path}/${id}`),
      await call('PATCH', `${there.path}/${id}`, { body: 'x' }),
      await call('DELETE', `${there.path}/${id}`),
      await call('GET', `${here.path}/${missingId}`),
    ]

    expect(refused.map(told)).toEqual(refused.map(() => '404 not_found'))
    expect(await listed(here.path, 'body')).toEqual(['Here'])
  })

  test('pages go from the oldest to the newest, or the other way', async () => {
    const { path } = await newSubject('tasks')
    const bodies = ['1', '2', '3', '4', '5']
    for (const body of bodies) await post(path, { body })

    const first = await get(`${path}?limit=3`)
    const second = await get(`${path}?limit=3&cursor=${first.page.nextCursor}`)
    const reversed = await listed(`${path}?sort=-createdAt`, 'body')
    const mixed = await call('GET', `${path}?sort=-createdAt&cursor=${first.page.nextCursor}`)

    expect([...first.data, ...second.data].map(({ body }) => body)).toEqual(bodies)
    expect(second.page).toMatchObject({ hasMore: false, nextCursor: null })
    expect([reversed, told(mixed)]).toEqual([bodies.toReversed(), '400 cursor_mismatch'])
  })

  test('a change for another version, of nothing or of too much is refused and changes nothing', async () => {
    const { path } = await newSubject('tasks')
    const { id } = await post(path, { body: 'One' })
    const at = `${path}/${id}`
    const stale = { 'if-match': '"7"' }

    const refused = [await call('PATCH', at, { body: 'Two' }, stale), await call('DELETE', at, undefined, stale)]

    for (const { status, body } of refused)
      expect([status, body]).toMatchObject([412, { code: 'version_mismatch', currentVersion: 1 }])
    for (const body of ['', ' \n ', 'x'.repeat(50_001)])
      for (const answer of [await call('POST', path, { body }), await call('PATCH', at, { body })])
        expect(told(answer)).toMatch(/^422 validation_failed \/body /)
    const read = await call('GET', at)
    expect([read.body.body, read.headers.get('etag')]).toEqual(['One', '"1"'])
  })

  test('comments in an archived project can be read and not written', async () => {
    const { path, projectId } = await newSubject('tasks')
    const paths = [`/projects/${projectId}/comments`, path]
    const made = await Promise.all(paths.map(async (each) => `${each}/${(await post(each, { body: 'Kept' })).id}`))
    await post(`/projects/${projectId}/archive`)

    const refused = await Promise.all([
      ...paths.map((each) => call('POST', each, { body: 'x' })),
      ...made.flatMap((each) => [call('PATCH', each, { body: 'x' }), call('DELETE', each)]),
    ])

    expect(refused.map(told)).toEqual(refused.map(() => '409 project_archived'))
    for (const each of paths) expect((await get(each)).data).toMatchObject([{ body: 'Kept', version: 1 }])
  })

  test('comments are hidden with their deleted task or project, and come back with it', async () => {
    const { path, id, projectId } = await newSubject('tasks')
    const comment = await post(path, { body: 'Kept' })

    for (const gone of [`/tasks/${id}`, `/projects/${projectId}`]) {
      await remove(gone)
      const hidden = [await call('GET', path), await call('POST', path, { body: 'x' })]
      expect(hidden.map(told)).toEqual(['404 not_found', '404 not_found'])
      await post(`${gone}/restore`)
      expect((await get(path)).data).toEqual([comment])
    }
  })
})
