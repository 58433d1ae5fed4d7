// What an integrator relies on when reading and writing comments: the same on tasks, projects and CRM entities.
import { missingId } from '../support/client.ts'
import { describe, expect, test } from 'vitest'
import { describeModes, must, sharedSystem, type Answer } from '../support/system.ts'

type Body = Answer['body']
type Segment = 'tasks' | 'projects' | 'crm-entities'

describeModes('comments', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const api = (method: string, path: string, body?: object, who = tenant, headers = {}) =>
    who.api(method, `/api/v1${path}`, body, headers)
  const make = async (path: string, body: object, who = tenant): Promise<Body> =>
    must(await api('POST', path, body, who))

  /** Something to comment on, with the project that it is in. */
  async function newSubject(
    segment: Segment,
    who = tenant,
  ): Promise<{ path: string; id: string; projectId: string | null }> {
    const of = ({ id }: Body, projectId: string | null) => ({ path: `/${segment}/${id}/comments`, id, projectId })
    if (segment === 'crm-entities') return of(await make('/crm-entities', { kind: 'company', name: 'Acme' }, who), null)
    const project = await make('/projects', { name: 'Web' }, who)
    if (segment === 'projects') return of(project, project.id)
    return of(await make('/tasks', { projectId: project.id, title: 'Paint' }, who), project.id)
  }

  describe.each<Segment>(['tasks', 'projects', 'crm-entities'])('on %s', (segment) => {
    test('a comment can be read, listed, changed by another key and deleted; its events hold it and its subject', async () => {
      const { path, id, projectId } = await newSubject(segment)
      const other = await tenant.key([`${segment}:write`])
      const before = await tenant.lastSequence()

      const made = await api('POST', path, { body: 'First **look**' })
      const at = `${path}/${made.body.id}`
      const changed = must(await api('PATCH', at, { body: 'Second look' }, other))
      for (const same of [{ body: 'Second look' }, {}]) expect(must(await api('PATCH', at, same))).toEqual(changed)
      const listed = must(await api('GET', path))
      const gone = [await api('DELETE', at), await api('DELETE', at)]

      expect(made.headers.get('location')).toBe(`/api/v1${at}`)
      expect(made).toMatchObject({
        status: 201,
        body: {
          object: 'comment',
          subject: { type: segment, id },
          body: 'First **look**',
          version: 1,
          deletedAt: null,
          createdBy: { type: 'api_key', id: tenant.keyId },
        },
      })
      expect(changed).toMatchObject({ body: 'Second look', version: 2, createdBy: made.body.createdBy })
      expect(changed.updatedBy.id).toBe(other.keyId)
      expect(listed.data).toEqual([changed])
      expect(gone.map(({ status }) => status)).toEqual([204, 204])
      expect((await api('GET', at)).status).toBe(404)
      expect((await api('PATCH', at, { body: 'x' })).status).toBe(404)
      expect(must(await api('GET', path)).data).toEqual([])

      const events: Body[] = must(await api('GET', `/events?after=${before}`)).data
      expect(events).toMatchObject([
        { type: `${segment}.comment_created` },
        {
          type: `${segment}.comment_updated`,
          data: changed,
          changes: { body: { from: 'First **look**', to: 'Second look' } },
        },
        { type: `${segment}.comment_deleted`, data: { id: made.body.id, version: 3 } },
      ])
      const kind = segment === 'crm-entities' ? 'company' : null
      for (const event of events) expect(event.resource).toEqual({ type: segment, id, kind, version: null })
      const rows = await system.db.event.findMany({ where: { id: { in: events.map((event) => event.id) } } })
      expect(rows.map((row) => row.projectId)).toEqual([projectId, projectId, projectId])
    })

    test('comments of another workspace or subject are the same 404 as missing ones', async () => {
      const [here, there] = [await newSubject(segment), await newSubject(segment)]
      const stranger = await system.tenant()
      const theirs = await newSubject(segment, stranger)
      const { id } = await make(here.path, { body: 'Here' })
      const { id: theirId } = await make(theirs.path, { body: 'Theirs' }, stranger)

      const refused = [
        await api('GET', `${there.path}/${id}`),
        await api('PATCH', `${there.path}/${id}`, { body: 'x' }),
        await api('DELETE', `${there.path}/${id}`),
        await api('GET', `${here.path}/${missingId}`),
        await api('GET', `${here.path}/${theirId}`),
        await api('GET', `${theirs.path}/${theirId}`),
        await api('GET', theirs.path),
        await api('POST', theirs.path, { body: 'x' }),
      ]

      expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(refused.map(() => '404 not_found'))
      expect(must(await api('GET', theirs.path, undefined, stranger)).data).toHaveLength(1)
    })

    test('pages go from the oldest to the newest, or the other way', async () => {
      const { path } = await newSubject(segment)
      const bodies = ['1', '2', '3', '4', '5']
      for (const body of bodies) await make(path, { body })
      const read = async (query: string): Promise<Body> => must(await api('GET', `${path}?${query}`))
      const bodiesOf = ({ data }: Body): string[] => data.map(({ body }: Body) => body)

      const first = await read('limit=2')
      const second = await read(`limit=2&cursor=${first.page.nextCursor}`)
      const third = await read(`limit=2&cursor=${second.page.nextCursor}`)

      expect([first, second, third].flatMap(bodiesOf)).toEqual(bodies)
      expect(third.page).toMatchObject({ hasMore: false, nextCursor: null })
      expect(bodiesOf(await read('sort=-createdAt'))).toEqual(bodies.toReversed())
      expect(await api('GET', `${path}?sort=-createdAt&cursor=${first.page.nextCursor}`)).toMatchObject({
        status: 400,
        body: { code: 'cursor_mismatch' },
      })
    })

    test('a change for another version, of nothing or of too much is refused and changes nothing', async () => {
      const { path } = await newSubject(segment)
      const { id } = await make(path, { body: 'One' })
      const stale = { 'if-match': '"7"' }

      for (const answer of [
        await api('PATCH', `${path}/${id}`, { body: 'Two' }, tenant, stale),
        await api('DELETE', `${path}/${id}`, undefined, tenant, stale),
      ])
        expect(answer).toMatchObject({ status: 412, body: { code: 'version_mismatch', currentVersion: 1 } })
      for (const body of ['', ' \n ', 'x'.repeat(50_001)])
        for (const answer of [await api('POST', path, { body }), await api('PATCH', `${path}/${id}`, { body })])
          expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/body' }] } })
      const read = await api('GET', `${path}/${id}`)
      expect([read.body.body, read.headers.get('etag')]).toEqual(['One', '"1"'])
    })
  })

  test('comments in an archived project can be read and not written', async () => {
    const { path, projectId } = await newSubject('tasks')
    const paths = [`/projects/${projectId}/comments`, path]
    const made = await Promise.all(paths.map(async (each) => `${each}/${(await make(each, { body: 'Kept' })).id}`))
    must(await api('POST', `/projects/${projectId}/archive`))

    const refused = await Promise.all([
      ...paths.map((each) => api('POST', each, { body: 'x' })),
      ...made.flatMap((each) => [api('PATCH', each, { body: 'x' }), api('DELETE', each)]),
    ])

    expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      refused.map(() => '409 project_archived'),
    )
    for (const each of paths) expect(must(await api('GET', each)).data).toMatchObject([{ body: 'Kept', version: 1 }])
  })

  test('comments are hidden with their deleted task or project, and come back with it', async () => {
    const { path, id, projectId } = await newSubject('tasks')
    const comment = await make(path, { body: 'Kept' })

    for (const gone of [`/tasks/${id}`, `/projects/${projectId}`]) {
      must(await api('DELETE', gone))
      expect((await api('GET', path)).status).toBe(404)
      expect((await api('POST', path, { body: 'x' })).status).toBe(404)
      must(await api('POST', `${gone}/restore`))
      expect(must(await api('GET', path)).data).toEqual([comment])
    }
  })
})
