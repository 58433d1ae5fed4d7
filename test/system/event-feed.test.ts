// The event feed through the gateway: who waits is told, and only of what the key may read.
// Operations: events.get, events.search.
import { expect, test } from 'vitest'
import { eventsLookedThroughMax } from '#contract/events.ts'
import { logger } from '#runtime/log.ts'
import { deleteOutdatedEvents } from '../../service/ledger/partition-maintenance.ts'
import { startTiers } from '../../standalone/tiers.ts'
import { clientOf } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { describeMode, must, sharedSystem, type Tenant } from '../support/system.ts'
import { callsOf, told } from './calls.ts'

type Page = { data: { sequence: number; type: string; occurredAt: string }[]; lastSequence: number; hasMore: boolean }
const read = (tenant: Tenant, query: string): Promise<Page> => callsOf(tenant).get(`/events?${query}`)

const create = async (tenant: Tenant, count = 1): Promise<void> => {
  for (let n = 0; n < count; n++) await callsOf(tenant).post('/projects', { name: `Website ${n}` })
}

describeMode('the feed', 'distributed', (mode) => {
  const { system } = sharedSystem(mode)

  test('a long poll is answered with the event once there is one, whichever service records it, or empty with its position', async () => {
    const tenant = await system.tenant()
    const after = await tenant.lastSequence()
    const second = await startTiers(system.settings, system.db, logger('fatal', '2'))

    const waiting = read(tenant, `after=${after}&wait=20&eventTypes=projects.created`)
    const authorization = `Bearer ${tenant.secret}`
    must(await clientOf(second.url, '').call('POST', '/api/v1/projects', { name: 'Website' }, { authorization }))
    const page = await waiting
    const none = await read(tenant, `after=${after}&wait=1&eventTypes=projects.deleted`)

    await second.close()
    const data = [{ type: 'projects.created', sequence: after + 1 }]
    expect(page).toMatchObject({ data, lastSequence: after + 1, hasMore: false })
    expect(none).toEqual({ data: [], lastSequence: after + 1, hasMore: false })
  })

  test('a key sees the event types whose resources it may read, and may ask for no others', async () => {
    const tenant = await system.tenant()
    await create(tenant)
    const keys = await tenant.key(['events:read', 'api-keys:read'])
    const none = await tenant.key(['events:read', 'deliveries:read'])

    const seen = await read(keys, '')
    const refused = ['projects.*', '*'].map((types) => keys.api('GET', `/api/v1/events?eventTypes=${types}`))

    expect(new Set(seen.data.map(({ type }) => type))).toEqual(new Set(['api-keys.created']))
    expect(await read(none, '')).toEqual({ data: [], lastSequence: seen.lastSequence, hasMore: false })
    const [ofProjects, ofAll] = await Promise.all(refused)
    expect([ofProjects, ofAll].map((answer) => told(answer!))).toEqual(Array(2).fill('403 insufficient_scope'))
    expect(ofProjects?.body.requiredScopes).toEqual(['projects:read'])
    expect((await read(keys, 'eventTypes=api-keys.*')).data).toEqual(seen.data)
  })

  test('events of what belongs to a project say what it was called, and those of the project do not', async () => {
    const tenant = await system.tenant()
    const { post, patch } = callsOf(tenant)
    const names = ['Web "2", a\\b 税 🚀', 'Renamed']

    const { id, key } = await post('/projects', { name: names[0] })
    const task = await post('/tasks', { projectId: id, title: 'Paint' })
    await patch(`/projects/${id}`, { name: names[1] })
    await patch(`/tasks/${task.id}`, { title: 'Paint it' })
    await post('/documents', { title: 'Guide', content: '', projectId: id })
    await post('/documents', { title: 'Guide', content: '' })

    const { data } = await callsOf(tenant).get('/events?eventTypes=projects.*,tasks.*,documents.*')
    const called = (name?: string) => ({ project: { id, key, name } })
    const related = [undefined, called(names[0]), undefined, called(names[1]), called(names[1]), undefined]
    expect(data.map((event: { related?: object }) => event.related)).toEqual(related)
  })

  test('a time stands for the position before the first event after it; what is no type or position is refused by name', async () => {
    const tenant = await system.tenant()
    await create(tenant, 3)
    const { data, lastSequence } = await read(tenant, '')

    for (const [at, { occurredAt }] of data.entries())
      expect((await read(tenant, `occurredAfter=${occurredAt}`)).data).toEqual(data.slice(at + 1))
    expect((await read(tenant, 'occurredAfter=0001-01-01T00:00:00Z')).data).toEqual(data)
    const late = await read(tenant, 'occurredAfter=9999-12-31T00:00:00Z')
    expect(late).toEqual({ data: [], lastSequence, hasMore: false })
    for (const [query, parameter] of [
      ['eventTypes=projects.invented', 'eventTypes'],
      ['eventTypes=invented.*', 'eventTypes'],
      ['wait=21', 'wait'],
      ['after=1000000', 'after'],
      ['after=0&occurredAfter=2026-01-01T00:00:00Z', 'occurredAfter'],
    ] as const)
      expect(told(await tenant.api('GET', `/api/v1/events?${query}`))).toContain(`400 invalid_parameter ${parameter} `)
  })

  test('what one key or one member has done is read alone, in the order of the feed', async () => {
    const tenant = await system.tenant()
    await create(tenant, 2)
    const other = await tenant.key(['projects:write'])
    const { id } = await callsOf(other).post('/projects', { name: 'By another key' })
    must(await tenant.settings('POST', '/members', { name: 'Grace', email: 'grace@example.com' }))

    const byOther = await read(tenant, `actorId=${other.keyId}`)
    const byFirst = await read(tenant, `actorId=${tenant.keyId}&limit=1`)
    const rest = await read(tenant, `actorId=${tenant.keyId}&after=${byFirst.lastSequence}`)
    const byNobody = await read(tenant, `actorId=${id}`)

    expect(byOther.data).toMatchObject([{ type: 'projects.created', resource: { id } }])
    expect([byFirst, rest].map(({ data }) => data.length)).toEqual([1, 1])
    expect([byFirst.hasMore, rest.hasMore]).toEqual([true, false])
    expect(byNobody).toEqual({ data: [], lastSequence: rest.lastSequence, hasMore: false })
    expect(told(await tenant.api('GET', '/api/v1/events?actorId=me'))).toContain('400 invalid_parameter actorId ')
  })

  test('a text is found in any field, of whatever case, beside the other filters and by who waits for it', async () => {
    const tenant = await system.tenant()
    const { post, patch } = callsOf(tenant)
    const one = await post('/projects', { name: 'Website "relaunch" 50%' })
    const two = await post('/projects', { name: 'Shop' })
    await patch(`/projects/${one.id}`, { description: 'Ünïcode \\ here' })
    const [ofOne, ofTwo, changed] = (await read(tenant, 'eventTypes=projects.*')).data
    const found = async (query: string) => (await read(tenant, query)).data

    for (const [query, events] of [
      [`search=${encodeURIComponent('"RELAUNCH" 50%')}`, [ofOne, changed]],
      [`search=${encodeURIComponent('ÜnïCODE \\')}`, [changed]],
      [`search=${two.id}`, [ofTwo]],
      ['search=50%25&eventTypes=projects.created', [ofOne]],
      [`search=here&resourceId=${two.id}`, []],
      [`search=here&actorId=${tenant.keyId}`, [changed]],
      [`search=relaunch&after=${ofOne?.sequence}`, [changed]],
      ['search=nowhere', []],
    ] as const)
      expect([query, await found(query)]).toEqual([query, events])

    const waiting = read(tenant, `search=second&wait=20&after=${await tenant.lastSequence()}`)
    await patch(`/projects/${two.id}`, { name: 'First' })
    await patch(`/projects/${two.id}`, { name: 'Second' })
    expect(await waiting).toMatchObject({ data: [{ changes: { name: { from: 'First', to: 'Second' } } }] })
    expect(told(await tenant.api('GET', '/api/v1/events?search='))).toContain('400 invalid_parameter search ')
  })

  test('a text is looked for in a bounded number of events at a time, also in those of an actor, and in all of an object', async () => {
    const tenant = await system.tenant()
    const before = await tenant.lastSequence()
    const { id } = await callsOf(tenant).post('/projects', { name: 'Needle' })
    const far = before + 10_000
    await system.db.$executeRaw`
      UPDATE event SET sequence = ${far + 1} WHERE workspace_id = ${tenant.workspaceId}::uuid AND sequence = ${before + 1}`
    await system.db.eventSequence.update({ where: { workspaceId: tenant.workspaceId }, data: { last: far + 1 } })
    const after = (position: number, filter: string) => read(tenant, `search=needle&after=${position}${filter}`)

    for (const filter of ['', `&actorId=${tenant.keyId}`]) {
      expect(await after(before, filter)).toEqual({ data: [], lastSequence: far, hasMore: true })
      expect(await after(far, filter)).toMatchObject({ data: [{ resource: { id } }], hasMore: false })
    }
    expect(await after(before, `&resourceId=${id}`)).toMatchObject({ data: [{ resource: { id } }], hasMore: false })
  })

  test('people search it, newest first, by object, actor, request, time and any text, in pages', async () => {
    const tenant = await system.tenant()
    const { post, patch } = callsOf(tenant)
    const one = await post('/projects', { name: 'Website "relaunch" 50%' })
    const two = await post('/projects', { name: 'Shop' })
    await patch(`/projects/${one.id}`, { name: 'Website', description: 'Ünïcode \\ here' })
    const member = must(await tenant.settings('POST', '/members', { name: 'Grace', email: 'grace@example.com' }))
    const search = async (query: string) => must(await tenant.settings('GET', `/events/search?limit=200&${query}`))
    const { data: all } = await search('')
    const [added, renamed, ofTwo, ofOne] = all as { sequence: number; requestId: string; occurredAt: string }[]
    const sequences = ({ data }: { data: { sequence: number }[] }) => data.map(({ sequence }) => sequence)
    const expected = (...events: readonly (typeof added)[]) => events.map((event) => event?.sequence)

    for (const [query, found] of [
      [`resourceId=${one.id}`, expected(renamed, ofOne)],
      [`resourceId=${one.id}&search=NOWHERE`, []],
      [`search=${encodeURIComponent('ÜnïCODE \\')}`, expected(renamed)],
      [`search=${encodeURIComponent('"relaunch" 50%')}`, expected(renamed, ofOne)],
      [`search=${two.id}`, expected(ofTwo)],
      [`requestId=${ofTwo?.requestId}`, expected(ofTwo)],
      [`actorId=${tenant.keyId}`, expected(renamed, ofTwo, ofOne)],
      [`eventTypes=projects.created`, expected(ofTwo, ofOne)],
      [`eventTypes=members.*&search=${member.id}`, expected(added)],
      [`occurredAfter=${ofTwo?.occurredAt}&eventTypes=projects.*`, expected(renamed)],
      [`occurredBefore=${ofTwo?.occurredAt}&eventTypes=projects.*`, expected(ofTwo, ofOne)],
      ['search=nowhere', []],
    ] as const)
      expect([query, sequences(await search(query))]).toEqual([query, found])
    const first = must(await tenant.settings('GET', '/events/search?limit=2&eventTypes=projects.*'))
    const cursor = encodeURIComponent(first.page.nextCursor)
    const second = must(await tenant.settings('GET', `/events/search?limit=2&eventTypes=projects.*&cursor=${cursor}`))
    expect([...sequences(first), ...sequences(second)]).toEqual(expected(renamed, ofTwo, ofOne))
    expect(second.page).toMatchObject({ hasMore: false, nextCursor: null })
    for (const [query, parameter] of [
      ['eventTypes=projects.invented', 'eventTypes'],
      ['resourceId=WEB-1', 'resourceId'],
      ['occurredAfter=2026-02-01T00:00:00Z&occurredBefore=2026-01-01T00:00:00Z', 'occurred'],
      ['colour=red', 'colour'],
    ] as const) {
      const refused = await tenant.settings('GET', `/events/search?${query}`)
      expect([query, refused.status, JSON.stringify(refused.body)]).toEqual([
        query,
        400,
        expect.stringContaining(parameter),
      ])
    }
    expect(sequences(must(await (await system.tenant()).settings('GET', `/events/search?search=${one.id}`)))).toEqual(
      [],
    )
  })

  test('a page of a search looks through a bounded number of events, and the next one goes on below them', async () => {
    const tenant = await system.tenant()
    await create(tenant)
    const { id } = await callsOf(tenant).post('/projects', { name: 'Needle' })
    const sequence = await tenant.lastSequence()
    await system.db.eventSequence.update({
      where: { workspaceId: tenant.workspaceId },
      data: { last: sequence + eventsLookedThroughMax },
    })

    const first = must(await tenant.settings('GET', '/events/search?search=needle'))
    const cursor = encodeURIComponent(first.page.nextCursor)
    const second = must(await tenant.settings('GET', `/events/search?search=needle&cursor=${cursor}`))
    const ofObject = must(await tenant.settings('GET', `/events/search?resourceId=${id}`))

    expect(first).toMatchObject({ data: [], page: { hasMore: true } })
    expect(second).toMatchObject({ data: [{ resource: { id } }], page: { hasMore: false } })
    expect(ofObject).toMatchObject({ data: [{ resource: { id } }], page: { hasMore: false } })
  })

  test('a position before the oldest kept event is 410, and a read without position begins at the oldest', async () => {
    const tenant = await system.tenant()
    const first = await tenant.lastSequence()
    await create(tenant, 3)
    await system.db.$executeRaw`
      UPDATE event SET occurred_at = now() - interval '45 days'
      WHERE workspace_id = ${tenant.workspaceId}::uuid AND sequence <= ${first + 1}`
    await eventually(async () => (await system.db.outbox.count()) === 0, 'every event to be fanned out')

    expect(await deleteOutdatedEvents(system.db, 1)).toBe(first + 1)

    const expired = await tenant.api('GET', `/api/v1/events?after=${first}`)
    const oldest = await read(tenant, '')
    expect(told(expired)).toBe('410 cursor_expired')
    expect(expired.body.hint).toContain('lastSequence')
    expect(oldest.data.map(({ sequence }) => sequence)).toEqual([first + 2, first + 3])
    expect(await read(tenant, `after=${first + 1}`)).toEqual(oldest)
  })
})
