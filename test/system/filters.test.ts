// Filters: an empty list means that nothing matches, and never that the filter was wrong.
import { expect, test } from 'vitest'
import { describeModes, must, sharedSystem, type Tenant } from '../support/system.ts'

const missingId = '01999999-0000-7000-8000-000000000000'

describeModes('filters', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const namesIn = async (who: Tenant, query: string): Promise<string[]> =>
    must(await who.api('GET', `/api/v1/projects?sort=name&${query}`)).data.map(({ name }: { name: string }) => name)
  const refusedAs = (parameter: string, code: string) => ({
    status: 400,
    body: { code: 'invalid_parameter', errors: [{ parameter, code }] },
  })

  test('a label with a comma or a leading ! is found', async () => {
    const who = await system.tenant()
    for (const [name, labels] of [
      ['comma', ['Berlin, west']],
      ['marked', ['!urgent', 'web']],
      ['slash', ['a\\b']],
      ['web', ['web']],
    ])
      must(await who.api('POST', '/api/v1/projects', { name, labels }))
    const labels = (text: string) => `labels=${encodeURIComponent(text)}`

    expect(await namesIn(who, labels('Berlin\\, west'))).toEqual(['comma'])
    expect(await namesIn(who, labels('Berlin\\, west,web'))).toEqual(['comma', 'marked', 'web'])
    expect(await namesIn(who, labels('\\!urgent'))).toEqual(['marked'])
    expect(await namesIn(who, labels('!!urgent'))).toEqual(['comma', 'slash', 'web'])
    expect(await namesIn(who, labels('a\\b'))).toEqual(['slash'])
    expect(await namesIn(who, `labelsAll=${encodeURIComponent('\\!urgent,web')}`)).toEqual(['marked'])
  })

  test('a negated value among values that must all match is refused by name', async () => {
    expect(await tenant.api('GET', '/api/v1/projects?labelsAll=!web')).toMatchObject(
      refusedAs('labelsAll', 'wrong_format'),
    )
    expect(await tenant.api('GET', '/api/v1/documents?tagsAll=web,!new')).toMatchObject(
      refusedAs('tagsAll', 'wrong_format'),
    )
  })

  test('a custom field is negated like any other filter, and an object without a value matches the negation', async () => {
    const who = await system.tenant()
    const field = (key: string, type: string, more = {}) =>
      who.settings('POST', '/custom-fields', { key, label: key, target: 'project', type, ...more })
    must(await field('tier', 'select', { options: ['gold', 'silver'] }))
    must(await field('areas', 'multi_select', { options: ['north', 'south'] }))
    must(await field('seats', 'number'))
    must(await field('note', 'text'))
    const make = (name: string, customFields: object) => who.api('POST', '/api/v1/projects', { name, customFields })
    must(await make('a', { tier: 'gold', areas: ['north', 'south'], seats: 7, note: '!x' }))
    must(await make('b', { tier: 'silver', areas: ['south'], seats: 8, note: 'x, y' }))
    must(await make('c', {}))

    expect(await namesIn(who, 'customFields.tier=!gold')).toEqual(['b', 'c'])
    expect(await namesIn(who, 'customFields.tier=!gold,!silver')).toEqual(['c'])
    expect(await namesIn(who, 'customFields.areas=!north')).toEqual(['b', 'c'])
    expect(await namesIn(who, 'customFields.seats=!7')).toEqual(['b', 'c'])
    expect(await namesIn(who, `customFields.note=${encodeURIComponent('\\!x,x\\, y')}`)).toEqual(['a', 'b'])
    expect(await who.api('GET', '/api/v1/projects?customFields.tier=!gold,silver')).toMatchObject(
      refusedAs('customFields.tier', 'wrong_format'),
    )
    expect(await who.api('GET', '/api/v1/projects?customFields.seats[gte]=8&customFields.seats[lte]=7')).toMatchObject(
      refusedAs('customFields.seats', 'wrong_format'),
    )
  })

  test('an unknown option is refused; a removed one is found where objects still have it', async () => {
    const who = await system.tenant()
    const { id } = must(
      await who.settings('POST', '/custom-fields', {
        key: 'tier',
        label: 'Tier',
        target: 'project',
        type: 'select',
        options: ['gold', 'silver'],
      }),
    )
    must(await who.api('POST', '/api/v1/projects', { name: 'old', customFields: { tier: 'silver' } }))
    must(await who.settings('PATCH', `/custom-fields/${id}`, { options: ['gold'] }))

    expect(await namesIn(who, 'customFields.tier=silver')).toEqual(['old'])
    for (const unknown of ['glod', '!glod', 'gold,glod']) {
      expect(await who.api('GET', `/api/v1/projects?customFields.tier=${unknown}`)).toMatchObject({
        status: 400,
        body: { errors: [{ parameter: 'customFields.tier', code: 'not_in_list', allowed: ['gold'] }] },
      })
    }
  })

  test.each([
    'projects?created',
    'tasks?updated',
    'deliveries?created',
    'audit-entries?created',
    'documents/count?created',
  ])('GET /%s… refuses a span that ends before it begins', async (path) => {
    const [, name] = path.split('?')
    const query = `${path}After=2026-02-01T00:00:00Z&${name}Before=2026-01-01T00:00:00Z`

    expect(await tenant.api('GET', `/api/v1/${query}`)).toMatchObject(refusedAs(`${name}Before`, 'too_small'))
  })

  test('values of a list may come one by one, with brackets or without, and mean the same as with commas', async () => {
    const who = await system.tenant()
    must(await who.settings('POST', '/custom-fields', { key: 'tier', label: 'Tier', target: 'project', type: 'text' }))
    for (const [name, status, tier] of [
      ['a', 'planned', 'gold'],
      ['b', 'active', 'silver, old'],
      ['c', 'paused', 'none'],
    ])
      must(await who.api('POST', '/api/v1/projects', { name, status, labels: [status], customFields: { tier } }))

    for (const query of [
      'status=planned,active',
      'status=planned&status=active',
      'status[]=planned&status[]=active',
      'status%5B%5D=planned&status=active',
      'labels=planned&labels=active',
      'status=!paused&status=!cancelled',
      'customFields.tier=gold&customFields.tier=silver\\,%20old',
      'customFields.tier[]=gold&customFields.tier[]=silver\\,%20old',
      'sort=name&sort=-createdAt&status[]=planned,active',
    ])
      expect(await namesIn(who, query.replace(/^sort=name&/, '')), query).toEqual(['a', 'b'])
    const paged = must(await who.api('GET', '/api/v1/projects?sort=name&status=planned&status=active&limit=1'))
    expect(await namesIn(who, `status[]=planned,active&limit=1&cursor=${paged.page.nextCursor}`)).toEqual(['b'])
    const expanded = 'expand=project&expand=assignees&fields=project&fields=title'
    expect((await who.api('GET', `/api/v1/tasks?${expanded}`)).status).toBe(200)
    expect((await who.api('GET', '/api/v1/search?q=planned&types=projects&types=tasks')).status).toBe(200)
  })

  test('a list that comes one by one has the same bounds', async () => {
    const labels = (count: number) => Array.from({ length: count }, (_, n) => `labels=l${n}`).join('&')

    expect((await tenant.api('GET', `/api/v1/projects?${labels(50)}`)).status).toBe(200)
    for (const [query, parameter, code] of [
      [labels(51), 'labels', 'too_long'],
      ['status=active&status=active', 'status', 'not_unique'],
      ['status=active&status=', 'status', 'too_short'],
      ['status[]=', 'status', 'too_short'],
      ['status=active&status=!planned', 'status', 'wrong_format'],
      ['status=active&status[]=actve', 'status', 'not_in_list'],
    ] as const)
      expect(await tenant.api('GET', `/api/v1/projects?${query}`), query).toMatchObject(refusedAs(parameter, code))
  })

  test('a parameter that takes one value says so when it is repeated or written as a list', async () => {
    const who = await system.tenant()
    must(
      await who.settings('POST', '/custom-fields', { key: 'seats', label: 'Seats', target: 'project', type: 'number' }),
    )
    for (const [query, parameter, code] of [
      ['limit=1&limit=2', 'limit', 'not_unique'],
      ['q=ab&q[]=cd', 'q', 'not_unique'],
      ['limit[]=1', 'limit', 'wrong_format'],
      ['customFields.seats[gte]=1&customFields.seats[gte]=2', 'customFields.seats[gte]', 'not_unique'],
      ['customFields.seats[gte][]=1', 'customFields.seats[gte]', 'wrong_format'],
    ] as const) {
      const answer = await who.api('GET', `/api/v1/projects?${query}`)
      expect(answer, query).toMatchObject(refusedAs(parameter, code))
      expect(answer.body.detail).toMatch(/takes one value/i)
    }
    for (const query of ['stat[]=active', 'customFields.[]=1', 'status[gte]=active', '[]=1', 'status[][]=active'])
      expect(await who.api('GET', `/api/v1/projects?${query}`), query).toMatchObject({
        status: 400,
        body: { code: 'unknown_parameter' },
      })
  })

  test('deliveries are listed by event types and patterns; an unknown type or webhook is refused', async () => {
    const { id } = must(
      await tenant.api('POST', '/api/v1/webhooks', {
        name: 'In',
        url: 'https://hooks.example.com/in',
        eventTypes: ['projects.*', 'tasks.*'],
      }),
    )
    must(await tenant.api('POST', `/api/v1/webhooks/${id}/pause`))
    const project = must(await tenant.api('POST', '/api/v1/projects', { name: 'One' }))
    must(await tenant.api('POST', '/api/v1/tasks', { projectId: project.id, title: 'Two' }))
    const list = (query: string) => tenant.api('GET', `/api/v1/deliveries?${query}`)
    const kinds = async (query: string) =>
      must(await list(query)).data.map(({ eventType }: { eventType: string }) => eventType)

    await expect.poll(() => kinds(`webhookId=${id}`)).toEqual(['tasks.created', 'projects.created'])
    expect(await kinds('eventTypes=projects.*')).toEqual(['projects.created'])
    expect(await kinds('eventTypes=tasks.*,projects.created')).toEqual(['tasks.created', 'projects.created'])
    expect(await kinds('eventTypes=projects.deleted')).toEqual([])
    for (const unknown of ['projects.creatd', 'projects', 'project.*', 'tasks.*,nothing.*']) {
      expect(await list(`eventTypes=${unknown}`)).toMatchObject(refusedAs('eventTypes', 'wrong_format'))
      expect(await tenant.api('GET', `/api/v1/webhooks?eventTypes=${unknown}`)).toMatchObject(
        refusedAs('eventTypes', 'wrong_format'),
      )
    }
    expect(await list(`webhookId=${missingId}`)).toMatchObject(refusedAs('webhookId', 'not_found'))
    const listed = must(await tenant.api('GET', '/api/v1/webhooks?eventTypes=tasks.*')).data
    expect(listed.map((webhook: { id: string }) => webhook.id)).toEqual([id])
  })

  test('an unknown action of the audit log is refused', async () => {
    expect(await tenant.api('GET', '/api/v1/audit-entries?action=api-keys.creat')).toMatchObject(
      refusedAs('action', 'wrong_format'),
    )
    expect((await tenant.api('GET', '/api/v1/audit-entries?action=api-keys.create,mcp')).status).toBe(200)
  })
})
