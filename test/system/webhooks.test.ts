// Webhooks: from a write through the gateway to a receiver's socket, who may do what with them, which events they still
// get, their statistics and lists, and how the system disables them. Retries, dead letters and pauses are seen in
// test/dispatcher.
// Operations: deliveries.attempts, webhooks.enable, webhooks.pause, webhooks.requests, webhooks.revoke-grants,
// webhooks.stats, webhooks.usage.
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { expect, onTestFinished, test } from 'vitest'
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

const get = async ({ api }: Tenant, id: string): Promise<Webhook> => must(await api('GET', `/api/v1/webhooks/${id}`))

const create = async ({ api }: Tenant, name = 'Website') => must(await api('POST', '/api/v1/projects', { name }))

const having = (tenant: Tenant, id: string, wanted: Partial<Stats>) =>
  eventually(
    async () => {
      const webhook = await get(tenant, id)
      const isAsWanted = (Object.keys(wanted) as (keyof Stats)[]).every((at) => webhook.stats24h[at] === wanted[at])
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

  /** A workspace of its own with a webhook, whose receiver answers like this. */
  async function subscribed(more: object = {}, answers?: Parameters<typeof startReceiver>[0]) {
    const receiver = await startReceiver(answers)
    onTestFinished(() => receiver[Symbol.asyncDispose]())
    const tenant = await system.tenant()
    return { receiver, tenant, ...(await subscribe(tenant, receiver, more)) }
  }
  /** Whatever has happened is on its way to whoever gets it. */
  const fannedOut = ({ workspaceId }: Tenant) =>
    eventually(async () => (await system.db.outbox.count({ where: { workspaceId } })) === 0, 'the outbox to be empty')

  const header = ({ headers }: ReceivedCall, name: string) => String(headers[`x-${system.settings.brand}-${name}`])

  test.each(['full', 'thin'])(
    'a created project is delivered %s and signed, to three libraries, as the attempt shows',
    async (payload) => {
      const { tenant, receiver, secret, workspaceId } = await subscribed({ payload })

      const project = await create(tenant, 'Ärger mit Ümläuten 🚀')
      const [call] = await receiver.count(1)
      const delivery = await deliveryThatIs(tenant, 'delivered')

      const { data, changes, ...thin } = must(await tenant.api('GET', `/api/v1/events/${delivery.eventId}`))
      expect(thin).toMatchObject({ type: 'projects.created', workspaceId, resource: { id: project.id, version: 1 } })
      expect(data).toEqual(project)
      expect(eventIn(call!)).toEqual(payload === 'full' ? { ...thin, data, changes } : thin)
      expect(header(call!, 'event')).toBe('projects.created')
      const signature = header(call!, 'signature')
      expect(signature).toMatch(new RegExp(`^t=${header(call!, 'signature-timestamp')},v1=[0-9a-f]{64}$`))
      for (const read of [
        new Stripe('sk_test').webhooks.constructEvent(call!.body, signature, secret),
        verified(call!, secret),
        new SvixWebhook(secret).verify(call!.body, call!.headers as Record<string, string>),
      ])
        expect(read).toMatchObject({ id: delivery.eventId })
      const [attempt, ...others] = must(await tenant.api('GET', `/api/v1/deliveries/${delivery.id}/attempts`)).data
      const response = { status: 200, body: 'thanks' }
      expect(others).toEqual([])
      expect(attempt).toMatchObject({ number: 1, trigger: 'automatic', outcome: 'success', response })
      expect(attempt.request.body).toBe(call!.body.toString())
      const signatures = { [`x-${system.settings.brand}-signature`]: '***', 'webhook-signature': '***' }
      const { host: _host, connection: _connection, 'content-length': _length, ...sent } = call!.headers
      expect(attempt.request.headers).toEqual({ ...sent, ...signatures })
    },
  )

  test('a test of a kind delivers a signed example of it to that webhook alone, and stays a test for all others', async () => {
    const { tenant, receiver: other } = await subscribed({ eventTypes: ['projects.*', 'tasks.*'] })
    await using receiver = await startReceiver()
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
    const { tenant, receiver, id } = await subscribed()
    const webhookIds = [id, (await subscribe(tenant, receiver)).id]
    for (const name of ['One', 'Two']) await create(tenant, name)
    await receiver.count(4)
    const [event] = must(await tenant.api('GET', '/api/v1/events?eventTypes=projects.*')).data
    const found = async (query: string): Promise<string[]> => {
      const { data } = must(await tenant.api('GET', `/api/v1/deliveries?${query}`))
      return data.map(({ eventId, webhookId }: Answer['body']) => `${eventId} ${webhookId}`)
    }

    const wanted = new Set(webhookIds.map((each) => `${event.id} ${each}`))
    expect(new Set(await found(`eventId=${event.id}`))).toEqual(wanted)
    expect(new Set(await found(`requestId=${event.requestId}`))).toEqual(wanted)
    expect(must(await tenant.settings('GET', '/deliveries?requestId=unknown')).data).toEqual([])
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
    const { secret } = must(await sync.api('POST', '/api/v1/me/rotate'))
    await change(sync, { status: 'completed' }, { authorization: `Bearer ${secret}` })
    await change(tenant, { status: 'active' })
    must(await tenant.api('POST', `/api/v1/webhooks/${id}/test`))

    const events = (await receiver.count(2)).map(eventIn)
    // Events are fanned out in any order.
    await fannedOut(tenant)
    expect(ignoredKeyIds).toEqual([sync.keyId])
    expect(events.map(({ type }): string => type).toSorted()).toEqual(['projects.updated', 'webhooks.test'])
    const changes = { status: { from: 'completed', to: 'active' } }
    expect(events.find(({ type }) => type === 'projects.updated')).toMatchObject({ changes })
    expect(await system.db.delivery.count({ where: { webhookId: id } })).toBe(2)
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

  test('a delivery that will be tried again cannot be replayed, and is cancelled when its webhook is deleted', async () => {
    const later = { status: 503, headers: { 'retry-after': '60' } }
    const { tenant, id: webhookId } = await subscribed({}, () => later)
    await create(tenant)
    const { id } = await deliveryThatIs(tenant, 'retrying')

    const replayed = await tenant.api('POST', `/api/v1/deliveries/${id}/replay`)
    must(await tenant.settings('DELETE', `/webhooks/${webhookId}`))

    expect(replayed).toMatchObject({ status: 409, body: { code: 'invalid_transition', from: 'retrying' } })
    expect(await deliveryThatIs(tenant, 'cancelled')).toMatchObject({ id, nextAttemptAt: null })
    expect((await tenant.api('GET', `/api/v1/webhooks/${webhookId}`)).status).toBe(404)
  })

  test('a webhook shows its workspace statistics of the last day, and none of before, alone, in the list and by the hour', async () => {
    let status = 200
    const headers = { [`x-${system.settings.brand}-webhook`]: 'abort' }
    const { tenant, receiver, id, stats24h } = await subscribed({}, () => ({ status, headers }))
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
    expect(list.data).toMatchObject([
      { id: quiet.id, stats24h: nothing },
      { id, stats24h: all },
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
    const made: Record<string, string> = {}
    for (const each of ['projects.created', 'projects.*', '*', 'api-keys.created'])
      made[each] = (await subscribe(tenant, nowhere, { name: each, eventTypes: [each] })).id
    must(await tenant.api('POST', `/api/v1/webhooks/${made['projects.*']}/pause`))

    for (const [query, names] of [
      ['eventTypes=projects.created', ['*', 'projects.*', 'projects.created']],
      ['eventTypes=api-keys.created', ['api-keys.created', '*']],
      ['eventTypes=api-keys.created,projects.created', ['api-keys.created', '*', 'projects.*', 'projects.created']],
      ['status=paused', ['projects.*']],
      ['status=active,disabled&eventTypes=projects.deleted', ['*']],
    ] as const) {
      const { data } = must(await tenant.api('GET', `/api/v1/webhooks?${query}`))
      expect([query, data.map(({ name }: Webhook) => name)]).toEqual([query, names])
    }
  })

  test('a filter is kept as it was given, one that can match nothing is refused by the field that is changed; an address is judged before', async () => {
    const tenant = await system.tenant()
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
    ] as const) {
      const refused = await tenant.api(method, `/api/v1/webhooks${path}`, sent)
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, pointer])
    }
    const taken = { object: 'url_check', url: 'https://hooks.acme.example/a%20b', problem: null }
    expect(await check('https://Hooks.Acme.example/a b')).toEqual(taken)
    expect(await check('hooks.acme')).toEqual({ ...taken, url: null, problem: 'Is not an absolute URL.' })
    expect((await check('https://10.0.0.1/')).problem).toBe('Must not lie on a private or reserved address.')
  })

  test('a receiver that answers 410 gets its webhook disabled with one event; enabled again, it gets the held deliveries', async () => {
    let status = 410
    const { tenant, receiver, id } = await subscribed({}, () => status)
    await create(tenant, 'One')

    const disabled = await eventually(async () => {
      const webhook = await get(tenant, id)
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
    const { tenant, id, workspaceId } = await subscribed()
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
    const request = { eventType: 'projects.created', number: 1, trigger: 'automatic', status: 200, errorCode: null }
    expect(data).toMatchObject([request])
    const other = await system.tenant()
    for (const part of ['usage', 'requests'])
      expect((await other.settings('GET', `/webhooks/${id}/${part}`)).status).toBe(404)
  })

  test.each([
    ['replaying one of its deliveries', 'POST', (_id: string, delivered: string) => `/deliveries/${delivered}/replay`],
    ['changing its URL', 'PATCH', (id: string) => `/webhooks/${id}`],
  ])('%s ends the rest of an unwell receiver, which its webhook shows', async (_what, method, pathOf) => {
    const { tenant, receiver, id, workspaceId } = await subscribed()
    await create(tenant, 'One')
    await having(tenant, id, { delivered: 1 })
    const { id: delivered } = await system.db.delivery.findFirstOrThrow({ where: { webhookId: id } })
    const circuit = { unwell: 5, circuitOpenUntil: new Date(Date.now() + 900_000), circuitSeconds: 900 }
    await system.db.webhookHealth.create({ data: { workspaceId, webhookId: id, consecutiveFailures: 5, ...circuit } })
    const open = { circuit: { state: 'open', openUntil: circuit.circuitOpenUntil.toISOString() } }
    expect(await get(tenant, id)).toMatchObject(open)
    expect(must(await tenant.api('GET', '/api/v1/webhooks')).data).toMatchObject([open])
    await create(tenant, 'Two')
    const waiting = () => system.db.delivery.count({ where: { webhookId: id, status: 'pending' } })
    await eventually(async () => (await waiting()) === 1, 'a delivery that waits')

    const body = method === 'PATCH' ? { url: `${receiver.url}/moved` } : undefined
    must(await tenant.api(method, `/api/v1${pathOf(id, delivered)}`, body))

    await eventually(async () => (await waiting()) === 0, 'nothing to wait')
    const health = await system.db.webhookHealth.findFirst({ where: { webhookId: id } })
    expect(health).toMatchObject({ circuitOpenUntil: null, circuitSeconds: null, unwell: 0 })
    expect(await get(tenant, id)).toMatchObject({ circuit: { state: 'closed', openUntil: null } })
  })

  test('several services at once disable a webhook once, and none that was paused or deleted meanwhile, though it is about to be tried again', async () => {
    const tenant = await system.tenant()
    const failing = await subscribe(tenant, nowhere, { eventTypes: ['webhooks.disabled'] })
    const [paused, deleted] = [await subscribe(tenant, nowhere), await subscribe(tenant, nowhere)]
    must(await tenant.api('POST', `/api/v1/webhooks/${paused.id}/pause`))
    must(await tenant.api('DELETE', `/api/v1/webhooks/${deleted.id}`))
    const rest = { unwell: 5, circuitOpenUntil: new Date(0), circuitSeconds: 30 }
    const gone = { ...rest, consecutiveFailures: 30, goneAt: new Date(), goneReason: 'failing' }
    for (const { workspaceId, id: webhookId } of [failing, paused, deleted])
      await system.db.webhookHealth.create({ data: { workspaceId, webhookId, ...gone } })

    await Promise.all([1, 2, 3].map(() => disableGivenUp(changeDeps(system.db))))

    expect(await get(tenant, failing.id)).toMatchObject({ status: 'disabled', version: 2 })
    expect(await get(tenant, paused.id)).toMatchObject({ status: 'paused', circuit: { state: 'half_open' } })
    expect(await disabledEvents(tenant)).toMatchObject([{ resource: { id: failing.id } }])
  })

  test('a key that may write webhooks and read nothing else can neither read nor change them', async () => {
    await using thief = await startReceiver()
    const { tenant, receiver, id } = await subscribed({ headers: { 'x-token': 'a secret header' } })
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
    await using second = await startReceiver()
    const headers = { 'x-token': 'a secret header' }
    const { tenant, receiver: first, id, secret: old } = await subscribed({ headers })
    await create(tenant, 'One')
    const [made] = await delivered(tenant, 1)
    const at = `/api/v1/webhooks/${id}`

    const sameHost = must(await tenant.api('PATCH', at, { url: `${first.url}/deeper` }))
    const moved = must(await tenant.api('PATCH', at, { url: second.url }))
    const replayed = must(await tenant.api('POST', `/api/v1/deliveries/${made.id}/replay`))
    const [call] = await second.count(1)

    expect(replayed).toMatchObject({ id: made.id, status: 'pending', origin: 'replay' })
    expect(call!.headers['webhook-id']).toBe(made.id)
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
})
