// Webhooks: from a write through the gateway to a receiver's socket, who may do what with them, which events they still
// get, their statistics and lists, and how the system disables them. Retries, dead letters and pauses are seen in
// test/dispatcher.
// Operations: deliveries.attempts, webhooks.enable, webhooks.pause, webhooks.requests, webhooks.revoke-grants,
// webhooks.stats, webhooks.usage.
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { latencyBucketsCount } from '#contract/internal/reports.ts'
import { scopes } from '#contract/scopes.ts'
import type { Stats, Webhook, WebhookStats } from '#contract/webhook-schema.ts'
import { addWebhookActivity } from '../../dispatcher/results/activity-rows.ts'
import { disableGivenUp } from '../../service/webhooks/failing.ts'
import { changeDeps } from '../support/change-deps.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver, type ReceivedCall } from '../support/receiver.ts'
import { describeMode, must, sharedSystem, type Tenant } from '../support/system.ts'
import { callsOf, told, type Body } from './calls.ts'

/** Where nobody listens. */
const nowhere = { url: 'http://127.0.0.1:1024/' }

const subscribe = (
  tenant: Tenant,
  { url }: { readonly url: string },
  more: object = {},
): Promise<Webhook & { readonly secret: string }> =>
  callsOf(tenant).post('/webhooks', { name: 'Receiver', url, eventTypes: ['projects.*'], ...more })

const deliveriesThatAre = async ({ settings }: Tenant, status: string): Promise<Body[]> =>
  must(await settings('GET', `/deliveries?status=${status}`)).data

/** So many that have this status, and no others. */
const deliveries = (tenant: Tenant, status: string, count = 1) =>
  eventually(async () => {
    const found = await deliveriesThatAre(tenant, status)
    return found.length === count ? found : null
  }, `${count} ${status}`)

/** The event, or null where the secret does not verify it. */
function verified({ body, headers }: ReceivedCall, secret: string): unknown {
  try {
    return new StandardWebhook(secret).verify(body.toString(), headers as Record<string, string>)
  } catch {
    return null
  }
}

const read = (tenant: Tenant, id: string): Promise<Webhook> => callsOf(tenant).get(`/webhooks/${id}`)
const create = (tenant: Tenant, name = 'Website') => callsOf(tenant).post('/projects', { name })

const having = (tenant: Tenant, id: string, wanted: Partial<Stats>) =>
  eventually(
    async () => {
      const webhook = await read(tenant, id)
      const isAsWanted = (Object.keys(wanted) as (keyof Stats)[]).every((at) => webhook.stats24h[at] === wanted[at])
      return isAsWanted ? webhook : null
    },
    `statistics of ${JSON.stringify(wanted)}`,
  )

const disabledEvents = async (tenant: Tenant) =>
  (await callsOf(tenant).get('/events?eventTypes=webhooks.disabled')).data

const eventIn = ({ body }: ReceivedCall) => JSON.parse(body.toString())

describeMode('webhooks', 'distributed', (mode) => {
  const { system } = sharedSystem(mode)

  /** A workspace of its own with a webhook, whose receiver answers like this. */
  async function subscribed(more: object = {}, answers?: Parameters<typeof startReceiver>[0]) {
    const receiver = await startReceiver(answers)
    onTestFinished(() => receiver[Symbol.asyncDispose]())
    const tenant = await system.tenant()
    return { receiver, tenant, ...callsOf(tenant), ...(await subscribe(tenant, receiver, more)) }
  }
  /** Whatever has happened is on its way to whoever gets it. */
  const fannedOut = ({ workspaceId }: Tenant) =>
    eventually(async () => (await system.db.outbox.count({ where: { workspaceId } })) === 0, 'the outbox to be empty')

  const header = ({ headers }: ReceivedCall, name: string) => String(headers[`x-${system.settings.brand}-${name}`])

  test.each(['full', 'thin'])(
    'a created project is delivered %s and signed, as is shown, and found by its event',
    async (payload) => {
      const { tenant, receiver, secret, workspaceId, get, listed } = await subscribed({ payload })

      const project = await create(tenant, 'Ärger mit Ümläuten 🚀')
      const [call] = await receiver.count(1)
      const [delivery] = await deliveries(tenant, 'delivered')

      const { data, changes, ...thin } = await get(`/events/${delivery.eventId}`)
      expect(thin).toMatchObject({ type: 'projects.created', workspaceId, resource: { id: project.id, version: 1 } })
      expect(data).toEqual(project)
      for (const query of [`eventId=${thin.id}`, `requestId=${thin.requestId}`])
        expect(await listed(`/deliveries?${query}`, 'id')).toEqual([delivery.id])
      expect(await listed('/deliveries?requestId=unknown', 'id')).toEqual([])
      expect(verified(call!, secret)).toEqual(payload === 'full' ? { ...thin, data, changes } : thin)
      expect(header(call!, 'event')).toBe('projects.created')
      const { data: attempts } = await get(`/deliveries/${delivery.id}/attempts`)
      const response = { status: 200, body: 'thanks' }
      expect(attempts).toMatchObject([{ number: 1, trigger: 'automatic', outcome: 'success', response }])
      expect(attempts[0].request.body).toBe(call!.body.toString())
      const signatures = { [`x-${system.settings.brand}-signature`]: '***', 'webhook-signature': '***' }
      const { host: _host, connection: _connection, 'content-length': _length, ...sent } = call!.headers
      expect(attempts[0].request.headers).toEqual({ ...sent, ...signatures })
    },
  )

  test('a test of a kind delivers a signed example of it to that webhook alone, and stays a test for all others', async () => {
    const { tenant, receiver: other, call, get } = await subscribed({ eventTypes: ['projects.*', 'tasks.*'] })
    await using receiver = await startReceiver()
    const { id, secret } = await subscribe(tenant, receiver)

    const answer = await call('POST', `/webhooks/${id}/test`, { eventType: 'tasks.updated' })

    expect(answer.status).toBe(202)
    const { eventId, deliveryId } = must(answer)
    const [sent] = await receiver.count(1)
    const example = { id: eventId, type: 'tasks.updated', test: true, data: { object: 'task' } }
    expect(verified(sent!, secret)).toMatchObject(example)
    expect([header(sent!, 'event'), sent!.headers['webhook-id']]).toEqual(['tasks.updated', deliveryId])
    expect(await deliveries(tenant, 'delivered')).toMatchObject([{ id: deliveryId, origin: 'test' }])
    const [{ request }] = must(await tenant.settings('GET', `/deliveries/${deliveryId}/attempts`)).data
    expect(request.body).toBe(sent!.body.toString())
    expect(request.headers).toMatchObject({ [`x-${system.settings.brand}-event`]: 'tasks.updated' })
    const { data: events } = await get('/events?eventTypes=tasks.*,webhooks.*')
    expect(events).toMatchObject([{ id: eventId, type: 'webhooks.test', data: { exampleOf: 'tasks.updated' } }])
    expect(other.calls).toHaveLength(0)
  })

  test('only subscribed events of the own workspace are delivered, and no echo to a key that is ignored, rotated or not', async () => {
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    const sync = await tenant.key(scopes)
    await using receiver = await startReceiver()
    const wanted = { eventTypes: ['projects.updated'], filter: { changedFields: ['status'] }, ignoredKeyIds: ['me'] }
    const { id, ignoredKeyIds } = await subscribe(sync, receiver, wanted)

    const project = await create(tenant)
    await create(other)
    const change = async ({ api }: Tenant, patch: object, headers = {}) =>
      must(await api('PATCH', `/api/v1/projects/${project.id}`, patch, headers))
    await change(tenant, { name: 'Renamed' })
    await change(sync, { status: 'paused' })
    const { secret } = await callsOf(sync).post('/me/rotate')
    await change(sync, { status: 'completed' }, { authorization: `Bearer ${secret}` })
    await change(tenant, { status: 'active' })
    await callsOf(tenant).post(`/webhooks/${id}/test`)

    const events = (await receiver.count(2)).map(eventIn)
    await fannedOut(tenant)
    expect(ignoredKeyIds).toEqual([sync.keyId])
    // Events are fanned out in any order.
    expect(events.toSorted((one, next) => (one.type < next.type ? -1 : 1))).toMatchObject([
      { type: 'projects.updated', changes: { status: { from: 'completed', to: 'active' } } },
      { type: 'webhooks.test' },
    ])
    expect(await system.db.delivery.count({ where: { webhookId: id } })).toBe(2)
  })

  test('a filter by values takes names of objects, delivers the changes to these values alone, and is refused by its part', async () => {
    const { receiver, tenant, id, call, post } = await subscribed({ eventTypes: ['tasks.updated'] })
    const { id: projectId } = await create(tenant)
    const other = await post('/projects', { name: 'Other', key: 'OTHER' })
    const values = { status: { to: ['done'] }, projectId: { is: ['OTHER'] }, labels: { contains: ['x'] } }
    const patch = (asked: object) => call('PATCH', `/webhooks/${id}`, { filter: { values: asked } })
    const kept = must(await patch(values)).filter
    const task = async (more: object) =>
      (await post('/tasks', { title: 'T', projectId: other.id, labels: ['x'], ...more })).id
    const [found, ...left] = [await task({}), await task({ projectId }), await task({ labels: [] })]
    for (const status of ['todo', 'done', 'backlog'])
      for (const of of [found, ...left]) must(await call('PATCH', `/tasks/${of}`, { status }))
    await post(`/webhooks/${id}/test`)

    const events = (await receiver.count(2)).map(eventIn)
    await fannedOut(tenant)
    expect(kept).toEqual({ values: { ...values, projectId: { is: [other.id] } } })
    expect(events.filter(({ type }) => type === 'tasks.updated')).toMatchObject([
      { resource: { id: found }, changes: { status: { from: 'todo', to: 'done' } } },
    ])
    expect(await system.db.delivery.count({ where: { webhookId: id } })).toBe(2)
    for (const [asked, answer] of [
      [{ state: { is: ['done'] } }, '422 unknown_field /filter/values/state '],
      [{ status: { until: ['done'] } }, '422 unknown_field /filter/values/status/until '],
      [{ status: { is: ['finished'] } }, '422 validation_failed /filter/values/status/is/0 '],
      [{ amount: { above: '5' } }, '422 validation_failed /filter/values/amount/currency '],
      [{ projectId: { is: ['NONE'] } }, '422 reference_not_found /filter/values/projectId/is/0 '],
      [{ stage: { to: ['won'] } }, '422 validation_failed /filter/values/stage '],
      [{ labels: {} }, '422 validation_failed /filter/values/labels '],
      [{}, '422 validation_failed /filter/values '],
    ] as const)
      expect(told(await patch(asked))).toContain(answer)
  })

  test('after a rotation both secrets verify a delivery, and without overlap only the new one', async () => {
    const { tenant, receiver, id, secret: first } = await subscribed()
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

  test('a delivery that will be tried again is cancelled when its webhook is deleted, and cannot be sent again then', async () => {
    const later = { status: 503, headers: { 'retry-after': '60' } }
    const { tenant, id: webhookId, call, remove } = await subscribed({}, () => later)
    await create(tenant)
    const [{ id }] = await deliveries(tenant, 'retrying')

    await remove(`/webhooks/${webhookId}`)
    const replayed = await call('POST', `/deliveries/${id}/replay`)

    expect(replayed).toMatchObject({ status: 409, body: { code: 'invalid_transition', from: 'deleted' } })
    expect(await deliveries(tenant, 'cancelled')).toMatchObject([{ id, nextAttemptAt: null }])
    expect((await call('GET', `/webhooks/${webhookId}`)).status).toBe(404)
  })

  test('a webhook shows its workspace statistics of the last day, and none of before, alone, in the list and by the hour', async () => {
    let status = 200
    // An aborted delivery is a dead letter after one try.
    const headers = { [`x-${system.settings.brand}-webhook`]: 'abort' }
    const { tenant, receiver, id, stats24h, get, post } = await subscribed({}, () => ({ status, headers }))
    const quiet = await subscribe(tenant, receiver, { eventTypes: ['projects.deleted'] })
    const nothing = { delivered: 0, failed: 0, pending: 0, retrying: 0, p50Ms: null, p95Ms: null }
    expect(stats24h).toEqual(nothing)

    for (const name of ['One', 'Two']) await create(tenant, name)
    await having(tenant, id, { delivered: 2 })
    status = 500
    await create(tenant, 'Three')
    const webhook = await having(tenant, id, { delivered: 2, failed: 1 })
    await post(`/webhooks/${id}/pause`)
    await create(tenant, 'Four')
    const { stats24h: all } = await having(tenant, id, { delivered: 2, failed: 1, pending: 1 })

    const failed = { attemptCount: 1, lastErrorCode: 'aborted', lastStatusCode: 500 }
    expect(await deliveries(tenant, 'dead_letter')).toMatchObject([failed])
    expect(webhook.stats24h.p50Ms).toBeGreaterThanOrEqual(0)
    expect(webhook.stats24h.p95Ms).toBeGreaterThanOrEqual(webhook.stats24h.p50Ms ?? Infinity)
    const [ofQuiet, own] = (await get('/webhooks')).data
    expect([ofQuiet, own]).toMatchObject([
      { id: quiet.id, stats24h: nothing },
      { id, stats24h: all },
    ])
    const stats: WebhookStats = await get(`/webhooks/${id}/stats`)
    expect(stats).toMatchObject({ object: 'webhook_stats', webhookId: id, total: all })
    expect([stats.hours.length, stats.hours[0]?.from]).toEqual([24, stats.from])
    const sum = (field: 'delivered' | 'failed' | 'pending') => stats.hours.reduce((n, hour) => n + hour[field], 0)
    expect([sum('delivered'), sum('failed'), sum('pending')]).toEqual([2, 1, 1])

    await system.db.$executeRaw`
      UPDATE delivery SET created_at = created_at - interval '25 hours' WHERE workspace_id = ${tenant.workspaceId}::uuid`
    expect((await read(tenant, id)).stats24h).toEqual(nothing)
  })

  test('a filter is kept as it was given, one that can match nothing is refused by the field that is changed; an address is judged before', async () => {
    const tenant = await system.tenant()
    const { call } = callsOf(tenant)
    const given = { eventTypes: ['crm-entities.*'], filter: { kinds: ['deal', 'contact'] } }
    const { id, filter } = await subscribe(tenant, nowhere, given)
    const body = { name: 'Never', ...nowhere, eventTypes: ['tasks.created'], filter: { changedFields: ['status'] } }
    const check = async (url: string) =>
      must(await tenant.settings('GET', `/webhooks/check-url?url=${encodeURIComponent(url)}`))

    expect(filter).toEqual(given.filter)
    for (const [method, path, sent, pointer] of [
      ['POST', '', body, '/filter/changedFields'],
      ['PATCH', `/${id}`, { filter: { kinds: ['lead'] } }, '/filter/kinds/0'],
      ['PATCH', `/${id}`, { eventTypes: ['projects.created'] }, '/eventTypes'],
    ] as const)
      expect(told(await call(method, `/webhooks${path}`, sent))).toContain(`422 validation_failed ${pointer} `)
    const taken = { object: 'url_check', url: 'https://hooks.acme.example/a%20b', problem: null }
    expect(await check('https://Hooks.Acme.example/a b')).toEqual(taken)
    expect(await check('hooks.acme')).toEqual({ ...taken, url: null, problem: 'Is not an absolute URL.' })
    expect((await check('https://10.0.0.1/')).problem).toBe('Must not lie on a private or reserved address.')
  })

  test('a receiver that answers 410 gets its webhook disabled with one event; enabled again, it gets the held deliveries', async () => {
    let status = 410
    const { tenant, receiver, id, call, post } = await subscribed({}, () => status)
    await create(tenant, 'One')

    const disabled = await eventually(async () => {
      const webhook = await read(tenant, id)
      return webhook.status === 'disabled' ? webhook : null
    }, 'the webhook to be disabled')
    await create(tenant, 'Two')

    expect(disabled).toMatchObject({ version: 2, updatedBy: { type: 'system', id: 'system' } })
    expect(disabled.disabledReason).toContain('410')
    const resource = { type: 'webhooks', id, version: 2 }
    const changes = { status: { from: 'active', to: 'disabled' } }
    const told = { actor: { type: 'system', id: 'system' }, resource, data: { id, status: 'disabled' }, changes }
    expect(await disabledEvents(tenant)).toMatchObject([told])
    await having(tenant, id, { pending: 2 })
    expect(receiver.calls).toHaveLength(1)
    const paused = await call('POST', `/webhooks/${id}/pause`)
    expect(paused).toMatchObject({ status: 409, body: { code: 'invalid_transition', from: 'disabled' } })

    status = 200
    const enabled: Webhook = await post(`/webhooks/${id}/enable`)
    expect(enabled).toMatchObject({ status: 'active', disabledReason: null, consecutiveFailures: 0 })
    await having(tenant, id, { delivered: 2, pending: 0 })
    const health = await system.db.webhookHealth.findFirst({ where: { webhookId: id } })
    expect(health).toMatchObject({ goneAt: null, failingSince: null })
    expect(await disabledEvents(tenant)).toHaveLength(1)
  })

  test('how a receiver has answered is shown by hour and by day, with the last requests', async () => {
    const { tenant, id, workspaceId } = await subscribed()
    await create(tenant, 'One')
    await having(tenant, id, { delivered: 1 })
    const shown = async (part: string) => must(await tenant.settings('GET', `/webhooks/${id}/${part}`))
    const latency = Array.from({ length: latencyBucketsCount }, (_, n) => (n === 10 ? 7 : 0))
    const counted = { until: new Date().toISOString(), statuses: [4, 0, 1, 0, 2, 3], latency }
    await addWebhookActivity(system.db, [{ workspaceId, webhookId: id, ...counted }])

    for (const [by, periods] of Object.entries({ hour: 48, day: 30 })) {
      const usage = await shown(`usage?by=${by}`)
      const counts = { requests: 10, status2xx: 4, status3xx: 0, status4xx: 1, status429: 0, status5xx: 2, noAnswer: 3 }
      expect(usage).toMatchObject({ object: 'webhook_usage', webhookId: id, total: counts })
      expect(usage.periods).toHaveLength(periods)
      expect(usage.periods.at(-1)).toMatchObject(counts)
      expect(usage.total.p50Ms).toBeGreaterThan(63)
      expect(usage.total.p50Ms).toBeLessThanOrEqual(100)
      expect(usage.periods[0]).toMatchObject({ from: usage.from, requests: 0, noAnswer: 0, p95Ms: null })
    }
    const request = { eventType: 'projects.created', number: 1, trigger: 'automatic', status: 200, errorCode: null }
    expect((await shown('requests')).data).toMatchObject([request])
  })

  test.each([
    ['replaying one of its deliveries', 'POST', (_id: string, delivered: string) => `/deliveries/${delivered}/replay`],
    ['changing its URL', 'PATCH', (id: string) => `/webhooks/${id}`],
  ])('%s ends the rest of an unwell receiver, which its webhook shows', async (_what, method, pathOf) => {
    const { tenant, receiver, id, workspaceId, call, get } = await subscribed()
    await create(tenant, 'One')
    const [{ id: delivered }] = await deliveries(tenant, 'delivered')
    const circuit = { unwell: 5, circuitOpenUntil: new Date(Date.now() + 900_000), circuitSeconds: 900 }
    await system.db.webhookHealth.create({ data: { workspaceId, webhookId: id, consecutiveFailures: 5, ...circuit } })
    const open = { circuit: { state: 'open', openUntil: circuit.circuitOpenUntil.toISOString() } }
    expect(await read(tenant, id)).toMatchObject(open)
    expect((await get('/webhooks')).data).toMatchObject([open])
    await create(tenant, 'Two')
    await deliveries(tenant, 'pending')

    must(await call(method, pathOf(id, delivered), method === 'PATCH' ? { url: `${receiver.url}/moved` } : undefined))

    await deliveries(tenant, 'pending', 0)
    const health = await system.db.webhookHealth.findFirst({ where: { webhookId: id } })
    expect(health).toMatchObject({ circuitOpenUntil: null, circuitSeconds: null, unwell: 0 })
    expect(await read(tenant, id)).toMatchObject({ circuit: { state: 'closed', openUntil: null } })
  })

  test('several services at once disable a webhook once, and none that was paused or deleted meanwhile, though it is about to be tried again', async () => {
    const tenant = await system.tenant()
    const failing = await subscribe(tenant, nowhere, { eventTypes: ['webhooks.disabled'] })
    const [paused, deleted] = [await subscribe(tenant, nowhere), await subscribe(tenant, nowhere)]
    await callsOf(tenant).post(`/webhooks/${paused.id}/pause`)
    await callsOf(tenant).remove(`/webhooks/${deleted.id}`)
    const rest = { unwell: 5, circuitOpenUntil: new Date(0), circuitSeconds: 30 }
    const gone = { ...rest, consecutiveFailures: 30, goneAt: new Date(), goneReason: 'asked' }
    for (const { workspaceId, id: webhookId } of [failing, paused, deleted])
      await system.db.webhookHealth.create({ data: { workspaceId, webhookId, ...gone } })

    await Promise.all([1, 2, 3].map(() => disableGivenUp(changeDeps(system.db))))

    const disabledReason = 'The endpoint asked for it, in a header of its response.'
    expect(await read(tenant, failing.id)).toMatchObject({ status: 'disabled', disabledReason, version: 2 })
    expect(await read(tenant, paused.id)).toMatchObject({ status: 'paused', circuit: { state: 'half_open' } })
    expect(await disabledEvents(tenant)).toMatchObject([{ resource: { id: failing.id } }])
  })

  test('a webhook that moves to another host loses its headers and gets one new secret', async () => {
    await using second = await startReceiver()
    const headers = { 'x-token': 'a secret header' }
    const { tenant, receiver: first, id, secret: old, patch, post } = await subscribed({ headers })
    await create(tenant, 'One')
    const [made] = await deliveries(tenant, 'delivered')
    const at = `/webhooks/${id}`

    const sameHost = await patch(at, { url: `${first.url}/deeper` })
    const moved = await patch(at, { url: second.url })
    const replayed = await post(`/deliveries/${made.id}/replay`)
    const [call] = await second.count(1)

    expect(replayed).toMatchObject({ id: made.id, status: 'pending', origin: 'replay' })
    expect(call!.headers['webhook-id']).toBe(made.id)
    expect(sameHost).toMatchObject({ headerNames: ['x-token'] })
    expect(sameHost).not.toHaveProperty('secret')
    expect(moved).toMatchObject({ headerNames: [], secrets: [{ expiresAt: null }] })
    expect(await read(tenant, id)).not.toHaveProperty('secret')
    expect(call!.headers).not.toHaveProperty('x-token')
    expect([moved.secret, old].map((secret) => verified(call!, secret) !== null)).toEqual([true, false])
    const [entry] = must(await tenant.settings('GET', '/audit-entries?action=webhooks.update')).data
    expect(Object.keys(entry.changes)).toEqual(expect.arrayContaining(['url', 'headerNames', 'secrets', 'grants']))
    expect(JSON.stringify(entry)).not.toContain(moved.secret)

    const back = await patch(at, { url: first.url, headers })
    expect(back).toMatchObject({ headerNames: ['x-token'] })
    expect(back.secret).not.toBe(moved.secret)
  })

  test('a webhook outlives its creator’s key, can be found by that key, and gets no events once its grants are revoked', async () => {
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    const { patch, post } = callsOf(tenant)
    const maker = await tenant.key(['webhooks:write', 'projects:read', 'tasks:read'])
    const eventTypes = ['projects.*', 'tasks.*']
    const made = await subscribe(maker, receiver, { eventTypes })
    must(await tenant.settings('DELETE', `/api-keys/${maker.keyId}`))

    const project = await create(tenant, 'One')
    await deliveries(tenant, 'delivered')
    expect(made.grants).toMatchObject({ scopes: ['projects:read', 'tasks:read'], grantedBy: { id: maker.keyId } })
    const [found] = must(await tenant.settings('GET', `/webhooks?grantedBy=${maker.keyId}`)).data
    expect(found).toMatchObject({ id: made.id })
    const at = `/webhooks/${made.id}`
    const narrowed = must(await tenant.settings('POST', `${at}/revoke-grants`, { scopes: ['tasks:read'] }))
    expect(narrowed.grants).toMatchObject({ scopes: ['projects:read'], grantedBy: { id: maker.keyId } })

    await post('/tasks', { title: 'Ungranted', projectId: project.id })
    await fannedOut(tenant)
    await patch(`/projects/${project.id}`, { name: 'Two' })
    const kinds = (await deliveries(tenant, 'delivered', 2)).map(({ eventType }): string => eventType)
    expect(kinds.toSorted()).toEqual(['projects.created', 'projects.updated'])

    const regranted = must(await tenant.settings('PATCH', at, { eventTypes }))
    expect(regranted.grants).toMatchObject({ scopes: ['projects:read', 'tasks:read'], grantedBy: { id: 'operator' } })
    await post('/tasks', { title: 'Granted', projectId: project.id })
    await deliveries(tenant, 'delivered', 3)
    expect(receiver.calls.map(({ body }) => body.toString()).join()).not.toContain('Ungranted')
  })

  test('revoking grants needs access to the webhook, cancels pending deliveries, and lasts until event types are set', async () => {
    const tenant = await system.tenant()
    const weak = await tenant.key(['webhooks:write', 'projects:read'])
    const eventTypes = ['projects.*', 'tasks.*']
    const { id } = await subscribe(tenant, nowhere, { eventTypes })
    const at = `/webhooks/${id}`
    const { patch, post } = callsOf(tenant)
    const revoke = (body?: object) => post(`${at}/revoke-grants`, body)
    const scopesAfter = async (change: object) => (await patch(at, change)).grants.scopes
    await post(`${at}/pause`)
    const { id: projectId } = await create(tenant, 'One')
    await post('/tasks', { title: 'One', projectId })
    await fannedOut(tenant)

    expect((await callsOf(weak).call('POST', `${at}/revoke-grants`)).status).toBe(403)
    await revoke({ scopes: ['tasks:read'] })
    expect(await deliveriesThatAre(tenant, 'cancelled')).toMatchObject([{ eventType: 'tasks.created' }])
    expect(await deliveriesThatAre(tenant, 'pending')).toMatchObject([{ eventType: 'projects.created' }])
    expect((await revoke({ scopes: ['tasks:read'] })).version).toBe(3)

    for (const change of [{ url: `${nowhere.url}deeper` }, { name: 'Renamed' }])
      expect(await scopesAfter(change)).toEqual(['projects:read'])
    for (const _time of ['once', 'again'])
      expect(await scopesAfter({ eventTypes })).toEqual(['projects:read', 'tasks:read'])
    const { version, grants } = await revoke()
    expect([version, grants.scopes, await deliveriesThatAre(tenant, 'pending')]).toEqual([7, [], []])
  })
})
