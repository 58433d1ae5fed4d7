// What has become of an object: its changes field by field, and its events in the feed.
//
// Operations: projects.history, tasks.history, crm-entities.history, documents.history.
import { expect, test } from 'vitest'
import { describeModes, sharedSystem } from '../support/system.ts'
import { callsOf, told, type Body } from './calls.ts'

describeModes('the history of an object', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const { call, get, post, patch, remove } = callsOf(tenant)

  async function newTask(): Promise<Body> {
    const { id: projectId } = await post('/projects', { name: 'Web' })
    return await post('/tasks', { projectId, title: 'Paint', labels: ['a'] })
  }

  const brief = ({ data }: Body) => data.map(({ field, from, to }: Body) => [field, from, to])

  test('has each change of each field, newest first, with who, when and which version, on pages', async () => {
    const task = await newTask()
    const other = await tenant.key(['tasks:write'])
    await patch(`/tasks/${task.id}`, { title: 'Paint it', labels: ['a', 'b'] })
    await post(`/tasks/${task.id}/comments`, { body: 'Why?' })
    const last = await callsOf(other).patch(`/tasks/${task.identifier}`, { status: 'in_progress' })
    const at = `/tasks/${task.identifier}/history`

    const whole = await get(at)
    const pages: Body[] = [await get(`${at}?limit=2`)]
    pages.push(await get(`${at}?limit=2&cursor=${pages[0].page.nextCursor}`))
    const [event] = (await get(`/events?resourceId=${task.id}&eventTypes=tasks.updated`)).data.toReversed()

    expect(brief(whole)).toEqual([
      ['status', 'backlog', 'in_progress'],
      ['title', 'Paint', 'Paint it'],
      ['labels', ['a'], ['a', 'b']],
    ])
    expect(whole.data[0]).toEqual({
      ...{ field: 'status', from: 'backlog', to: 'in_progress', changedAt: last.updatedAt, version: 3 },
      ...{ actor: { type: 'api_key', id: other.keyId, name: 'Test' }, eventId: event.id, sequence: event.sequence },
    })
    expect(whole.completeSince).toBe(task.createdAt)
    expect(pages.flatMap(({ data }) => data)).toEqual(whole.data)
    expect(pages.map(({ page }) => page.hasMore)).toEqual([true, false])
  })

  test('of one field shows its changes alone; what no event tells of is no field', async () => {
    const task = await newTask()
    await patch(`/tasks/${task.id}`, { title: 'Two', labels: [] })
    await patch(`/tasks/${task.id}`, { title: 'Three' })

    const titles = await get(`/tasks/${task.id}/history?field=title`)
    const first = await get(`/tasks/${task.id}/history?field=title&limit=1`)
    const refused = [
      await call('GET', `/documents/${task.id}/history?field=content`),
      await call('GET', `/tasks/${task.id}/history?field=version`),
      await call('GET', `/tasks/${task.id}/history?cursor=${first.page.nextCursor}`),
    ]

    expect(brief(titles)).toEqual([
      ['title', 'Two', 'Three'],
      ['title', 'Paint', 'Two'],
    ])
    expect(refused.map(told)).toEqual([
      '400 invalid_parameter field not_in_list',
      '400 invalid_parameter field not_in_list',
      '400 cursor_mismatch',
    ])
  })

  test.each([
    ['projects', { name: 'A' }, { name: 'B' }],
    ['crm-entities', { kind: 'company', name: 'A' }, { name: 'B' }],
    ['documents', { title: 'A', content: 'x' }, { title: 'B' }],
  ])(
    'of %s needs their read scope, and is found of a deleted one only when asked for',
    async (segment, made, change) => {
      const { id } = await post(`/${segment}`, made)
      await patch(`/${segment}/${id}`, change)
      const at = `/${segment}/${id}/history`

      const shown = await get(at)
      const refused = told(await callsOf(await tenant.key(['events:read'])).call('GET', at))
      await remove(`/${segment}/${id}`)
      const gone = told(await call('GET', at))
      const deleted = await get(`${at}?includeDeleted=true`)
      await post(`/${segment}/${id}/purge`)
      const purged = told(await call('GET', `${at}?includeDeleted=true`))

      expect(brief(shown)).toEqual([[Object.keys(change)[0], 'A', 'B']])
      expect(deleted).toEqual(shown)
      expect([refused, gone, purged]).toEqual(['403 insufficient_scope', '404 not_found', '410 purged'])
    },
  )

  test('says from when on it is complete, once older events are gone', async () => {
    const own = await system.tenant()
    const { id } = await callsOf(own).post('/projects', { name: 'A' })
    for (const name of ['B', 'C']) await callsOf(own).patch(`/projects/${id}`, { name })
    const events = await callsOf(own).eventsAfter(0)
    const changes = events.filter(({ type }) => type === 'projects.updated')
    const workspaceId = own.workspaceId
    const expired = BigInt(changes[0].sequence)
    await system.db.outbox.deleteMany({ where: { workspaceId } })
    await system.db.event.deleteMany({ where: { workspaceId, sequence: { lte: expired } } })
    await system.db.eventSequence.update({ where: { workspaceId }, data: { expired } })

    const left = await callsOf(own).get(`/projects/${id}/history`)

    expect(brief(left)).toEqual([['name', 'B', 'C']])
    expect(left.completeSince).toBe(changes[1].occurredAt)
  })

  test('in the feed are the events of the object and of the comments on it, in order, beyond any number of others', async () => {
    const task = await newTask()
    const before = await tenant.lastSequence()
    await newTask()
    await patch(`/tasks/${task.id}`, { title: 'Two' })
    await newTask()
    await post('/comments', { taskId: task.id, body: 'Why?' })

    const first = await get(`/events?resourceId=${task.id}&after=${before}&limit=1`)
    const rest = await get(`/events?resourceId=${task.id}&after=${first.lastSequence}`)

    const types = [...first.data, ...rest.data].map(({ type }) => type)
    expect(types).toEqual(['tasks.updated', 'tasks.comment_created'])
    expect([first.hasMore, rest.hasMore]).toEqual([true, false])
    expect(told(await call('GET', '/events?resourceId=WEB-1'))).toBe('400 invalid_parameter resourceId wrong_format')
  })
})
