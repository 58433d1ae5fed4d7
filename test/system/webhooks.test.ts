// Webhooks: their statistics, lists, and how the system disables them.
// Operations: webhooks.enable, webhooks.pause, webhooks.stats, webhooks.usage, webhooks.requests.
import { expect, test } from 'vitest'
import { eventCatalogue } from '#contract/api.ts'
import { latencyBucketsCount } from '#contract/internal/reports.ts'
import { scopes } from '#contract/scopes.ts'
import type { Stats, Webhook, WebhookStats } from '#contract/webhook-schema.ts'
import type { WebhookUsage } from '#contract/usage.ts'
import { addWebhookActivity } from '../../dispatcher/results/webhook-activity.ts'
import { disableGivenUp } from '../../service/webhooks/failing.ts'
import { changeDeps } from '../support/change-deps.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { describeModes, must, sharedSystem, startSystem, type System, type Tenant } from '../support/system.ts'

const subscribe = async (tenant: Tenant, url: string, more: object = {}): Promise<Webhook> =>
  must(await tenant.api('POST', '/api/v1/webhooks', { name: 'Receiver', url, eventTypes: ['projects.*'], ...more }))

const get = async (tenant: Tenant, id: string): Promise<Webhook> =>
  must(await tenant.api('GET', `/api/v1/webhooks/${id}`))

const create = async (tenant: Tenant, name: string) => must(await tenant.api('POST', '/api/v1/projects', { name }))

const having = (tenant: Tenant, id: string, wanted: Partial<Stats>) =>
  eventually(
    async () => {
      const webhook = await get(tenant, id)
      const { delivered, failed, pending } = { ...webhook.stats24h, ...wanted }
      const now = webhook.stats24h
      return now.delivered === delivered && now.failed === failed && now.pending === pending ? webhook : null
    },
    `statistics of ${JSON.stringify(wanted)}`,
  )

const disabledEvents = async (tenant: Tenant) =>
  must(await tenant.api('GET', '/api/v1/events?eventTypes=webhooks.disabled')).data

const giveUp = (system: System, { workspaceId, id: webhookId }: Webhook) =>
  system.db.webhookHealth.create({
    data: { workspaceId, webhookId, consecutiveFailures: 30, goneAt: new Date(), goneReason: 'failing' },
  })

describeModes('webhooks', (mode) => {
  const { system } = sharedSystem(mode)

  test('a webhook shows statistics of the last day, alone, in the list and by the hour', async () => {
    await using hasty = await startSystem(mode, { retrySchedule: [] })
    let status = 200
    await using receiver = await startReceiver(() => status)
    const tenant = await hasty.tenant()
    const { id, stats24h } = await subscribe(tenant, receiver.url)
    const quiet = await subscribe(tenant, receiver.url, { eventTypes: ['projects.deleted'] })
    const nothing = { delivered: 0, failed: 0, pending: 0, p50Ms: null, p95Ms: null }
    expect(stats24h).toEqual(nothing)

    await create(tenant, 'One')
    await create(tenant, 'Two')
    await having(tenant, id, { delivered: 2 })
    status = 500
    await create(tenant, 'Three')
    const webhook = await having(tenant, id, { delivered: 2, failed: 1 })
    must(await tenant.api('POST', `/api/v1/webhooks/${id}/pause`))
    await create(tenant, 'Four')
    const { stats24h: all } = await having(tenant, id, { delivered: 2, failed: 1, pending: 1 })

    expect(webhook.stats24h.p50Ms).toBeGreaterThanOrEqual(0)
    expect(webhook.stats24h.p95Ms).toBeGreaterThanOrEqual(webhook.stats24h.p50Ms ?? Infinity)
    const list: { data: Webhook[] } = must(await tenant.api('GET', '/api/v1/webhooks'))
    expect(list.data.map((each) => [each.id, each.stats24h])).toEqual([
      [quiet.id, nothing],
      [id, all],
    ])
    const stats: WebhookStats = must(await tenant.api('GET', `/api/v1/webhooks/${id}/stats`))
    expect(stats).toMatchObject({ object: 'webhook_stats', webhookId: id, total: all })
    expect(stats.hours).toHaveLength(24)
    expect(stats.hours[0]?.from).toBe(stats.from)
    const sum = (field: 'delivered' | 'failed' | 'pending') => stats.hours.reduce((n, hour) => n + hour[field], 0)
    expect([sum('delivered'), sum('failed'), sum('pending')]).toEqual([2, 1, 1])
  })

  test('deliveries older than a day are in no statistics, nor are those of other workspaces', async () => {
    await using receiver = await startReceiver()
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    const { id } = await subscribe(tenant, receiver.url)
    await subscribe(other, receiver.url)
    await create(tenant, 'One')
    await create(other, 'One')
    await having(tenant, id, { delivered: 1 })

    await system.db.$executeRaw`
      UPDATE delivery SET created_at = created_at - interval '25 hours' WHERE workspace_id = ${tenant.workspaceId}::uuid`

    expect((await get(tenant, id)).stats24h).toMatchObject({ delivered: 0, p50Ms: null })
    const foreign = await other.api('GET', `/api/v1/webhooks/${id}/stats`)
    expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('the list is filtered by status and by subscribed event types, through patterns as well', async () => {
    const tenant = await system.tenant()
    const url = 'http://127.0.0.1:1024/'
    const one = await subscribe(tenant, url, { eventTypes: ['projects.created'] })
    const segment = await subscribe(tenant, url, { eventTypes: ['projects.*'] })
    const all = await subscribe(tenant, url, { eventTypes: ['*'] })
    const keys = await subscribe(tenant, url, { eventTypes: ['api-keys.created'] })
    must(await tenant.api('POST', `/api/v1/webhooks/${segment.id}/pause`))
    const ids = async (query: string) =>
      must(await tenant.api('GET', `/api/v1/webhooks?${query}`)).data.map(({ id }: Webhook) => id)

    expect(await ids('eventTypes=projects.created')).toEqual([all.id, segment.id, one.id])
    expect(await ids('eventTypes=api-keys.created')).toEqual([keys.id, all.id])
    expect(await ids('eventTypes=api-keys.created,projects.created')).toEqual([keys.id, all.id, segment.id, one.id])
    expect(await ids('status=paused')).toEqual([segment.id])
    expect(await ids('status=active,disabled&eventTypes=projects.deleted')).toEqual([all.id])
    expect(await tenant.api('GET', '/api/v1/webhooks?status=broken')).toMatchObject({ status: 400 })
  })

  test('a filter by event types accepts those of the contract and no others', async () => {
    const tenant = await system.tenant()
    const url = 'http://127.0.0.1:1024/'

    const eventTypes = ['crm-entities.*']
    expect((await subscribe(tenant, url, { eventTypes, filter: { kinds: ['deal', 'contact'] } })).filter).toEqual({
      kinds: ['deal', 'contact'],
    })
    for (const kinds of [['lead'], [], ['deal', 'deal']]) {
      const body = { name: 'R', url, eventTypes: ['*'], filter: { kinds } }
      const answer = await tenant.api('POST', '/api/v1/webhooks', body)
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    }
  })

  test('a receiver that answers 410 gets its webhook disabled with one event; enabled again, it gets the held deliveries', async () => {
    let status = 410
    await using receiver = await startReceiver(() => status)
    const tenant = await system.tenant()
    const { id } = await subscribe(tenant, receiver.url)
    await create(tenant, 'One')

    const disabled = await eventually(async () => {
      const webhook = await get(tenant, id)
      return webhook.status === 'disabled' ? webhook : null
    }, 'the webhook to be disabled')
    await create(tenant, 'Two')

    expect(disabled).toMatchObject({ version: 2, updatedBy: { type: 'system', id: 'system' } })
    expect(disabled.disabledReason).toContain('410')
    const [event, ...others] = await disabledEvents(tenant)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      actor: { type: 'system', id: 'system' },
      resource: { type: 'webhooks', id, version: 2 },
      data: { id, status: 'disabled' },
      changes: { status: { from: 'active', to: 'disabled' } },
    })
    await having(tenant, id, { pending: 2 })
    expect(receiver.calls).toHaveLength(1)
    const paused = await tenant.api('POST', `/api/v1/webhooks/${id}/pause`)
    expect(paused).toMatchObject({ status: 409, body: { code: 'invalid_transition', from: 'disabled' } })

    status = 200
    const enabled: Webhook = must(await tenant.api('POST', `/api/v1/webhooks/${id}/enable`))
    expect(enabled).toMatchObject({ status: 'active', disabledReason: null, consecutiveFailures: 0 })
    await having(tenant, id, { delivered: 2, pending: 0 })
    expect(await system.db.webhookHealth.findFirst({ where: { webhookId: id } })).toMatchObject({
      goneAt: null,
      failingSince: null,
    })
    expect(await disabledEvents(tenant)).toHaveLength(1)
  })

  test('how a receiver has answered is shown by hour and by day, with the last requests', async () => {
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    const { id, workspaceId } = await subscribe(tenant, receiver.url)
    await create(tenant, 'One')
    await having(tenant, id, { delivered: 1 })
    const settings = `/settings/api/workspaces/${workspaceId}/webhooks/${id}`
    const at = new Date().toISOString()
    const latency = Array.from({ length: latencyBucketsCount }, (_, n) => (n === 10 ? 7 : 0))
    const tallies = { workspaceId, webhookId: id, until: at, statuses: [4, 0, 1, 0, 2, 3], latency }
    await addWebhookActivity(system.db, [tallies])

    for (const [by, periods] of [
      ['hour', 48],
      ['day', 30],
    ] as const) {
      const usage: WebhookUsage = must(await system.operator('GET', `${settings}/usage?by=${by}`))
      const counts = { requests: 10, status2xx: 4, status3xx: 0, status4xx: 1, status429: 0, status5xx: 2, noAnswer: 3 }
      expect(usage).toMatchObject({ object: 'webhook_usage', webhookId: id, total: counts })
      expect(usage.periods).toHaveLength(periods)
      expect(usage.periods.at(-1)).toMatchObject(counts)
      expect(usage.total.p50Ms).toBeGreaterThan(63)
      expect(usage.total.p50Ms).toBeLessThanOrEqual(100)
      expect(usage.periods[0]).toMatchObject({ from: usage.from, requests: 0, noAnswer: 0, p95Ms: null })
    }
    const { data } = must(await system.operator('GET', `${settings}/requests`))
    expect(data).toMatchObject([
      { eventType: 'projects.created', number: 1, trigger: 'automatic', status: 200, errorCode: null },
    ])
    const other = await system.tenant()
    const foreign = `/settings/api/workspaces/${other.workspaceId}/webhooks/${id}`
    expect((await system.operator('GET', `${foreign}/usage`)).status).toBe(404)
    expect((await system.operator('GET', `${foreign}/requests`)).status).toBe(404)
  })

  test.each([
    ['well', null, { state: 'closed', openUntil: null }],
    ['given a rest', '2126-01-01T00:00:00.000Z', { state: 'open', openUntil: '2126-01-01T00:00:00.000Z' }],
    [
      'about to be tried again',
      '2026-01-01T00:00:00.000Z',
      { state: 'half_open', openUntil: '2026-01-01T00:00:00.000Z' },
    ],
  ])('a webhook whose receiver is %s says so, alone and in the list', async (_how, until, circuit) => {
    const tenant = await system.tenant()
    const { id, workspaceId } = await subscribe(tenant, 'http://127.0.0.1:1024/')
    const rest = until === null ? {} : { unwell: 5, circuitOpenUntil: until, circuitSeconds: 30 }
    await system.db.webhookHealth.create({ data: { workspaceId, webhookId: id, consecutiveFailures: 5, ...rest } })

    expect(await get(tenant, id)).toMatchObject({ circuit })
    expect(must(await tenant.api('GET', '/api/v1/webhooks')).data).toMatchObject([{ circuit }])
  })

  test.each([
    [
      'replaying one of its deliveries',
      (_id: string, dead: string) => `POST /api/v1/deliveries/${dead}/replay` as const,
    ],
    ['changing its URL', (id: string) => `PATCH /api/v1/webhooks/${id}` as const],
  ])('%s ends the rest of a receiver that was unwell', async (_what, path) => {
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    const { id, workspaceId } = await subscribe(tenant, receiver.url)
    await create(tenant, 'One')
    await having(tenant, id, { delivered: 1 })
    const { id: delivered } = await system.db.delivery.findFirstOrThrow({ where: { webhookId: id } })
    const circuit = { unwell: 5, circuitOpenUntil: new Date(Date.now() + 900_000), circuitSeconds: 900 }
    await system.db.webhookHealth.create({ data: { workspaceId, webhookId: id, consecutiveFailures: 5, ...circuit } })
    await create(tenant, 'Two')
    const waiting = () => system.db.delivery.count({ where: { webhookId: id, status: 'pending' } })
    await eventually(async () => (await waiting()) === 1, 'a delivery that waits')

    const [method = '', to = ''] = path(id, delivered).split(' ')
    must(await tenant.api(method, to, method === 'PATCH' ? { url: `${receiver.url}/moved` } : undefined))

    await eventually(async () => (await waiting()) === 0, 'nothing to wait')
    expect(await system.db.webhookHealth.findFirst({ where: { webhookId: id } })).toMatchObject({
      circuitOpenUntil: null,
      circuitSeconds: null,
      unwell: 0,
    })
  })

  test('several services at once disable a webhook once', async () => {
    const tenant = await system.tenant()
    const webhook = await subscribe(tenant, 'http://127.0.0.1:1024/', { eventTypes: ['webhooks.disabled'] })
    await giveUp(system, webhook)
    const partsOfOne = () => changeDeps(system.db)

    await Promise.all([1, 2, 3].map(() => disableGivenUp(partsOfOne())))

    expect(await get(tenant, webhook.id)).toMatchObject({ status: 'disabled', version: 2 })
    expect(await disabledEvents(tenant)).toHaveLength(1)
  })

  test('a webhook that was paused or deleted meanwhile stays so', async () => {
    const tenant = await system.tenant()
    const [paused, deleted] = [
      await subscribe(tenant, 'http://127.0.0.1:1024/'),
      await subscribe(tenant, 'http://127.0.0.1:1024/'),
    ]
    must(await tenant.api('POST', `/api/v1/webhooks/${paused.id}/pause`))
    must(await tenant.api('DELETE', `/api/v1/webhooks/${deleted.id}`))
    for (const webhook of [paused, deleted]) await giveUp(system, webhook)

    expect(await disableGivenUp(changeDeps(system.db))).toBe(0)

    expect(await get(tenant, paused.id)).toMatchObject({ status: 'paused' })
    expect(await disabledEvents(tenant)).toEqual([])
  })

  test.each([
    ['https://Hooks.Acme.example/a b', { url: 'https://hooks.acme.example/a%20b', problem: null }],
    ['hooks.acme', { url: null, problem: 'Is not an absolute URL.' }],
    ['ftp://hooks.acme.example/', { url: null, problem: 'Must begin with https://.' }],
    ['https://10.0.0.1/', { url: null, problem: 'Must not lie on a private or reserved address.' }],
  ])('webhooks.check-url judges an address before a webhook has it: %s', async (url, wanted) => {
    const tenant = await system.tenant()

    const { status, body } = await tenant.settings('GET', `/webhooks/check-url?url=${encodeURIComponent(url)}`)

    expect([status, body]).toEqual([200, { object: 'url_check', ...wanted }])
  })

  test('a key that is ignored gets no echo of what it writes, rotated or not; what others write is delivered', async () => {
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    const sync = await tenant.key(scopes)
    const { id, ignoredKeyIds } = await subscribe(sync, receiver.url, { ignoredKeyIds: ['me'] })
    await create(sync, 'Mine')
    const { secret } = must(await sync.api('POST', '/api/v1/me/rotate'))
    const rotated = { authorization: `Bearer ${secret}` }
    must(await sync.api('POST', '/api/v1/projects', { name: 'Mine, rotated' }, rotated))
    await create(tenant, 'Of another key')

    const [call] = await receiver.count(1)
    // Events are fanned out in any order.
    await eventually(
      async () => (await system.db.outbox.count({ where: { workspaceId: tenant.workspaceId } })) === 0,
      'all events to be fanned out',
    )
    expect(ignoredKeyIds).toEqual([sync.keyId])
    expect(JSON.parse(call!.body.toString()).data.name).toBe('Of another key')
    expect(await system.db.delivery.count({ where: { webhookId: id } })).toBe(1)
  })

  test('the deliveries of one event are found by its id', async () => {
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    const webhooks = [await subscribe(tenant, receiver.url), await subscribe(tenant, receiver.url)]
    await create(tenant, 'One')
    await create(tenant, 'Another')
    await receiver.count(4)
    const [event] = must(await tenant.api('GET', '/api/v1/events?eventTypes=projects.*')).data

    const found = must(await tenant.api('GET', `/api/v1/deliveries?eventId=${event.id}`)).data

    expect(found.map((each: { webhookId: string }) => each.webhookId).toSorted()).toEqual(
      webhooks.map(({ id }) => id).toSorted(),
    )
  })
})

test('the catalogue holds the events that the system emits by itself', () => {
  const bySystem = eventCatalogue.filter((event) => event.bySystem).map(({ type }) => type)

  expect(bySystem).toEqual(expect.arrayContaining(['api-keys.rotation_due', 'webhooks.disabled']))
})
