// Filters: an empty list means that nothing matches, and never that the filter was wrong.
import { missingId } from '../support/client.ts'
import { expect, test } from 'vitest'
import { describeModes, must, sharedSystem, type Tenant } from '../support/system.ts'

const text = encodeURIComponent

describeModes('filters', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const namesIn = async (who: Tenant, query: string): Promise<string[]> =>
    must(await who.api('GET', `/api/v1/projects?sort=name&${query}`)).data.map(({ name }: { name: string }) => name)
  const expectNames = async (who: Tenant, expected: readonly (readonly [query: string, names: string[]])[]) => {
    for (const [query, names] of expected) expect(await namesIn(who, query), query).toEqual(names)
  }
  const expectRefused = async (
    who: Tenant,
    refused: readonly (readonly [path: string, field: string, code: string])[],
  ) => {
    for (const [path, parameter, code] of refused)
      expect(await who.api('GET', `/api/v1/${path}`), path).toMatchObject({
        status: 400,
        body: { code: 'invalid_parameter', errors: [{ parameter, code }] },
      })
  }
  const make = async (who: Tenant, name: string, more: object = {}) =>
    must(await who.api('POST', '/api/v1/projects', { name, ...more }))
  const addField = async (who: Tenant, key: string, type: string, more: object = {}) =>
    must(await who.settings('POST', '/custom-fields', { key, label: key, target: 'project', type, ...more }))

  test('a label with a comma or a leading ! is found', async () => {
    const who = await system.tenant()
    await make(who, 'comma', { labels: ['Berlin, west'] })
    await make(who, 'marked', { labels: ['!urgent', 'web'] })
    await make(who, 'slash', { labels: ['a\\b'] })
    await make(who, 'web', { labels: ['web'] })

    await expectNames(who, [
      [`labels=${text('Berlin\\, west')}`, ['comma']],
      [`labels=${text('Berlin\\, west,web')}`, ['comma', 'marked', 'web']],
      [`labels=${text('\\!urgent')}`, ['marked']],
      [`labels=${text('!!urgent')}`, ['comma', 'slash', 'web']],
      [`labels=${text('a\\b')}`, ['slash']],
      [`labelsAll=${text('\\!urgent,web')}`, ['marked']],
    ])
  })

  test('a custom field is negated like any other filter, and an object without a value matches the negation', async () => {
    const who = await system.tenant()
    await addField(who, 'tier', 'select', { options: ['gold', 'silver'] })
    await addField(who, 'areas', 'multi_select', { options: ['north', 'south'] })
    await addField(who, 'seats', 'number')
    await addField(who, 'note', 'text')
    await make(who, 'a', { customFields: { tier: 'gold', areas: ['north', 'south'], seats: 7, note: '!x' } })
    await make(who, 'b', { customFields: { tier: 'silver', areas: ['south'], seats: 8, note: 'x, y' } })
    await make(who, 'c')

    await expectNames(who, [
      ['customFields.tier=!gold', ['b', 'c']],
      ['customFields.tier=!gold,!silver', ['c']],
      ['customFields.areas=!north', ['b', 'c']],
      ['customFields.seats=!7', ['b', 'c']],
      [`customFields.note=${text('\\!x,x\\, y')}`, ['a', 'b']],
      [`customFields.note[]=${text('\\!x')}&customFields.note[]=${text('x\\, y')}`, ['a', 'b']],
    ])
    await expectRefused(who, [
      ['projects?customFields.tier=!gold,silver', 'customFields.tier', 'wrong_format'],
      ['projects?customFields.seats[gte]=8&customFields.seats[lte]=7', 'customFields.seats', 'wrong_format'],
      ['projects?customFields.seats[gte]=1&customFields.seats[gte]=2', 'customFields.seats[gte]', 'not_unique'],
    ])
  })

  test('an unknown option is refused; a removed one is found where objects still have it', async () => {
    const who = await system.tenant()
    const { id } = await addField(who, 'tier', 'select', { options: ['gold', 'silver'] })
    await make(who, 'old', { customFields: { tier: 'silver' } })
    must(await who.settings('PATCH', `/custom-fields/${id}`, { options: ['gold'] }))

    await expectNames(who, [['customFields.tier=silver', ['old']]])
    const errors = [{ parameter: 'customFields.tier', code: 'not_in_list', allowed: ['gold'] }]
    for (const unknown of ['glod', '!glod', 'gold,glod']) {
      const answer = await who.api('GET', `/api/v1/projects?customFields.tier=${unknown}`)
      expect(answer, unknown).toMatchObject({ status: 400, body: { errors } })
    }
  })

  test('what nothing can match is refused by name: mixed senses, spans without a time, lists out of bounds', async () => {
    const span = (name: string) => `${name}After=2026-02-01T00:00:00Z&${name}Before=2026-01-01T00:00:00Z`
    const labels = Array.from({ length: 51 }, (_, n) => `labels=l${n}`)

    expect((await tenant.api('GET', `/api/v1/projects?${labels.slice(1).join('&')}`)).status).toBe(200)
    await expectRefused(tenant, [
      ['projects?labelsAll=!web', 'labelsAll', 'wrong_format'],
      ['documents?tagsAll=web,!new', 'tagsAll', 'wrong_format'],
      ['projects?status=active&status=!planned', 'status', 'wrong_format'],
      [`projects?${span('created')}`, 'createdBefore', 'too_small'],
      [`tasks?${span('updated')}`, 'updatedBefore', 'too_small'],
      [`deliveries?${span('created')}`, 'createdBefore', 'too_small'],
      [`audit-entries?${span('created')}`, 'createdBefore', 'too_small'],
      [`documents/count?${span('created')}`, 'createdBefore', 'too_small'],
      [`projects?${labels.join('&')}`, 'labels', 'too_long'],
      ['projects?status=active&status=active', 'status', 'not_unique'],
      ['projects?status=active&status=', 'status', 'too_short'],
      ['projects?status[]=', 'status', 'too_short'],
      ['projects?status=active&status[]=actve', 'status', 'not_in_list'],
      ['audit-entries?action=api-keys.creat', 'action', 'wrong_format'],
    ])
    expect((await tenant.api('GET', '/api/v1/audit-entries?action=api-keys.create,mcp')).status).toBe(200)
  })

  test('a cursor goes on with the same values, however they are written', async () => {
    const who = await system.tenant()
    for (const [name, status] of [
      ['a', 'planned'],
      ['b', 'active'],
      ['c', 'paused'],
    ] as const)
      await make(who, name, { status })

    const { page } = must(await who.api('GET', '/api/v1/projects?sort=name&status=planned&status=active&limit=1'))

    await expectNames(who, [[`status[]=planned,active&limit=1&cursor=${page.nextCursor}`, ['b']]])
  })

  test('deliveries are listed by event types and patterns; an unknown type or webhook is refused', async () => {
    const hook = { name: 'In', url: 'https://hooks.example.com/in', eventTypes: ['projects.*', 'tasks.*'] }
    const { id } = must(await tenant.api('POST', '/api/v1/webhooks', hook))
    must(await tenant.api('POST', `/api/v1/webhooks/${id}/pause`))
    const project = await make(tenant, 'One')
    must(await tenant.api('POST', '/api/v1/tasks', { projectId: project.id, title: 'Two' }))
    const kinds = async (query: string) =>
      must(await tenant.api('GET', `/api/v1/deliveries?${query}`)).data.map(
        (each: { eventType: string }) => each.eventType,
      )

    await expect.poll(() => kinds(`webhookId=${id}`)).toEqual(['tasks.created', 'projects.created'])
    expect(await kinds('eventTypes=projects.*')).toEqual(['projects.created'])
    expect(await kinds('eventTypes=tasks.*,projects.created')).toEqual(['tasks.created', 'projects.created'])
    expect(await kinds('eventTypes=projects.deleted')).toEqual([])
    for (const unknown of ['projects.creatd', 'projects', 'project.*', 'tasks.*,nothing.*'])
      await expectRefused(tenant, [
        [`deliveries?eventTypes=${unknown}`, 'eventTypes', 'wrong_format'],
        [`webhooks?eventTypes=${unknown}`, 'eventTypes', 'wrong_format'],
      ])
    await expectRefused(tenant, [[`deliveries?webhookId=${missingId}`, 'webhookId', 'not_found']])
    const listed = must(await tenant.api('GET', '/api/v1/webhooks?eventTypes=tasks.*')).data
    expect(listed.map((webhook: { id: string }) => webhook.id)).toEqual([id])
  })
})
