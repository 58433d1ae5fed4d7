// What an integrator relies on that keeps comments in step with another system: all of them in one list, by its own
// ids, many in one call, and none that its key may not read.
//
// Operations: comments.list, comments.get, comments.count, comments.create, comments.update, comments.delete,
// comments.restore, comments.purge, comments.get-by-external-id, comments.upsert, comments.delete-by-external-id,
// comments.batch.
import { expect, test } from 'vitest'
import { missingId } from '../support/client.ts'
import { describeModes, sharedSystem } from '../support/system.ts'
import { callsOf, told, toldEach, type Body } from './calls.ts'

describeModes('the comments of a workspace', (mode) => {
  const { tenant } = sharedSystem(mode)
  const { call, get, post, patch, remove, listed, eventsAfter } = callsOf(tenant)

  /** A project with a task, and a company. */
  async function newSubjects() {
    const project = await post('/projects', { name: 'Web' })
    const task = await post('/tasks', { projectId: project.id, title: 'Paint' })
    const company = await post('/crm-entities', { kind: 'company', name: 'Acme' })
    return { project, task, company }
  }

  async function newComments() {
    const { project, task, company } = await newSubjects()
    const onTask = await post('/comments', { taskId: task.identifier, body: 'On the task' })
    const onProject = await post('/comments', { projectId: project.key, body: 'On the project' })
    const onCompany = await post('/comments', { crmEntityId: company.id, body: 'On the company' })
    return { project, task, company, onTask, onProject, onCompany }
  }

  test('a copy learns of every change by `updatedAfter`, whatever becomes of the objects meanwhile', async () => {
    const { task, onTask, onProject, onCompany } = await newComments()
    const since = `sort=updatedAt&includeDeleted=true&updatedAfter=`

    const first = await get(`/comments?${since}${onTask.updatedAt}`)
    const changed = await patch(`/comments/${onTask.id}`, { body: 'Changed' })
    await remove(`/comments/${onProject.id}`)
    await remove(`/tasks/${task.id}`)
    const shown = await listed(`/comments?updatedAfter=${onCompany.updatedAt}`, 'body')
    const second = await get(`/comments?${since}${onCompany.updatedAt}`)
    const single = [
      await call('GET', `/comments/${onTask.id}`),
      await call('GET', `/comments/${onTask.id}?includeDeleted=true`),
    ]

    expect(first.data).toEqual([onProject, onCompany])
    expect(shown).toEqual([])
    const tombstone = {
      id: onProject.id,
      object: 'comment',
      version: 2,
      externalIds: [],
      deletedAt: expect.any(String),
    }
    expect(second.data).toEqual([changed, tombstone])
    expect(single.map(told)).toEqual(['404 not_found', '200'])
    await post(`/tasks/${task.id}/restore`)
    expect(await get(`/comments/${onTask.id}`)).toEqual(changed)
  })

  test('filters take kinds, objects and projects with their tasks, and a count takes the same', async () => {
    const { project, task, company, onTask } = await newComments()
    await post(`/projects/${project.id}/comments`, { body: 'Another' })
    const inProject = `projectId=${project.key}`
    const cases: [string, string[]][] = [
      [inProject, ['Another', 'On the project', 'On the task']],
      [`${inProject}&subjectType=tasks`, ['On the task']],
      [`${inProject}&subjectType=!tasks`, ['Another', 'On the project']],
      [`taskId=${task.identifier}`, ['On the task']],
      [`crmEntityId=${company.id}`, ['On the company']],
      [`projectId=!${project.id}&ids=${onTask.id}`, []],
      [`taskId=none&crmEntityId=none&${inProject}`, ['Another', 'On the project']],
      [`createdBy=me&createdAfter=${onTask.createdAt}&${inProject}&sort=createdAt`, ['On the project', 'Another']],
    ]

    for (const [query, bodies] of cases) {
      expect([query, await listed(`/comments?${query}`, 'body')]).toEqual([query, bodies])
      const count = query.replace(/&sort=.*/, '')
      expect([query, (await get(`/comments/count?${count}`)).total]).toEqual([query, bodies.length])
    }
    const refused = ['subjectType=documents', 'q=task', 'sort=body', 'expand=task']
    for (const query of refused)
      expect([query, told(await call('GET', `/comments?${query}`))]).toEqual([query, expect.stringMatching(/^400 /)])
  })

  test('an own id stands for the id of a comment: in paths, filters and batches, where it may also be an earlier item', async () => {
    const { task } = await newSubjects()
    const ownId = `${task.identifier}/a`
    const name = `ext:jira/${ownId}`
    const inUrl = encodeURIComponent(name)
    const comment = await post('/comments', { taskId: task.id, body: 'One', externalSource: 'jira', externalId: ownId })

    const found = [await get(`/comments/${inUrl}`), await get(`/tasks/${task.id}/comments/${inUrl}`)]
    const listed = await get(`/comments?ids=${inUrl}`)
    const patched = (await call('PATCH', `/comments/${inUrl}`, { body: 'Two' })).body
    const items = [
      { action: 'update', id: name, data: { body: 'Three' } },
      { action: 'update', id: '#0', data: { body: 'Four' } },
    ]
    const { results } = (await call('POST', '/comments/batch', { items })).body
    const none = await call('GET', '/comments/ext:jira%2Fnobody')

    expect([...found, ...listed.data].map(({ id }) => id)).toEqual([comment.id, comment.id, comment.id])
    expect(patched).toMatchObject({ id: comment.id, body: 'Two', version: 2 })
    expect(results.map(({ status, data }: Body) => [status, data.id, data.version])).toEqual([
      [200, comment.id, 3],
      [200, comment.id, 4],
    ])
    expect(told(none)).toBe('404 not_found')
  })

  test('own ids create once, change, find and delete; a comment stays on its object', async () => {
    const { task, project } = await newSubjects()
    const at = `/comments/by-external-id/jira/${task.identifier}-1`

    const made = await call('PUT', at, { taskId: task.id, body: 'One' })
    const same = await call('PUT', at, { taskId: task.id, body: 'One' })
    const changed = (await call('PUT', at, { body: 'Two' })).body
    const moved = await call('PUT', at, { projectId: project.id, body: 'Two' })
    const taken = await call('POST', `/tasks/${task.id}/comments`, {
      body: 'x',
      externalSource: 'jira',
      externalId: `${task.identifier}-1`,
    })
    const found = await get(at)
    const deleted = [await call('DELETE', at), await call('DELETE', at), await call('GET', at)]
    const again = await call('PUT', at, { taskId: task.id, body: 'Three' })
    const restored = await post(`/comments/${made.body.id}/restore`)

    const unchanged = { ...made.body, outcome: 'unchanged', matchedBy: 'externalId' }
    expect([made.status, same.status, same.body]).toEqual([201, 200, unchanged])
    expect(made.headers.get('location')).toBe(`/api/v1/comments/${made.body.id}`)
    expect(changed).toMatchObject(found)
    expect(changed).toMatchObject({ subject: { type: 'tasks', id: task.id }, body: 'Two', version: 2 })
    expect([told(moved), told(taken)]).toEqual([expect.stringMatching(/^422 .*projectId/), '409 duplicate'])
    expect(deleted.map(told)).toEqual(['204', '204', '404 not_found'])
    expect([told(again), again.body.hint]).toEqual(['409 duplicate', expect.stringContaining('restore')])
    expect(restored).toMatchObject({ body: 'Two', version: 4, deletedAt: null })
  })

  test('a batch creates, changes, deletes and restores, by own ids as well, and refuses items alone', async () => {
    const { task } = await newSubjects()
    const before = await tenant.lastSequence()
    const own = { externalSource: 'jira', externalId: `${task.identifier}-b` }

    const { results } = await post('/comments/batch', {
      items: [
        { action: 'upsert', ...own, data: { taskId: task.identifier, body: 'One' } },
        { action: 'update', ...own, data: { body: 'Two' } },
        { action: 'create', data: { body: 'On nothing' } },
        { action: 'create', data: { taskId: missingId, body: 'On what is not there' } },
        { action: 'create', data: { taskId: task.id, projectId: task.projectId, body: 'On two' } },
        { action: 'delete', ...own },
        { action: 'restore', ...own },
      ],
    })

    expect(toldEach(results)).toEqual([
      '201',
      '200',
      '422 validation_failed /items/2/data/taskId required',
      '422 reference_not_found /items/3/data/taskId not_found',
      '422 validation_failed /items/4/data/projectId not_in_list',
      '200',
      '200',
    ])
    expect((await eventsAfter(before)).map(({ type }) => type)).toEqual([
      'tasks.comment_created',
      'tasks.comment_updated',
      'tasks.comment_deleted',
      'tasks.comment_restored',
    ])
    expect(results.at(-1).data).toMatchObject({ ...own, body: 'Two', version: 4 })
  })

  test('a key sees, counts and writes the comments of what it may read and write, and no others', async () => {
    const { task, company, onTask, onProject, onCompany } = await newComments()
    const reader = callsOf(await tenant.key(['tasks:read', 'projects:write']))
    const ids = [onTask, onProject, onCompany].map(({ id }) => id).join()

    const seen = await reader.listed(`/comments?ids=${ids}&sort=createdAt`, 'body')
    const counted = await reader.get(`/comments/count?ids=${ids}`)
    const refused = [
      await reader.call('GET', `/comments/${onCompany.id}`),
      await reader.call('GET', `/comments/${onCompany.id}?includeDeleted=true`),
      await reader.call('PATCH', `/comments/${onCompany.id}`, { body: 'x' }),
      await reader.call('PATCH', `/comments/${onTask.id}`, { body: 'x' }),
      await reader.call('DELETE', `/comments/${onTask.id}`),
      await reader.call('POST', '/comments', { taskId: task.id, body: 'x' }),
      await reader.call('POST', '/comments', { crmEntityId: company.id, body: 'x' }),
      await reader.call('GET', '/comments?subjectType=tasks,crm-entities'),
      await callsOf(await tenant.key(['documents:write'])).call('GET', '/comments'),
    ]
    await reader.remove(`/comments/${onProject.id}`)
    const purges = [
      await reader.call('POST', `/comments/${onProject.id}/purge`),
      await call('POST', `/comments/${onProject.id}/purge`),
      await call('POST', `/comments/${onProject.id}/restore`),
    ]

    expect(seen).toEqual(['On the task', 'On the project'])
    expect(counted.total).toBe(2)
    const scope = '403 insufficient_scope'
    expect(refused.map(told)).toEqual([
      ...['404 not_found', '404 not_found', '404 not_found'],
      ...[scope, scope, scope, scope, scope, scope],
    ])
    expect(purges.map(told)).toEqual([scope, '204', '410 purged'])
    expect((await get(`/comments/${onTask.id}`)).version).toBe(1)
  })
})
