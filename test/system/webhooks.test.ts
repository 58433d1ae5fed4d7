// Webhooks: from a write through the gateway to a receiver's socket, who may do what with them, which events they still
// get, their statistics and lists, and how the system disables them. Retries, dead letters and pauses are seen in
// test/dispatcher.
// Operations: deliveries.attempts, webhooks.enable, webhooks.pause, webhooks.requests, webhooks.revoke-grants,
// webhooks.stats, webhooks.usage.
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { latencyBucketsCount } from '#contract/internal/reports.ts'
import { methodOf, type Operation } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import { scopes, type Scope } from '#contract/scopes.ts'
import type { WebhookUsage } from '#contract/usage.ts'
import type { Stats, Webhook, WebhookStats } from '#contract/webhook-schema.ts'
import { addWebhookActivity } from '../../dispatcher/results/activity-rows.ts'
import { disableGivenUp } from '../../service/webhooks/failing.ts'
import { changeDeps } from '../support/change-deps.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver, type ReceivedCall } from '../support/receiver.ts'
import { sampleInput } from '../support/sample-value.ts'
import { describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

/** Where nobody listens. */
const nowhere = { url: 'http://127.0.0.1:1024/' }

const subscribe = async (
  tenant: Tenant,
  { url }: { readonly url: string },
  more: object = {},
): Promise<Webhook & { readonly secret: string }> =>
  must(await tenant.api('POST', '/api/v1/webhooks', { name: 'Receiver', url, eventTypes: ['projects.*'], ...more }))

const deliveriesThatAre = async ({ settings }: Tenant, status: string): Promise<Answer['body'][]> =>
  must(await settings('GET', `/deliveries?status=${status}`)).data

const deliveryThatIs = async (tenant: Tenant, status: string): Promise<Answer['body']> =>
  eventually(async () => (await deliveriesThatAre(tenant, status))[0], `a delivery that is ${status}`)

/** The event, or null where the secret does not verify it. */
function verified({ body, headers }: ReceivedCall, secret: string): unknown {
  try {
    return new StandardWebhook(secret).verify(body.toString(), headers as Record<string, string>)
  } catch {
    return null
  }
}

const get = async (tenant: Tenant, id: string): Promise<Webhook> =>
  must(await tenant.api('GET', `/api/v1/webhooks/${id}`))

const create = async ({ api }: Tenant, name = 'Website') => must(await api('POST', '/api/v1/projects', { name }))

const having = (tenant: Tenant, id: string, wanted: Partial<Stats>) =>
  eventually(
    async () => {
      const webhook = await get(tenant, id)
      const isAsWanted = Object.entries(wanted).every(
        ([name, count]) => webhook.stats24h[name as keyof Stats] === count,
      )
      return isAsWanted ? webhook : null
    },
    `statistics of ${JSON.stringify(wanted)}`,
  )

const disabledEvents = async (tenant: Tenant) =>
  must(await tenant.api('GET', '/api/v1/events?eventTypes=webhooks.disabled')).data

const eventIn = ({ body }: ReceivedCall) => JSON.parse(body.toString())

const hidden = 'The secret project'
const lists = new Set(['webhooks.list', 'deliveries.list'])
const isAsked = ({ name, audiences }: Operation): boolean =>
  /^(webhooks|deliveries)\./.test(name) && audiences.includes('api') && name !== 'webhooks.create'

const delivered = (tenant: Tenant, count: number) =>
  eventually(async () => {
    const found = await deliveriesThatAre(tenant, 'delivered')
    return found.length === count ? found : null
  }, `${count} delivered`)

describeModes('webhooks', (mode) => {
  const { system } = sharedSystem(mode)

  /** Whatever has happened is on its way to whoever gets it. */
  const fannedOut = ({ workspaceId }: Tenant) =>
    eventually(async () => (await system.db.outbox.count({ where: { workspaceId } })) === 0, 'the outbox to be empty')

  const header = ({ headers }: ReceivedCall, name: string): string =>
    String(headers[`x-${system.settings.brand}-${name}`])

  test('the event of a created project is delivered signed, and three libraries verify it', async () => {
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    const { secret } = await subscribe(tenant, receiver)

    const project = await create(tenant, 'Ärger mit Ümläuten 🚀')

    const [call] = await receiver.count(1)
    const event = eventIn(call!)
    const { workspaceId } = tenant
    const resource = { id: project.id, version: 1 }
    expect(event).toMatchObject({ type: 'projects.created', workspaceId, data: project, resource })
    expect(header(call!, 'event')).toBe('projects.created')
    const signature = header(call!, 'signature')
    expect(signature).toMatch(new RegExp(`^t=${header(call!, 'signature-timestamp')},v1=[0-9a-f]{64}$`))
    for (const read of [
      new Stripe('sk_test').webhooks.constructEvent(call!.body, signature, secret),
      verified(call!, secret),
      new SvixWebhook(secret).verify(call!.body, call!.headers as Record<string, string>),
    ])
      expect(read).toMatchObject({ id: event.id })
  })

  test.each(['full', 'thin'])('a %s payload has the bytes that the attempt shows', async (payload) => {
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    await subscribe(tenant, receiver, { payload })
    await create(tenant)

    const [call] = await receiver.count(1)
    const delivery = await deliveryThatIs(tenant, 'delivered')

    const [attempt, ...others] = must(await tenant.api('GET', `/api/v1/deliveries/${delivery.id}/attempts`)).data
    const response = { status: 200, body: 'thanks' }
    expect(others).toEqual([])
    expect(attempt).toMatchObject({ number: 1, trigger: 'automatic', outcome: 'success', response })
    expect(attempt.request.body).toBe(call!.body.toString())
    const signatures = { [`x-${system.settings.brand}-signature`]: '***', 'webhook-signature': '***' }
    const { host: _host, connection: _connection, 'content-length': _length, ...sent } = call!.headers
    expect(attempt.request.headers).toEqual({ ...sent, ...signatures })
    const { data, changes, ...thin } = must(await tenant.api('GET', `/api/v1/events/${delivery.eventId}`))
    expect(eventIn(call!)).toEqual(payload === 'full' ? { ...thin, data, changes } : thin)
  })

  test('a test of a kind delivers a signed example of it to that webhook alone, and stays a test for all others', async () => {
    await using receiver = await startReceiver()
    await using other = await startReceiver()
    const tenant = await system.tenant()
    await subscribe(tenant, other, { eventTypes: ['projects.*', 'tasks.*'] })
    const { id, secret } = await subscribe(tenant, receiver)

    const answer = await tenant.api('POST', `/api/v1/webhooks/${id}/test`, { eventType: 'tasks.updated' })

    expect(answer.status).toBe(202)
    const { eventId, deliveryId } = must(answer)
    const [call] = await receiver.count(1)
    const example = { id: eventId, type: 'tasks.updated', test: true, data: { object: 'task' } }
    expect(verified(call!, secret)).toMatchObject(example)
    expect([header(call!, 'event'), call!.headers['webhook-id']]).toEqual(['tasks.updated', deliveryId])
    expect(await deliveryThatIs(tenant, 'delivered')).toMatchObject({ id: deliveryId, origin: 'test' })
    const [{ request }] = must(await tenant.settings('GET', `/deliveries/${deliveryId}/attempts`)).data
    expect(request.body).toBe(call!.body.toString())
    expect(request.headers).toMatchObject({ [`x-${system.settings.brand}-event`]: 'tasks.updated' })
    const events = must(await tenant.api('GET', '/api/v1/events?eventTypes=tasks.*,webhooks.*')).data
    expect(events).toMatchObject([{ id: eventId, type: 'webhooks.test', data: { exampleOf: 'tasks.updated' } }])
    expect(other.calls).toHaveLength(0)
  })

  test('deliveries are found by the event, and by the request that caused it', async () => {
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    const webhooks = [await subscribe(tenant, receiver), await subscribe(tenant, receiver)]
    for (const name of ['One', 'Two']) await create(tenant, name)
    await receiver.count(4)
    const [event] = must(await tenant.api('GET', '/api/v1/events?eventTypes=projects.*')).data
    const found = async (query: string) =>
      must(await tenant.api('GET', `/api/v1/deliveries?${query}`)).data.map(
        (each: { eventId: string; webhookId: string }) => `${each.eventId} ${each.webhookId}`,
      )

    const wanted = new Set(webhooks.map(({ id }) => `${event.id} ${id}`))
    expect(new Set(await found(`eventId=${event.id}`))).toEqual(wanted)
    expect(new Set(await found(`requestId=${event.requestId}`))).toEqual(wanted)
    expect(must(await tenant.settings('GET', '/deliveries?requestId=unknown')).data).toEqual([])
  })

  test('only subscribed events of the own workspace are delivered', async () => {
    await using receiver = await startReceiver()
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    const filter = { changedFields: ['status'] }
    const { id } = await subscribe(tenant, receiver, { eventTypes: ['projects.updated'], filter })

    const project = await create(tenant)
    await create(other)
    for (const change of [{ name: 'Renamed' }, { status: 'active' }])
      must(await tenant.api('PATCH', `/api/v1/projects/${project.id}`, change))
    must(await tenant.api('POST', `/api/v1/webhooks/${id}/test`))

    const events = (await receiver.count(2)).map(eventIn)
    expect(events.map(({ type }): string => type).toSorted()).toEqual(['projects.updated', 'webhooks.test'])
    expect(events.find(({ type }) => type === 'projects.updated').changes).toEqual({
      status: { from: 'planned', to: 'active' },
    })
  })

  test('after a rotation both secrets verify a delivery, and without overlap only the new one', async () => {
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    const { id, secret: first } = await subscribe(tenant, receiver)
    const rotate = async (overlapHours: number): Promise<string> =>
      must(await tenant.settings('POST', `/webhooks/${id}/rotate-secret`, { overlapHours })).secret
    const second = await rotate(1)
    await create(tenant, 'One')
    const [overlapping] = await receiver.count(1)
    const third = await rotate(0)
    await create(tenant, 'Two')
    const [, alone] = await receiver.count(2)

    expect([first, second].map((secret) => verified(overlapping!, secret) !== null)).toEqual([true, true])
    expect([first, second, third].map((secret) => verified(alone!, secret) !== null)).toEqual([false, false, true])
  })

  test('a delivery that will be tried again cannot be replayed, and is cancelled when its webhook is deleted', async () => {
    await using receiver = await startReceiver(() => ({ status: 503, headers: { 'retry-after': '60' } }))
    const tenant = await system.tenant()
    const { id: webhookId } = await subscribe(tenant, receiver)
    await create(tenant)
    const { id } = await deliveryThatIs(tenant, 'retrying')

    const replayed = await tenant.api('POST', `/api/v1/deliveries/${id}/replay`)
    must(await tenant.settings('DELETE', `/webhooks/${webhookId}`))

    expect(replayed).toMatchObject({ status: 409, body: { code: 'invalid_transition', from: 'retrying' } })
    expect(await deliveryThatIs(tenant, 'cancelled')).toMatchObject({ id, nextAttemptAt: null })
    expect((await tenant.api('GET', `/api/v1/webhooks/${webhookId}`)).status).toBe(404)
  })

  test('a delivery that always fails is dead-lettered after the set number of attempts, and is sent again when it is replayed', async () => {
    let status = 500
    await using receiver = await startReceiver(() => status)
    const tenant = await system.tenant()
    await subscribe(tenant, receiver)
    await create(tenant)
    const dead = await deliveryThatIs(tenant, 'dead_letter')
    status = 200

    const replayed = await tenant.api('POST', `/api/v1/deliveries/${dead.id}/replay`)

    const { length } = system.settings.retrySchedule
    expect(dead).toMatchObject({
      attemptCount: length + 1,
      maxAttempts: length + 1,
      nextAttemptAt: null,
      lastStatusCode: 500,
    })
    expect(replayed).toMatchObject({ status: 202, body: { id: dead.id, status: 'pending', origin: 'replay' } })
    expect(await deliveryThatIs(tenant, 'delivered')).toMatchObject({ id: dead.id, attemptCount: length + 2 })
    const calls = await receiver.count(length + 2)
    const ids = calls.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids)).toEqual(new Set([ids[0]]))
  })

  test('a webhook shows its workspace statistics of the last day, and none of before, alone, in the list and by the hour', async () => {
    let status = 200
    const headers = { [`x-${system.settings.brand}-webhook`]: 'abort' }
    await using receiver = await startReceiver(() => ({ status, headers }))
    const tenant = await system.tenant()
    const { id, stats24h } = await subscribe(tenant, receiver)
    const quiet = await subscribe(tenant, receiver, { eventTypes: ['projects.deleted'] })
    const nothing = { delivered: 0, failed: 0, pending: 0, p50Ms: null, p95Ms: null }
    expect(stats24h).toEqual(nothing)

    for (const name of ['One', 'Two']) await create(tenant, name)
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
    expect((await (await system.tenant()).api('GET', `/api/v1/webhooks/${id}/stats`)).status).toBe(404)

    await system.db.$executeRaw`
      UPDATE delivery SET created_at = created_at - interval '25 hours' WHERE workspace_id = ${tenant.workspaceId}::uuid`
    expect((await get(tenant, id)).stats24h).toEqual(nothing)
  })

  test('the list is filtered by status and by subscribed event types, through patterns as well', async () => {
    const tenant = await system.tenant()
    const [one, segment, all, keys] = [
      await subscribe(tenant, nowhere, { eventTypes: ['projects.created'] }),
      await subscribe(tenant, nowhere, { eventTypes: ['projects.*'] }),
      await subscribe(tenant, nowhere, { eventTypes: ['*'] }),
      await subscribe(tenant, nowhere, { eventTypes: ['api-keys.created'] }),
    ]
    must(await tenant.api('POST', `/api/v1/webhooks/${segment.id}/pause`))
    const ids = async (query: string) =>
      must(await tenant.api('GET', `/api/v1/webhooks?${query}`)).data.map(({ id }: Webhook) => id)

    expect(await ids('eventTypes=projects.created')).toEqual([all.id, segment.id, one.id])
    expect(await ids('eventTypes=api-keys.created')).toEqual([keys.id, all.id])
    expect(await ids('eventTypes=api-keys.created,projects.created')).toEqual([keys.id, all.id, segment.id, one.id])
    expect(await ids('status=paused')).toEqual([segment.id])
    expect(await ids('status=active,disabled&eventTypes=projects.deleted')).toEqual([all.id])
  })

  test('a filter is kept as it was given, and one that can match nothing is refused by the field that is changed', async () => {
    const tenant = await system.tenant()
    const given = { eventTypes: ['crm-entities.*'], filter: { kinds: ['deal', 'contact'] } }
    const { id, filter } = await subscribe(tenant, nowhere, given)
    const change = (patch: object) => tenant.api('PATCH', `/api/v1/webhooks/${id}`, patch)
    const body = { name: 'Never', ...nowhere, eventTypes: ['tasks.created'], filter: { changedFields: ['status'] } }

    const refusals = [
      await tenant.api('POST', '/api/v1/webhooks', body),
      await change({ filter: { kinds: ['lead'] } }),
      await change({ eventTypes: ['projects.created'] }),
    ]

    expect(filter).toEqual(given.filter)
    expect(refusals.map(({ status, body: { errors } }) => [status, errors[0].pointer])).toEqual([
      [422, '/filter/changedFields'],
      [422, '/filter/kinds/0'],
      [422, '/eventTypes'],
    ])
  })

  test('a receiver that answers 410 gets its webhook disabled with one event; enabled again, it gets the held deliveries', async () => {
    let status = 410
    await using receiver = await startReceiver(() => status)
    const tenant = await system.tenant()
    const { id } = await subscribe(tenant, receiver)
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
    const health = await system.db.webhookHealth.findFirst({ where: { webhookId: id } })
    expect(health).toMatchObject({ goneAt: null, failingSince: null })
    expect(await disabledEvents(tenant)).toHaveLength(1)
  })

  test('how a receiver has answered is shown by hour and by day, with the last requests', async () => {
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    const { id, workspaceId } = await subscribe(tenant, receiver)
    await create(tenant, 'One')
    await having(tenant, id, { delivered: 1 })
    const settings = `/settings/api/workspaces/${workspaceId}/webhooks/${id}`
    const at = new Date().toISOString()
    const latency = Array.from({ length: latencyBucketsCount }, (_, n) => (n === 10 ? 7 : 0))
    const tallies = { workspaceId, webhookId: id, until: at, statuses: [4, 0, 1, 0, 2, 3], latency }
    await addWebhookActivity(system.db, [tallies])

    for (const [by, periods] of Object.entries({ hour: 48, day: 30 })) {
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
    ['well', null, 'closed'],
    ['given a rest', '2126-01-01T00:00:00.000Z', 'open'],
    ['about to be tried again', '2026-01-01T00:00:00.000Z', 'half_open'],
  ])('a webhook whose receiver is %s says so, alone and in the list', async (_how, openUntil, state) => {
    const tenant = await system.tenant()
    const { id, workspaceId } = await subscribe(tenant, nowhere)
    const rest = openUntil === null ? {} : { unwell: 5, circuitOpenUntil: openUntil, circuitSeconds: 30 }
    await system.db.webhookHealth.create({ data: { workspaceId, webhookId: id, consecutiveFailures: 5, ...rest } })

    const circuit = { state, openUntil }
    expect(await get(tenant, id)).toMatchObject({ circuit })
    expect(must(await tenant.api('GET', '/api/v1/webhooks')).data).toMatchObject([{ circuit }])
  })

  test.each([
    ['replaying one of its deliveries', 'POST', (_id: string, delivered: string) => `/deliveries/${delivered}/replay`],
    ['changing its URL', 'PATCH', (id: string) => `/webhooks/${id}`],
  ])('%s ends the rest of a receiver that was unwell', async (_what, method, pathOf) => {
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    const { id, workspaceId } = await subscribe(tenant, receiver)
    await create(tenant, 'One')
    await having(tenant, id, { delivered: 1 })
    const { id: delivered } = await system.db.delivery.findFirstOrThrow({ where: { webhookId: id } })
    const circuit = { unwell: 5, circuitOpenUntil: new Date(Date.now() + 900_000), circuitSeconds: 900 }
    await system.db.webhookHealth.create({ data: { workspaceId, webhookId: id, consecutiveFailures: 5, ...circuit } })
    await create(tenant, 'Two')
    const waiting = () => system.db.delivery.count({ where: { webhookId: id, status: 'pending' } })
    await eventually(async () => (await waiting()) === 1, 'a delivery that waits')

    const body = method === 'PATCH' ? { url: `${receiver.url}/moved` } : undefined
    must(await tenant.api(method, `/api/v1${pathOf(id, delivered)}`, body))

    await eventually(async () => (await waiting()) === 0, 'nothing to wait')
    const health = await system.db.webhookHealth.findFirst({ where: { webhookId: id } })
    expect(health).toMatchObject({ circuitOpenUntil: null, circuitSeconds: null, unwell: 0 })
  })

  test('several services at once disable a webhook once, and none that was paused or deleted meanwhile', async () => {
    const tenant = await system.tenant()
    const [failing, paused, deleted] = [
      await subscribe(tenant, nowhere, { eventTypes: ['webhooks.disabled'] }),
      await subscribe(tenant, nowhere),
      await subscribe(tenant, nowhere),
    ]
    must(await tenant.api('POST', `/api/v1/webhooks/${paused.id}/pause`))
    must(await tenant.api('DELETE', `/api/v1/webhooks/${deleted.id}`))
    const gone = { consecutiveFailures: 30, goneAt: new Date(), goneReason: 'failing' }
    for (const { workspaceId, id: webhookId } of [failing, paused, deleted])
      await system.db.webhookHealth.create({ data: { workspaceId, webhookId, ...gone } })

    await Promise.all([1, 2, 3].map(() => disableGivenUp(changeDeps(system.db))))

    expect(await get(tenant, failing.id)).toMatchObject({ status: 'disabled', version: 2 })
    expect(await get(tenant, paused.id)).toMatchObject({ status: 'paused' })
    expect(await disabledEvents(tenant)).toMatchObject([{ resource: { id: failing.id } }])
  })

  test('webhooks.check-url judges an address before a webhook has it', async () => {
    const tenant = await system.tenant()
    const check = async (url: string) =>
      must(await tenant.settings('GET', `/webhooks/check-url?url=${encodeURIComponent(url)}`))

    const taken = { object: 'url_check', url: 'https://hooks.acme.example/a%20b', problem: null }
    expect(await check('https://Hooks.Acme.example/a b')).toEqual(taken)
    const refused = { object: 'url_check', url: null, problem: 'Is not an absolute URL.' }
    expect(await check('hooks.acme')).toEqual(refused)
    expect((await check('https://10.0.0.1/')).problem).toBe('Must not lie on a private or reserved address.')
  })

  test('a key that is ignored gets no echo of what it writes, rotated or not; what others write is delivered', async () => {
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    const sync = await tenant.key(scopes)
    const { id, ignoredKeyIds } = await subscribe(sync, receiver, { ignoredKeyIds: ['me'] })
    await create(sync, 'Mine')
    const { secret } = must(await sync.api('POST', '/api/v1/me/rotate'))
    const rotated = { authorization: `Bearer ${secret}` }
    must(await sync.api('POST', '/api/v1/projects', { name: 'Mine, rotated' }, rotated))
    await create(tenant, 'Of another key')

    const [call] = await receiver.count(1)
    // Events are fanned out in any order.
    await fannedOut(tenant)
    expect(ignoredKeyIds).toEqual([sync.keyId])
    expect(eventIn(call!).data.name).toBe('Of another key')
    expect(await system.db.delivery.count({ where: { webhookId: id } })).toBe(1)
  })

  test('a key that may write webhooks and read nothing else can neither read nor change them', async () => {
    await using receiver = await startReceiver()
    await using thief = await startReceiver()
    const tenant = await system.tenant()
    const { id } = await subscribe(tenant, receiver, { headers: { 'x-token': 'a secret header' } })
    await create(tenant, hidden)
    const [delivery] = await delivered(tenant, 1)
    const job = must(await tenant.api('POST', '/api/v1/deliveries/replay', { filter: {} }))
    const before = must(await tenant.api('GET', `/api/v1/webhooks/${id}`))
    const held: Scope[] = ['webhooks:write', 'deliveries:read', 'deliveries:replay', 'events:read']
    const weak = await tenant.key(held)

    const idFor = ({ name }: Operation) =>
      name.includes('replay-job') ? job.id : name.startsWith('webhooks.') ? id : delivery.id
    const more: Record<string, object> = {
      'webhooks.update': { url: thief.url },
      'deliveries.replay-many': { filter: { webhookId: id, status: ['delivered'] } },
    }
    for (const operation of operations.filter(isAsked)) {
      const method = methodOf(operation)
      const { id: _id, ...input } = { ...sampleInput(operation.input), ...more[operation.name] } as { id?: string }
      const path = pathFor(operation, 'api').replace('{id}', idFor(operation))
      const answer = await weak.api(method, path, method === 'GET' || method === 'DELETE' ? undefined : input)

      if (lists.has(operation.name)) expect([operation.name, answer.body.data]).toEqual([operation.name, []])
      else
        expect([operation.name, answer.status, answer.body?.code]).toEqual([operation.name, 403, 'insufficient_scope'])
      expect(JSON.stringify(answer.body)).not.toContain(hidden)
    }

    expect(must(await tenant.api('GET', `/api/v1/webhooks/${id}`))).toEqual(before)
    expect([receiver.calls.length, thief.calls.length]).toEqual([1, 0])
    const denied = '/audit-entries?outcome=denied&action=webhooks.update'
    const entry = await eventually(async () => must(await tenant.settings('GET', denied)).data[0], 'the refusal')
    expect(entry).toMatchObject({ code: 'insufficient_scope', actor: { id: weak.keyId } })
  })

  test('a webhook that moves to another host loses its headers and gets one new secret', async () => {
    await using first = await startReceiver()
    await using second = await startReceiver()
    const tenant = await system.tenant()
    const headers = { 'x-token': 'a secret header' }
    const { id, secret: old } = await subscribe(tenant, first, { headers })
    await create(tenant, 'One')
    const [made] = await delivered(tenant, 1)
    const at = `/api/v1/webhooks/${id}`

    const sameHost = must(await tenant.api('PATCH', at, { url: `${first.url}/deeper` }))
    const moved = must(await tenant.api('PATCH', at, { url: second.url }))
    must(await tenant.api('POST', `/api/v1/deliveries/${made.id}/replay`))
    const [call] = await second.count(1)

    expect(sameHost).toMatchObject({ headerNames: ['x-token'] })
    expect(sameHost).not.toHaveProperty('secret')
    expect(moved).toMatchObject({ headerNames: [], secrets: [{ expiresAt: null }] })
    expect(must(await tenant.api('GET', at))).not.toHaveProperty('secret')
    expect(call!.headers).not.toHaveProperty('x-token')
    expect([moved.secret, old].map((secret) => verified(call!, secret) !== null)).toEqual([true, false])
    const [entry] = must(await tenant.settings('GET', '/audit-entries?action=webhooks.update')).data
    expect(Object.keys(entry.changes)).toEqual(expect.arrayContaining(['url', 'headerNames', 'secrets', 'grants']))
    expect(JSON.stringify(entry)).not.toContain(moved.secret)

    const back = must(await tenant.api('PATCH', at, { url: first.url, headers }))
    expect(back).toMatchObject({ headerNames: ['x-token'] })
    expect(back.secret).not.toBe(moved.secret)
  })

  test('a webhook outlives its creator’s key, can be found by that key, and gets no events once its grants are revoked', async () => {
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    const maker = await tenant.key(['webhooks:write', 'projects:read', 'tasks:read'])
    const eventTypes = ['projects.*', 'tasks.*']
    const made = await subscribe(maker, receiver, { eventTypes })
    must(await tenant.settings('DELETE', `/api-keys/${maker.keyId}`))

    const project = await create(tenant, 'One')
    await delivered(tenant, 1)
    expect(made.grants).toMatchObject({ scopes: ['projects:read', 'tasks:read'], grantedBy: { id: maker.keyId } })
    const [found] = must(await tenant.settings('GET', `/webhooks?grantedBy=${maker.keyId}`)).data
    expect(found).toMatchObject({ id: made.id })
    const at = `/webhooks/${made.id}`
    const narrowed = must(await tenant.settings('POST', `${at}/revoke-grants`, { scopes: ['tasks:read'] }))
    expect(narrowed.grants).toMatchObject({ scopes: ['projects:read'], grantedBy: { id: maker.keyId } })

    must(await tenant.api('POST', '/api/v1/tasks', { title: 'Ungranted', projectId: project.id }))
    await fannedOut(tenant)
    must(await tenant.api('PATCH', `/api/v1/projects/${project.id}`, { name: 'Two' }))
    const kinds = (await delivered(tenant, 2)).map(({ eventType }: { eventType: string }) => eventType)
    expect(kinds.toSorted()).toEqual(['projects.created', 'projects.updated'])

    const regranted = must(await tenant.settings('PATCH', at, { eventTypes }))
    expect(regranted.grants).toMatchObject({ scopes: ['projects:read', 'tasks:read'], grantedBy: { id: 'operator' } })
    must(await tenant.api('POST', '/api/v1/tasks', { title: 'Granted', projectId: project.id }))
    await delivered(tenant, 3)
    expect(receiver.calls.map(({ body }) => body.toString()).join()).not.toContain('Ungranted')
  })

  test('revoking grants needs access to the webhook, cancels pending deliveries, and lasts until event types are set', async () => {
    const tenant = await system.tenant()
    const weak = await tenant.key(['webhooks:write', 'projects:read'])
    const eventTypes = ['projects.*', 'tasks.*']
    const { id } = await subscribe(tenant, nowhere, { eventTypes })
    const at = `/api/v1/webhooks/${id}`
    const revoke = async (body?: object) => must(await tenant.api('POST', `${at}/revoke-grants`, body))
    const scopesAfter = async (patch: object) => must(await tenant.api('PATCH', at, patch)).grants.scopes
    must(await tenant.api('POST', `${at}/pause`))
    const { id: projectId } = await create(tenant, 'One')
    must(await tenant.api('POST', '/api/v1/tasks', { title: 'One', projectId }))
    await fannedOut(tenant)

    expect((await weak.api('POST', `${at}/revoke-grants`)).status).toBe(403)
    await revoke({ scopes: ['tasks:read'] })
    expect(await deliveriesThatAre(tenant, 'cancelled')).toMatchObject([{ eventType: 'tasks.created' }])
    expect(await deliveriesThatAre(tenant, 'pending')).toMatchObject([{ eventType: 'projects.created' }])
    expect((await revoke({ scopes: ['tasks:read'] })).version).toBe(3)

    for (const patch of [{ url: `${nowhere.url}deeper` }, { name: 'Renamed' }])
      expect(await scopesAfter(patch)).toEqual(['projects:read'])
    for (const _time of ['once', 'again'])
      expect(await scopesAfter({ eventTypes })).toEqual(['projects:read', 'tasks:read'])
    const { version, grants } = await revoke()
    expect([version, grants.scopes, await deliveriesThatAre(tenant, 'pending')]).toEqual([7, [], []])
  })

  test('a secret in a kept answer is not returned to a key that has lost scopes since', async () => {
    const tenant = await system.tenant()
    const held: Scope[] = ['webhooks:write', 'projects:read']
    const maker = await tenant.key(held)
    const body = { name: 'Receiver', ...nowhere, eventTypes: ['projects.*'] }
    const ask = () => maker.api('POST', '/api/v1/webhooks', body, { 'idempotency-key': 'once' })
    const limit = async (scopes: Scope[]) =>
      must(await tenant.settings('PATCH', `/api-keys/${maker.keyId}`, { scopes }))
    const answeredWith = (status: number) =>
      eventually(async () => {
        const answer = await ask()
        return answer.status === status ? answer : null
      }, `the gateway to know of the change: ${status}`)
    const first = await ask()

    await limit(['webhooks:write'])
    const narrowed = await answeredWith(403)
    await limit(held)
    const again = await answeredWith(201)

    expect(narrowed.body).toMatchObject({ code: 'insufficient_scope', requiredScopes: ['projects:read'] })
    expect(JSON.stringify(narrowed.body)).not.toContain(first.body.secret)
    expect(again.body).toEqual(first.body)
    expect(must(await tenant.api('GET', '/api/v1/webhooks')).data).toHaveLength(1)
  })
})
