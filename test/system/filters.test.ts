// Filters of lists over HTTP: how they are written, and what is refused. That each matches exactly what it says is
// tested in test/service/collection/model.test.ts.
import { expect, test } from 'vitest'
import { missingId } from '../support/client.ts'
import { describeMode, describeOnce, sharedSystem } from '../support/system.ts'
import { callsOf, told } from './calls.ts'

const text = encodeURIComponent

describeOnce('filters', (mode) => {
  const { system } = sharedSystem(mode)

  test('q matches beginnings of words and parts of the name, a label may hold what filters are written with, and a cursor goes on however they are', async () => {
    const own = callsOf(await system.tenant())
    for (const body of [
      { name: 'Website relaunch', labels: ['Berlin, west'] },
      { name: '100% _done_', description: 'Nothing', labels: ['!urgent', 'web'] },
      { name: 'Größe', description: 'about the Website', labels: ['a\\b'], status: 'active' },
      { name: 'Other', labels: ['web'], status: 'planned' },
    ])
      await own.post('/projects', body)
    const namesIn = (query: string) => own.listed(`/projects?sort=name&${query}`, 'name')
    const [done, size, other, website] = ['100% _done_', 'Größe', 'Other', 'Website relaunch']

    for (const [name, value, ...names] of [
      ['q', 'webs', size, website],
      ['q', 'relaunch website', website],
      ['q', 'bsit', website],
      ['q', 'GRÖSSE', size],
      ['q', 'GRÖ', size],
      ['q', '0%', done],
      ['q', '%%'],
      ['q', '_d', done],
      ['q', `'"\\:*&|!()<->`],
      ['labels', 'Berlin\\, west', website],
      ['labels', 'Berlin\\, west,web', done, other, website],
      ['labels', '\\!urgent', done],
      ['labels', '!!urgent', size, other, website],
      ['labels', 'a\\b', size],
      ['labelsAll', '\\!urgent,web', done],
    ] as const)
      expect([value, await namesIn(`${name}=${text(value)}`)]).toEqual([value, names])
    const { page } = await own.get('/projects?sort=name&status=planned&status=active&limit=1')
    expect(await namesIn(`status[]=planned,active&limit=1&cursor=${page.nextCursor}`)).toEqual([size])
  })

  test('deliveries are listed by event types and patterns; an unknown type or webhook is refused', async () => {
    const own = callsOf(await system.tenant())
    const hook = { name: 'In', url: 'https://hooks.example.com/in', eventTypes: ['projects.*', 'tasks.*'] }
    const { id } = await own.post('/webhooks', hook)
    await own.post(`/webhooks/${id}/pause`)
    const { id: projectId } = await own.post('/projects', { name: 'One' })
    await own.post('/tasks', { projectId, title: 'Two' })
    const kinds = (query: string) => own.listed(`/deliveries?${query}`, 'eventType')

    await expect.poll(() => kinds(`webhookId=${id}`)).toEqual(['tasks.created', 'projects.created'])
    expect(await kinds('eventTypes=projects.*')).toEqual(['projects.created'])
    expect(await kinds('eventTypes=tasks.*,projects.created')).toEqual(['tasks.created', 'projects.created'])
    expect(await kinds('eventTypes=projects.deleted')).toEqual([])
    for (const unknown of ['projects.creatd', 'projects', 'project.*', 'tasks.*,nothing.*'])
      for (const list of ['deliveries', 'webhooks'])
        expect(told(await own.call('GET', `/${list}?eventTypes=${unknown}`))).toMatch(
          /^400 invalid_parameter eventTypes wrong_format/,
        )
    const ofNone = await own.call('GET', `/deliveries?webhookId=${missingId}`)
    expect(told(ofNone)).toBe('400 invalid_parameter webhookId not_found')
  })
})

describeMode('a filter', 'distributed', () => {
  const { tenant } = sharedSystem('distributed')

  test.each([
    ['projects?status=active,!paused', 'status wrong_format'],
    ['tasks/count?labels=!red,blue', 'labels wrong_format'],
    ['projects?q=%20%20', 'q wrong_format'],
    // Of a key without an owner.
    ['projects?ownerId=me', 'ownerId wrong_format'],
    ['projects/count?memberId=!me', 'memberId wrong_format'],
    ['projects?sort=name,-name', 'sort not_unique'],
    ['projects?fields=name,owner', 'expand required'],
    ['projects?fields=owner,company&expand=company', 'expand required'],
    ['projects?labelsAll=!web', 'labelsAll wrong_format'],
    ['documents?tagsAll=web,!new', 'tagsAll wrong_format'],
    ['projects?status=active&status=!planned', 'status wrong_format'],
    ['projects?createdAfter=2026-02-01T00:00:00Z&createdBefore=2026-01-01T00:00:00Z', 'createdBefore too_small'],
    ['projects?status=active&status=active', 'status not_unique'],
  ])('that nobody can mean is refused by name: GET %s, %s', async (path, refusal) => {
    expect(told(await tenant.api('GET', `/api/v1/${path}`))).toBe(`400 invalid_parameter ${refusal}`)
  })

  test('by an unknown name is answered with the nearest one', async () => {
    expect((await tenant.api('GET', '/api/v1/tasks?asigneeId=me')).body.detail).toContain('Did you mean `assigneeId`?')
  })
})
