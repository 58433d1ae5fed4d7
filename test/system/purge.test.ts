// Purge of deleted objects: unique values are kept for as long as an object can be restored, and free afterwards.
import { expect, test } from 'vitest'
import { purgeDeleted } from '../../service/purge-expired.ts'
import { describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

const segments = ['projects', 'tasks', 'crm-entities', 'documents'] as const
const secret = 'Confidential words'
const written: Readonly<Record<(typeof segments)[number], object>> = {
  projects: { name: secret, description: secret, labels: [secret] },
  tasks: { title: secret, description: secret, labels: [secret] },
  'crm-entities': { kind: 'company', name: secret, description: secret, labels: [secret], address: { city: secret } },
  documents: { title: secret, content: secret, summary: secret, folder: secret, tags: [secret] },
}

describeModes('purge', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const api = (method: string, path: string, body?: object) => tenant.api(method, `/api/v1/${path}`, body)
  const project = async (more: object = {}): Promise<Answer['body']> =>
    must(await api('POST', 'projects', { name: 'Website', ...more }))
  const make = async (segment: (typeof segments)[number], more: object): Promise<Answer['body']> => {
    const of = segment === 'tasks' ? { projectId: (await project()).id } : {}
    return must(await api('POST', segment, { ...written[segment], ...of, ...more }))
  }
  const taken = (field: string, existingId: string) => ({
    status: 409,
    body: { code: 'duplicate', field, existingId, hint: expect.stringMatching(/restore.*purge/) },
  })

  test.each(segments)(
    'a deleted object of %s keeps its external id until it is purged, and says so',
    async (segment) => {
      const external = { externalSource: 'erp', externalId: `kept-${segment}` }
      const gone = await make(segment, external)
      must(await api('DELETE', `${segment}/${gone.id}`))

      const refused = await api('POST', segment, { ...written[segment], ...external, ...parentOf(segment, gone) })
      const shown = await api('GET', `${segment}/${gone.id}?includeDeleted=true`)
      const byKey = await api('GET', `${segment}/by-external-id/erp/kept-${segment}?includeDeleted=true`)
      const purged = await api('POST', `${segment}/${gone.id}/purge`)
      const made = await api('POST', segment, { ...written[segment], ...external, ...parentOf(segment, gone) })

      expect(refused).toMatchObject(taken('externalId', gone.id))
      expect((await api('GET', `${segment}/${gone.id}`)).status).toBe(404)
      expect(shown).toMatchObject({ status: 200, body: { id: gone.id, deletedAt: expect.any(String), ...external } })
      expect(byKey.body).toEqual(shown.body)
      expect(purged).toMatchObject({ status: 204, body: null })
      expect(made.status).toBe(201)
    },
  )

  test.each(segments)('nothing is left of a purged object of %s but a tombstone', async (segment) => {
    const { id } = await make(segment, {})
    if (segment !== 'documents') must(await api('POST', `${segment}/${id}/comments`, { body: secret }))
    must(await api('DELETE', `${segment}/${id}`))
    const tombstone = async () => must(await api('GET', `${segment}?ids=${id}&includeDeleted=true`)).data
    const [before, sequence] = [await tombstone(), await tenant.lastSequence()]

    must(await api('POST', `${segment}/${id}/purge`))

    expect(before).toMatchObject([{ id, version: 2, deletedAt: expect.any(String) }])
    expect(await tombstone()).toEqual(before)
    expect(await tenant.eventTypesAfter(sequence)).toEqual([])
    const table = { projects: 'project', tasks: 'task', 'crm-entities': 'crm_entity', documents: 'document' }[segment]
    const rows = await system.db.$queryRawUnsafe(
      `SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE id = '${id}' AND workspace_id = '${tenant.workspaceId}'`,
    )
    expect(JSON.stringify(rows)).not.toContain(secret)
    const comments = await system.db.comment.findMany({ where: { workspaceId: tenant.workspaceId } })
    expect(comments.filter((comment) => Object.values(comment).includes(id))).toEqual([])
    expect(await api('POST', `${segment}/${id}/restore`)).toMatchObject({ status: 410, body: { code: 'purged' } })
    expect(await api('GET', `${segment}/${id}?includeDeleted=true`)).toMatchObject({ status: 410 })
    expect((await api('GET', `${segment}/${id}`)).status).toBe(404)
    expect((await api('POST', `${segment}/${id}/purge`)).status).toBe(204)
    const entries = must(await tenant.settings('GET', `/audit-entries?action=${segment}.purge`)).data
    expect(entries.filter(({ target }: Answer['body']) => target.id === id)).toMatchObject([
      { target: { name: null }, changes: { purgedAt: { from: null, to: expect.any(String) } } },
    ])
  })

  test('a key, a domain and an email are kept and freed in the same way', async () => {
    const gone = [
      ['projects', 'key', await project({ key: 'KEPT' }), { name: 'Other', key: 'KEPT' }],
      ...(await Promise.all(
        [
          ['domains', { kind: 'company', name: 'Acme', domains: ['kept.example'] }],
          ['emails', { kind: 'contact', firstName: 'Ada', emails: ['ada@kept.example'] }],
        ].map(async ([field, body]) => [
          'crm-entities',
          field,
          must(await api('POST', 'crm-entities', body as object)),
          body,
        ]),
      )),
    ] as [string, string, Answer['body'], object][]

    for (const [segment, field, { id }, again] of gone) {
      must(await api('DELETE', `${segment}/${id}`))
      expect(await api('POST', segment, again)).toMatchObject(taken(field, id))
      must(await api('POST', `${segment}/${id}/purge`))
      expect((await api('POST', segment, again)).status).toBe(201)
    }
  })

  test('objects hidden with their deleted project are restored and purged with it', async () => {
    const external = { externalSource: 'erp', externalId: 'hidden' }
    const { id: projectId } = await project({ key: 'HIDDEN' })
    const task = must(await api('POST', 'tasks', { projectId, title: secret, ...external }))
    must(await api('DELETE', `projects/${projectId}`))
    const { id: other } = await project()
    const again = () => api('POST', 'tasks', { projectId: other, title: 'Again', ...external })

    const refused = await again()
    const upserted = await api('PUT', 'tasks/by-external-id/erp/hidden', { projectId: other, title: 'Again' })
    const shown = await api('GET', `tasks/${task.id}?includeDeleted=true`)
    const alone = await api('POST', `tasks/${task.id}/purge`)
    must(await api('POST', `projects/${projectId}/purge`))
    const purged = await api('GET', `tasks/${task.id}?includeDeleted=true`)

    for (const answer of [refused, upserted]) {
      expect(answer).toMatchObject(taken('externalId', task.id))
      expect(answer.body.hint).toContain(projectId)
    }
    expect(shown).toMatchObject({ status: 200, body: { id: task.id, deletedAt: null, title: secret } })
    expect(alone).toMatchObject({
      status: 409,
      body: { code: 'not_deleted', hint: expect.stringContaining(projectId) },
    })
    expect(purged).toMatchObject({ status: 410, body: { code: 'purged' } })
    expect((await again()).status).toBe(201)
    while ((await purgeDeleted(system.db)) > 0);
    expect(await system.db.task.count({ where: { id: task.id } })).toBe(0)
    expect(await system.db.project.count({ where: { id: projectId } })).toBe(1)
  })

  test('the keys that a project had are free once it is purged', async () => {
    const { id } = await project({ key: 'OLDKEY' })
    must(await api('POST', 'tasks', { projectId: id, title: 'One' }))
    must(await api('PATCH', `projects/${id}`, { key: 'NEWKEY' }))
    must(await api('DELETE', `projects/${id}`))

    expect(await api('POST', 'projects', { name: 'x', key: 'OLDKEY' })).toMatchObject(taken('key', id))
    must(await api('POST', `projects/${id}/purge`))

    for (const key of ['OLDKEY', 'NEWKEY']) expect((await api('POST', 'projects', { name: 'x', key })).status).toBe(201)
  })

  test('only deleted objects are purged, with the delete scope, in the own workspace', async () => {
    const { id } = await project()
    const writer = await tenant.key(['projects:write'])
    const other = await system.tenant()
    const purge = (who: Tenant) => who.api('POST', `/api/v1/projects/${id}/purge`)

    expect(await purge(tenant)).toMatchObject({ status: 409, body: { code: 'not_deleted' } })
    must(await api('DELETE', `projects/${id}`))
    expect(await purge(writer)).toMatchObject({ status: 403, body: { requiredScopes: ['projects:delete'] } })
    expect((await purge(other)).status).toBe(404)
    expect((await api('POST', `projects/${id}/restore`)).status).toBe(200)
  })

  test('a merged object leads to the survivor, and can be read as it was', async () => {
    const make = async () => must(await api('POST', 'crm-entities', { kind: 'company', name: 'Acme' })).id as string
    const [survivor, source] = [await make(), await make()]
    must(await api('POST', `crm-entities/${survivor}/merge`, { sourceId: source }))

    expect(must(await api('GET', `crm-entities/${source}?includeDeleted=true`))).toMatchObject({
      id: source,
      mergedIntoId: survivor,
      deletedAt: expect.any(String),
    })
    must(await api('POST', `crm-entities/${source}/purge`))
    expect(must(await api('GET', `crm-entities/${source}`))).toMatchObject({ id: survivor })
  })

  /** A task needs a project, and the one of the task that is gone is still there. */
  const parentOf = (segment: string, { projectId }: Answer['body']) => (segment === 'tasks' ? { projectId } : {})
})
