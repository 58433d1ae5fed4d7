// What an integrator relies on when reading and writing comments: the same on tasks, projects and CRM entities.
import { describe, expect, test } from 'vitest'
import { v7 as uuid } from 'uuid'
import { describeModes, must, sharedSystem, type Answer, type System, type Tenant } from '../support/system.ts'

type Body = Answer['body']
type Segment = 'tasks' | 'projects' | 'crm-entities'
const segments: Segment[] = ['tasks', 'projects', 'crm-entities']
const missingId = '01999999-0000-7000-8000-000000000000'

describeModes('comments', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const api = (method: string, path: string, body?: object, who = tenant) => who.api(method, `/api/v1${path}`, body)
  const newProject = async (who = tenant): Promise<Body> => must(await api('POST', '/projects', { name: 'Web' }, who))
  const newTask = async (projectId: string): Promise<Body> =>
    must(await api('POST', '/tasks', { projectId, title: 'Paint' }))

  /** Something to comment on, with the project that it is in. */
  async function newSubject(
    segment: Segment,
    who = tenant,
  ): Promise<{ path: string; id: string; projectId: string | null }> {
    const { id, projectId } = await subjectOf(segment, who)
    return { path: `/${segment}/${id}/comments`, id, projectId }
  }

  async function subjectOf(segment: Segment, who: Tenant): Promise<{ id: string; projectId: string | null }> {
    if (segment === 'crm-entities') return { id: await newCompany(system, who), projectId: null }
    const { id: projectId } = await newProject(who)
    if (segment === 'projects') return { id: projectId, projectId }
    return { id: must(await api('POST', '/tasks', { projectId, title: 'Paint' }, who)).id, projectId }
  }

  describe.each(segments)('on %s', (segment) => {
    test('a comment can be read, listed, changed and deleted', async () => {
      const { path, id } = await newSubject(segment)

      const made = await api('POST', path, { body: 'First **look**' })
      const address = made.headers.get('location') ?? ''
      const changed = await tenant.api('PATCH', address, { body: 'Second look' })
      const listed = must(await api('GET', path))
      const gone = await tenant.api('DELETE', address)

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
      expect(address).toBe(`/api/v1${path}/${made.body.id}`)
      expect(changed.body).toMatchObject({ id: made.body.id, body: 'Second look', version: 2 })
      expect(listed.data).toEqual([changed.body])
      expect([gone.status, (await tenant.api('DELETE', address)).status]).toEqual([204, 204])
      expect((await tenant.api('GET', address)).status).toBe(404)
      expect((await tenant.api('PATCH', address, { body: 'x' })).status).toBe(404)
      expect(must(await api('GET', path)).data).toEqual([])
    })

    test('events hold the whole comment and its subject', async () => {
      const { path, id, projectId } = await newSubject(segment)
      const before = await tenant.lastSequence()
      const { id: commentId } = must(await api('POST', path, { body: 'One' }))
      const changed = must(await api('PATCH', `${path}/${commentId}`, { body: 'Two' }))
      must(await api('PATCH', `${path}/${commentId}`, { body: 'Two' }))
      must(await api('PATCH', `${path}/${commentId}`, {}))
      must(await api('DELETE', `${path}/${commentId}`))

      const events: Body[] = must(await api('GET', `/events?after=${before}`)).data

      expect(events.map(({ type }) => type)).toEqual(
        ['created', 'updated', 'deleted'].map((what) => `${segment}.comment_${what}`),
      )
      const kind = segment === 'crm-entities' ? 'company' : null
      for (const event of events) expect(event.resource).toEqual({ type: segment, id, kind, version: null })
      expect(events[1]).toMatchObject({ data: changed, changes: { body: { from: 'One', to: 'Two' } } })
      expect(events[2].data).toMatchObject({ id: commentId, version: 3 })
      const rows = await system.db.event.findMany({ where: { id: { in: events.map((event) => event.id) } } })
      expect(rows.map((row) => row.projectId)).toEqual([projectId, projectId, projectId])
    })

    test('comments of another workspace or subject are the same 404 as missing ones', async () => {
      const [here, there] = [await newSubject(segment), await newSubject(segment)]
      const stranger = await system.tenant()
      const theirs = await newSubject(segment, stranger)
      const { id } = must(await api('POST', here.path, { body: 'Here' }))
      const theirId = must(await api('POST', theirs.path, { body: 'Theirs' }, stranger)).id

      const refused = [
        await api('GET', `${there.path}/${id}`),
        await api('PATCH', `${there.path}/${id}`, { body: 'x' }),
        await api('DELETE', `${there.path}/${id}`),
        await api('GET', `${here.path}/${missingId}`),
        await api('GET', `${here.path}/${theirId}`),
        await api('GET', `${theirs.path}/${theirId}`),
        await api('GET', theirs.path),
        await api('POST', theirs.path, { body: 'x' }),
        await api('GET', `/${segment}/${missingId}/comments`),
      ]

      expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(refused.map(() => '404 not_found'))
      expect(must(await api('GET', theirs.path, undefined, stranger)).data).toHaveLength(1)
    })

    test('pages go from the oldest to the newest, or the other way', async () => {
      const { path } = await newSubject(segment)
      const bodies = ['1', '2', '3', '4', '5']
      for (const body of bodies) must(await api('POST', path, { body }))
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

    test('an update for another version is refused and changes nothing', async () => {
      const { path } = await newSubject(segment)
      const { id } = must(await api('POST', path, { body: 'One' }))
      const stale = { 'if-match': '"7"' }

      const answers = [
        await tenant.api('PATCH', `/api/v1${path}/${id}`, { body: 'Two' }, stale),
        await tenant.api('DELETE', `/api/v1${path}/${id}`, undefined, stale),
      ]
      const read = await api('GET', `${path}/${id}`)

      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 412, body: { code: 'version_mismatch', currentVersion: 1 } })
      }
      expect(read.body.body).toBe('One')
      expect(read.headers.get('etag')).toBe('"1"')
    })

    test.each([undefined, '', ' \n ', null, 7, 'x'.repeat(50_001)])('%j is no body', async (body) => {
      const { path } = await newSubject(segment)

      expect(await api('POST', path, { body })).toMatchObject({
        status: 422,
        body: {
          code: 'validation_failed',
          errors: expect.arrayContaining([expect.objectContaining({ pointer: '/body' })]),
        },
      })
    })

    test('reading needs the read scope of what is commented, writing its write scope', async () => {
      const { path } = await newSubject(segment)
      const reader = await tenant.key([`${segment}:read`])
      const { id } = must(await api('POST', path, { body: 'One' }))

      expect(must(await api('GET', `${path}/${id}`, undefined, reader)).body).toBe('One')
      for (const answer of [
        await api('POST', path, { body: 'x' }, reader),
        await api('PATCH', `${path}/${id}`, { body: 'x' }, reader),
        await api('DELETE', `${path}/${id}`, undefined, reader),
      ]) {
        expect(answer).toMatchObject({
          status: 403,
          body: { code: 'insufficient_scope', requiredScopes: [`${segment}:write`] },
        })
      }
    })

    test('another key with the scope may change a comment, and becomes its updatedBy', async () => {
      const { path } = await newSubject(segment)
      const other = await tenant.key([`${segment}:write`])
      const { id } = must(await api('POST', path, { body: 'One' }))

      const changed = must(await api('PATCH', `${path}/${id}`, { body: 'Two' }, other))

      expect(changed).toMatchObject({ createdBy: { id: tenant.keyId }, updatedBy: { id: other.keyId } })
    })
  })

  test('comments in an archived project can be read and not written', async () => {
    const project = await newProject()
    const task = await newTask(project.id)
    const paths = [`/projects/${project.id}/comments`, `/tasks/${task.id}/comments`]
    const ids = await Promise.all(paths.map(async (path) => must(await api('POST', path, { body: 'Kept' })).id))
    must(await api('POST', `/projects/${project.id}/archive`))

    const refused = await Promise.all(
      paths.flatMap((path, n) => [
        api('POST', path, { body: 'x' }),
        api('PATCH', `${path}/${ids[n]}`, { body: 'x' }),
        api('DELETE', `${path}/${ids[n]}`),
      ]),
    )

    expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      refused.map(() => '409 project_archived'),
    )
    for (const path of paths) expect(must(await api('GET', path)).data).toMatchObject([{ body: 'Kept', version: 1 }])
  })

  test('comments are hidden with their deleted task or project, and come back with it', async () => {
    const project = await newProject()
    const task = await newTask(project.id)
    const path = `/tasks/${task.id}/comments`
    const comment = must(await api('POST', path, { body: 'Kept' }))

    for (const gone of [`/tasks/${task.id}`, `/projects/${project.id}`]) {
      must(await api('DELETE', gone))
      expect((await api('GET', path)).status).toBe(404)
      expect((await api('POST', path, { body: 'x' })).status).toBe(404)
      must(await api('POST', `${gone}/restore`))
      expect(must(await api('GET', path)).data).toEqual([comment])
    }
  })
})

/** A company as the table has it. */
async function newCompany({ db }: System, { workspaceId }: Tenant): Promise<string> {
  const id = uuid()
  const at = new Date()
  const stamps = { version: 1, createdAt: at, updatedAt: at, createdBy: {}, updatedBy: {} }
  await db.crmEntity.create({ data: { workspaceId, id, kind: 'company', name: 'Acme', ...stamps } })
  return id
}
