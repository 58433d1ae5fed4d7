// What changes is told as it happens: deliveries and events followed through the gateway, with nothing missed by those
// who come back and nothing shown to another workspace.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Delivery } from '#contract/deliveries.ts'
import { eventually } from '../support/eventually.ts'
import { follow, type LiveStream } from '../support/live-stream.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { describeMode, must, sharedSystem, startSystem, type Tenant } from '../support/system.ts'

describeMode('streams of what changes', 'distributed', (mode) => {
  const { system } = sharedSystem(mode)
  let receiver: Receiver
  let status = 200
  beforeAll(async () => {
    receiver = await startReceiver(() => status)
  })
  afterAll(() => receiver?.[Symbol.asyncDispose]())

  const streamOf = ({ workspaceId }: Tenant, path: string, lastEventId: string | null = null): Promise<LiveStream> =>
    follow(`${system.url}/settings/api/workspaces/${workspaceId}/${path}`, system.operatorToken, lastEventId)
  const project = async (tenant: Tenant, name: string): Promise<string> =>
    must(await tenant.api('POST', '/api/v1/projects', { name })).id
  const subscribe = async (tenant: Tenant, eventTypes = ['projects.*']): Promise<string> =>
    must(await tenant.api('POST', '/api/v1/webhooks', { name: 'Receiver', url: receiver.url, eventTypes })).id
  const deliveries = async (tenant: Tenant): Promise<Delivery[]> =>
    must(await tenant.settings('GET', '/deliveries?limit=200')).data
  /** What a caller knows of each delivery who was told these. */
  const known = (streams: readonly LiveStream[]): Map<string, Delivery> =>
    new Map(streams.flatMap(({ told }) => told.map(({ data }) => [data.id, data])))

  test('a delivery is told when it is made and when it changes, until it has ended, and nothing is kept while nobody follows', async () => {
    const tenant = await system.tenant()
    await subscribe(tenant)
    await project(tenant, 'Unheard')
    await eventually(async () => (await deliveries(tenant))[0]?.status === 'delivered', 'the delivery')
    expect(await system.db.deliveryChange.count({ where: { workspaceId: tenant.workspaceId } })).toBe(0)
    const stream = await streamOf(tenant, 'deliveries/stream')
    status = 500

    await project(tenant, 'Heard')
    await eventually(() => stream.told.some(({ data }) => data.status === 'retrying'), 'the first try to fail')
    status = 200
    await eventually(() => stream.told.at(-1)?.data.status === 'delivered', 'the second to be taken')

    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.resumed).toBe(false)
    expect(new Set(stream.told.map(({ event }) => event))).toEqual(new Set(['delivery']))
    expect(stream.told.at(-1)?.data).toEqual((await deliveries(tenant))[0])
    stream.leave()
  })

  test('who comes back with the id of the last message has missed nothing, and is told so', async () => {
    const tenant = await system.tenant()
    await subscribe(tenant)
    const first = await streamOf(tenant, 'deliveries/stream')
    await project(tenant, 'Before')
    await eventually(() => first.told.at(-1)?.data.status === 'delivered', 'the first delivery')
    first.leave()
    for (let n = 0; n < 8; n++) await project(tenant, `Meanwhile ${n}`)

    const second = await streamOf(tenant, 'deliveries/stream', first.lastEventId)
    await project(tenant, 'After')
    await eventually(
      () => [...known([first, second]).values()].filter((each) => each.status === 'delivered').length === 10,
      'all ten deliveries',
    )

    expect(second.resumed).toBe(true)
    const all = await deliveries(tenant)
    expect(all.map((each) => known([first, second]).get(each.id))).toEqual(all)
    second.leave()
  })

  test('an id that is none of ours, is of another workspace or not kept any more begins anew and says so', async () => {
    const tenant = await system.tenant()
    const first = await streamOf(tenant, 'deliveries/stream')
    const ofOther = await streamOf(await system.tenant(), 'deliveries/stream')
    first.leave()
    await system.db.$executeRaw`
      UPDATE delivery_watch SET until = now() WHERE workspace_id = ${tenant.workspaceId}::uuid`

    for (const [path, id] of [
      ['deliveries', 'nonsense'],
      ['deliveries', 'eyJzbmFwc2hvdCI6IjE6MToiLCJhdCI6MX0.c2lnbmVk'],
      ['deliveries', ofOther.lastEventId],
      ['deliveries', first.lastEventId],
      // A position that the feed has not reached.
      ['events', '999999999'],
    ] as const) {
      const stream = await streamOf(tenant, `${path}/stream`, id)
      expect(stream.resumed, String(id)).toBe(false)
      stream.leave()
    }
    ofOther.leave()
  })

  test('a transaction that began before the stream is waited for, and one that ends late is not missed', async () => {
    const tenant = await system.tenant()
    await subscribe(tenant)
    await project(tenant, 'Delivered')
    await eventually(async () => (await deliveries(tenant))[0]?.status === 'delivered', 'a delivery')
    const stream = await streamOf(tenant, 'deliveries/stream')

    const changed = system.db.$transaction(async (tx) => {
      await tx.$executeRaw`
        UPDATE delivery SET attempt_count = attempt_count + 1 WHERE workspace_id = ${tenant.workspaceId}::uuid`
      await project(tenant, 'Meanwhile')
      await eventually(() => stream.told.length > 0, 'a later change, told before')
    })
    await changed
    await eventually(() => stream.told.some(({ data }) => data.attemptCount === 2), 'the change that ended late')
    stream.leave()
  })

  test('only what fits the filters is told, and never a delivery of another workspace', async () => {
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    const [mine, second] = [await subscribe(tenant), await subscribe(tenant, ['tasks.*'])]
    await subscribe(other)
    const all = await streamOf(tenant, 'deliveries/stream')
    const ofOne = await streamOf(tenant, `deliveries/stream?webhookId=${second}`)
    const ofKind = await streamOf(tenant, 'deliveries/stream?eventTypes=tasks.*&status=delivered')

    await project(other, 'Not mine')
    const projectId = await project(tenant, 'Mine')
    must(await tenant.api('POST', '/api/v1/tasks', { title: 'Mine', projectId }))
    await eventually(
      () =>
        [all, ofOne, ofKind].every(({ told }) =>
          told.some(({ data }) => data.eventType === 'tasks.created' && data.status === 'delivered'),
        ),
      'the task on each stream',
    )

    expect(new Set(all.told.map(({ data }) => data.workspaceId))).toEqual(new Set([tenant.workspaceId]))
    expect(new Set(all.told.map(({ data }) => data.webhookId))).toEqual(new Set([mine, second]))
    expect(new Set(ofOne.told.map(({ data }) => data.webhookId))).toEqual(new Set([second]))
    expect(ofKind.told.map(({ data }) => [data.eventType, data.status])).toEqual([['tasks.created', 'delivered']])
    ;[all, ofOne, ofKind].forEach(({ leave }) => leave())
  })

  test('events are told once each, in order and without a gap, across a break', async () => {
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    const from = await tenant.lastSequence()
    const first = await streamOf(tenant, 'events/stream?eventTypes=projects.*')
    await project(other, 'Not mine')
    await project(tenant, 'One')
    await first.until(1)
    first.leave()
    await project(tenant, 'Two')

    const second = await streamOf(tenant, 'events/stream?eventTypes=projects.*', first.lastEventId)
    await project(tenant, 'Three')
    await second.until(2)

    expect([first.resumed, second.resumed]).toEqual([false, true])
    const told = [...first.told, ...second.told]
    expect(told.map(({ data }) => data.data.name)).toEqual(['One', 'Two', 'Three'])
    expect(told.map(({ id, data }) => [id, data.workspaceId])).toEqual(
      told.map(({ data }) => [String(data.sequence), tenant.workspaceId]),
    )
    expect(from).toBeLessThan(told[0]?.data.sequence)
    second.leave()
  })

  test('what is wrong with a call is said before the stream begins, as is that the caller has five until one is left', async () => {
    const tenant = await system.tenant()
    const under = (id: string) => `/settings/api/workspaces/${id}/deliveries/stream`
    const refused = async (path: string) => {
      const { status: answered, body } = await tenant.settings('GET', `/${path}`)
      return [path, answered, body.code]
    }

    for (const [path, code] of [
      ['deliveries/stream?colour=red', 'unknown_parameter'],
      ['deliveries/stream?status=lost', 'invalid_parameter'],
      [`deliveries/stream?webhookId=${crypto.randomUUID()}`, 'invalid_parameter'],
      ['events/stream?eventTypes=cars.*', 'invalid_parameter'],
    ] as const)
      expect(await refused(path)).toEqual([path, 400, code])
    const bare = await system.call('GET', under(tenant.workspaceId))
    expect([bare.status, bare.body.code]).toEqual([401, 'missing_credentials'])
    expect((await tenant.api('GET', under(tenant.workspaceId))).status).toBe(401)
    expect((await system.operator('GET', under(crypto.randomUUID()))).status).toBe(404)
    const streams: LiveStream[] = []
    for (let n = 0; n < 5; n++) streams.push(await streamOf(tenant, 'events/stream'))
    expect(await refused('events/stream')).toEqual(['events/stream', 429, 'rate_limited'])
    streams[0]?.leave()
    await eventually(async () => {
      const stream = await streamOf(tenant, 'events/stream')
      stream.leave()
      return stream.response.ok
    }, 'a place')
    streams.forEach(({ leave }) => leave())
  })
})

test('a system that stops ends its streams', async () => {
  const system = await startSystem('standalone')
  const { workspaceId } = await system.tenant()
  const stream = await follow(
    `${system.url}/settings/api/workspaces/${workspaceId}/events/stream`,
    system.operatorToken,
  )

  await system[Symbol.asyncDispose]()

  await stream.ended
})
