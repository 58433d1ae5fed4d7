// Purge of deleted objects: unique values are kept for as long as an object can be restored, and free afterwards.
import { expect, test } from 'vitest'
import { purgeDeleted } from '../../service/purge-rows.ts'
import { describeOnce, must, sharedSystem, type Answer } from '../support/system.ts'

type Body = Answer['body']

const segments = ['projects', 'tasks', 'crm-entities', 'documents'] as const
type Segment = (typeof segments)[number]
const tables = { projects: 'project', tasks: 'task', 'crm-entities': 'crm_entity', documents: 'document' }
const secret = 'Confidential words'
const written: Readonly<Record<Segment, object>> = {
  projects: { name: secret, description: secret, labels: [secret] },
  tasks: { title: secret, description: secret, labels: [secret] },
  'crm-entities': { kind: 'company', name: secret, description: secret, labels: [secret], address: { city: secret } },
  documents: { title: secret, content: secret, summary: secret, folder: secret, tags: [secret] },
}

describeOnce('purge', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const api = (method: string, path: string, body?: object) => tenant.api(method, `/api/v1/${path}`, body)
  const project = async (more: object = {}) => must(await api('POST', 'projects', { name: 'Website', ...more }))
  const purge = async (path: string) => must(await api('POST', `${path}/purge`))
  /** A task needs a project. */
  const bodyOf = async (segment: Segment, more: object = {}) => {
    const parent = segment === 'tasks' ? { projectId: (await project()).id } : {}
    return { ...written[segment], ...parent, ...more }
  }
  const refusal = (status: number, code: string, more: object = {}) => ({ status, body: { code, ...more } })
  const taken = (field: string, existingId: string) =>
    refusal(409, 'duplicate', { field, existingId, hint: expect.stringMatching(/restore.*purge/) })

  test.each(segments)('a deleted object of %s keeps its external id until it is purged', async (segment) => {
    const external = { externalSource: 'erp', externalId: `kept-${segment}` }
    const body = await bodyOf(segment, external)
    const { id } = must(await api('POST', segment, body))
    const path = `${segment}/${id}`
    const early = await api('POST', `${path}/purge`)
    must(await api('DELETE', path))

    const refused = await api('POST', segment, body)
    const shown = await api('GET', `${path}?includeDeleted=true`)
    const byKey = await api('GET', `${segment}/by-external-id/erp/kept-${segment}?includeDeleted=true`)
    await purge(path)
    const again = await api('POST', segment, body)

    expect(early).toMatchObject(refusal(409, 'not_deleted'))
    expect(refused).toMatchObject(taken('externalId', id))
    expect(shown).toMatchObject({ status: 200, body: { id, deletedAt: expect.any(String), ...external } })
    expect(byKey.body).toEqual(shown.body)
    expect(again.status).toBe(201)
  })

  test.each(segments)('nothing is left of a purged object of %s but a tombstone', async (segment) => {
    const { id } = must(await api('POST', segment, await bodyOf(segment)))
    const path = `${segment}/${id}`
    if (segment !== 'documents') must(await api('POST', `${path}/comments`, { body: secret }))
    must(await api('DELETE', path))
    const tombstone = async () => must(await api('GET', `${segment}?ids=${id}&includeDeleted=true`)).data
    const [before, sequence] = [await tombstone(), await tenant.lastSequence()]

    await purge(path)

    expect(before).toMatchObject([{ id, version: 2, deletedAt: expect.any(String) }])
    expect(await tombstone()).toEqual(before)
    expect(await tenant.eventTypesAfter(sequence)).toEqual([])
    const rows = await system.db.$queryRawUnsafe(
      `SELECT to_jsonb(t)::text AS row FROM ${tables[segment]} t
       WHERE id = '${id}' AND workspace_id = '${tenant.workspaceId}'`,
    )
    expect(JSON.stringify(rows)).not.toContain(secret)
    const comments = await system.db.comment.findMany({ where: { workspaceId: tenant.workspaceId } })
    expect(comments.filter((comment) => Object.values(comment).includes(id))).toEqual([])
    expect(await api('POST', `${path}/restore`)).toMatchObject(refusal(410, 'purged'))
    expect((await api('GET', `${path}?includeDeleted=true`)).status).toBe(410)
    expect((await api('GET', path)).status).toBe(404)
    await purge(path)
    const entries = must(await tenant.settings('GET', `/audit-entries?action=${segment}.purge`)).data
    expect(entries.filter(({ target }: Body) => target.id === id)).toMatchObject([
      { target: { name: null }, changes: { purgedAt: { from: null, to: expect.any(String) } } },
    ])
  })

  test.each([
    ['projects', 'key', { name: 'Website', key: 'KEPT' }],
    ['crm-entities', 'domains', { kind: 'company', name: 'Acme', domains: ['kept.example'] }],
    ['crm-entities', 'emails', { kind: 'contact', firstName: 'Ada', emails: ['ada@kept.example'] }],
  ])('of %s the %s are kept and freed in the same way', async (segment, field, body) => {
    const { id } = must(await api('POST', segment, body))
    must(await api('DELETE', `${segment}/${id}`))

    expect(await api('POST', segment, body)).toMatchObject(taken(field, id))
    await purge(`${segment}/${id}`)
    const again = await api('POST', segment, body)
    expect(again.status).toBe(201)
    if (field !== 'key') return
    // Those that a project had before are free then, too.
    must(await api('PATCH', `projects/${again.body.id}`, { key: 'NEWKEY' }))
    must(await api('DELETE', `projects/${again.body.id}`))
    await purge(`projects/${again.body.id}`)
    for (const key of ['KEPT', 'NEWKEY']) expect(await project({ key })).toMatchObject({ key })
  })

  test('objects hidden with their deleted project are purged with it, and not alone', async () => {
    const external = { externalSource: 'erp', externalId: 'hidden' }
    const { id: projectId } = await project({ key: 'HIDDEN' })
    const task = must(await api('POST', 'tasks', { projectId, title: secret, ...external }))
    must(await api('DELETE', `projects/${projectId}`))
    const elsewhere = { projectId: (await project()).id, title: 'Again' }
    const again = () => api('POST', 'tasks', { ...elsewhere, ...external })
    const shown = () => api('GET', `tasks/${task.id}?includeDeleted=true`)

    const refused = [await again(), await api('PUT', 'tasks/by-external-id/erp/hidden', elsewhere)]
    const before = await shown()
    const alone = await api('POST', `tasks/${task.id}/purge`)
    await purge(`projects/${projectId}`)

    for (const answer of refused) {
      expect(answer).toMatchObject(taken('externalId', task.id))
      expect(answer.body.hint).toContain(projectId)
    }
    expect(before).toMatchObject({ status: 200, body: { id: task.id, deletedAt: null, title: secret } })
    const hint = expect.stringContaining(projectId)
    expect(alone).toMatchObject(refusal(409, 'not_deleted', { hint }))
    expect(await shown()).toMatchObject(refusal(410, 'purged'))
    expect((await again()).status).toBe(201)
    while ((await purgeDeleted(system.db)) > 0);
    expect(await system.db.task.count({ where: { id: task.id } })).toBe(0)
    expect(await system.db.project.count({ where: { id: projectId } })).toBe(1)
  })

  test('a merged object leads to the survivor, and can be read as it was until it is purged', async () => {
    const make = async () => must(await api('POST', 'crm-entities', { kind: 'company', name: 'Acme' })).id as string
    const [survivor, source] = [await make(), await make()]
    must(await api('POST', `crm-entities/${survivor}/merge`, { sourceId: source }))

    const before = must(await api('GET', `crm-entities/${source}?includeDeleted=true`))
    await purge(`crm-entities/${source}`)

    expect(before).toMatchObject({ id: source, mergedIntoId: survivor, deletedAt: expect.any(String) })
    expect(must(await api('GET', `crm-entities/${source}`))).toMatchObject({ id: survivor })
  })
})
