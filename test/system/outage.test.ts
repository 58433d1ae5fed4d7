// The outage of a receiver: what its webhook and its deliveries say while it fails, and what people can do by hand
// before a delivery is given up.
// Operations: webhooks.resume, webhooks.recover, deliveries.replay, deliveries.replay-many.
import { expect, onTestFinished, test } from 'vitest'
import type { Delivery } from '#contract/deliveries.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import { heldUntil } from '#prisma/restore.ts'
import { startDeployment } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { describeMode, modes, sharedSystem, startSystem, type System, type Tenant } from '../support/system.ts'
import { callsOf, told } from './calls.ts'

/** Longer than any test: what failed once is not tried again by itself. */
const retrySchedule = [3_600, 3_600]
const circuitOpensAt = 5

/** A webhook whose receiver answers with what `becomes` has set last, at first 500. */
async function failing(tenant: Tenant, more: object = {}) {
  let status = 500
  const receiver = await startReceiver(() => ({ status, headers: {}, body: `Answered ${status}` }))
  onTestFinished(() => receiver[Symbol.asyncDispose]())
  const { get, post, call } = callsOf(tenant)
  const hook: Webhook = await post('/webhooks', {
    name: 'Ledger',
    url: receiver.url,
    eventTypes: ['projects.*'],
    ...more,
  })
  const deliveries = async (): Promise<Delivery[]> => (await get(`/deliveries?webhookId=${hook.id}&limit=200`)).data
  return {
    receiver,
    call,
    get,
    post,
    id: hook.id,
    read: (): Promise<Webhook> => get(`/webhooks/${hook.id}`),
    becomes: (next: number) => {
      status = next
    },
    write: async (count: number) => {
      for (let n = 0; n < count; n++) await post('/projects', { name: `Project ${n}` })
    },
    deliveries,
    /** Once so many have this status. */
    having: (wanted: string, count: number): Promise<Delivery[]> =>
      eventually(async () => {
        const found = (await deliveries()).filter((each) => each.status === wanted)
        return found.length === count ? found : null
      }, `${count} ${wanted}`),
  }
}

/** Five have failed, so that the circuit is open, and three wait behind it. */
async function inOutage(tenant: Tenant, more: object = {}) {
  const it = await failing(tenant, more)
  await it.write(circuitOpensAt)
  await eventually(async () => (await it.read()).circuit.state === 'open', 'an open circuit')
  await it.having('retrying', circuitOpensAt)
  await it.write(3)
  await it.having('pending', 3)
  return it
}

describeMode('the outage of a receiver', 'distributed', (mode) => {
  async function opened(): Promise<System> {
    const system = await startSystem(mode, { retrySchedule })
    onTestFinished(() => system[Symbol.asyncDispose]())
    return system
  }

  test('is seen on the webhook, its list and each delivery alike: since when, why, what share, and when the next attempt is', async () => {
    const tenant = await (await opened()).tenant()
    const healthy = await failing(tenant, { name: 'Other', eventTypes: ['tasks.*'] })
    const { get, read, id, deliveries } = await inOutage(tenant)

    const webhook = await read()
    const { data: listed } = await get('/webhooks?health=failing')
    const { data: others } = await get('/webhooks?health=healthy')
    const overview = await tenant.settings('GET', '/usage')

    const { openUntil } = webhook.circuit
    expect(webhook).toMatchObject({ status: 'active', circuit: { state: 'open' }, consecutiveFailures: circuitOpensAt })
    expect(webhook.stats24h).toMatchObject({ delivered: 0, failed: 0, pending: 8, retrying: 5 })
    expect(webhook.health).toEqual({
      state: 'failing',
      failingSince: expect.any(String),
      lastStatusCode: 500,
      lastErrorCode: 'http_status',
      nextAttemptAt: openUntil,
      failedShare: 1,
    })
    expect(listed).toEqual([webhook])
    expect(others).toMatchObject([
      { id: healthy.id, health: { state: 'healthy', nextAttemptAt: null, failedShare: null } },
    ])
    expect(overview.body.deliveries).toEqual({ delivered: 0, failed: 0, pending: 8, retrying: 5 })
    const all = await deliveries()
    const waiting = all.filter(({ status }) => status === 'pending')
    expect(waiting.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([openUntil, openUntil, openUntil])
    for (const { nextAttemptAt, status } of all)
      if (status === 'retrying') expect(Date.parse(nextAttemptAt ?? '')).toBeGreaterThan(Date.now() + 2_000_000)
    expect(await get(`/deliveries/${waiting[0]!.id}`)).toEqual(waiting[0])
    expect(id).toBe(webhook.id)
  })

  test('ends with a resume once the receiver is repaired: all that waits is sent, and nothing has lost an attempt', async () => {
    const tenant = await (await opened()).tenant()
    const { becomes, post, id, having, read, receiver } = await inOutage(tenant)
    const before = receiver.calls.length
    becomes(200)

    const resumed: Webhook = await post(`/webhooks/${id}/resume`)

    expect(resumed).toMatchObject({
      circuit: { state: 'closed' },
      health: { state: 'failing' },
      consecutiveFailures: 5,
    })
    expect(Date.parse(resumed.health.nextAttemptAt ?? '')).toBeLessThanOrEqual(Date.now())
    const delivered = await having('delivered', 8)
    expect(delivered.every(({ maxAttempts }) => maxAttempts === retrySchedule.length + 1)).toBe(true)
    expect(receiver.calls.length - before).toBe(8)
    const after = await read()
    expect(after.health).toMatchObject({ state: 'healthy', failingSince: null, lastStatusCode: null, failedShare: 0 })
    const entries = (await tenant.settings('GET', '/audit-entries?action=webhooks.resume')).body.data
    expect(entries).toMatchObject([{ target: { id }, changes: { circuit: { to: { state: 'closed' } } } }])
    expect(Object.keys(entries[0].changes)).toEqual(['circuit'])
  })

  test('while it lasts one delivery can be sent by hand at any time: it goes before all that wait, with its attempts anew', async () => {
    const tenant = await (await opened()).tenant()
    const { becomes, post, having, receiver } = await inOutage(tenant)
    const [newest] = await having('pending', 3)
    const [tried] = await having('retrying', circuitOpensAt)
    const before = receiver.calls.length

    // The receiver still fails: the circuit stays open, and the next resend is sent all the same.
    await post(`/deliveries/${newest!.id}/replay`)
    await eventually(() => receiver.calls.length === before + 1, 'the attempt')
    expect(receiver.calls.at(-1)!.headers['webhook-id']).toBe(newest!.id)
    await having('retrying', circuitOpensAt + 1)
    becomes(200)
    const again = await post(`/deliveries/${tried!.id}/replay`)

    expect(again).toMatchObject({ id: tried!.id, status: 'pending', origin: 'replay', attemptCount: 1, maxAttempts: 4 })
    const delivered = await having('delivered', 3)
    expect(delivered.find(({ id }) => id === tried!.id)).toMatchObject({ attemptCount: 2 })
    expect(receiver.calls[before + 1]!.headers['webhook-id']).toBe(tried!.id)
  })

  test('a selection of what waits is sent again with the circuit open, and a recovery all since a time that was not delivered', async () => {
    const tenant = await (await opened()).tenant()
    const { becomes, post, get, having, id, receiver } = await inOutage(tenant)
    const [one, two] = await having('retrying', circuitOpensAt)
    becomes(200)
    const ended = (job: { readonly id: string }) =>
      eventually(async () => {
        const read = await get(`/deliveries/replay-jobs/${job.id}`)
        return read.endedAt === null ? null : read
      }, 'the end of the job')

    const job = await ended(await post('/deliveries/replay', { filter: { ids: [one!.id, two!.id] } }))
    // The three that were never sent come with them.
    await having('delivered', 5)
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const recovery = await ended(await post(`/webhooks/${id}/recover`, { since }))
    await having('delivered', 8)

    expect(job).toMatchObject({ status: 'completed', total: 2, replayed: 2 })
    const filter = { webhookId: id, createdAfter: since, status: ['pending', 'retrying', 'dead_letter'] }
    expect(recovery).toMatchObject({ status: 'completed', total: 3, replayed: 3, filter })
    expect(receiver.calls.length).toBe(circuitOpensAt + 8)
  })
})

describeMode('by hand, without an outage', 'distributed', (mode) => {
  const { system } = sharedSystem(mode)

  test('two resends at once send once; one of what is being sent brings no second attempt beside it', async () => {
    const answers = Promise.withResolvers<number>()
    const receiver = await startReceiver((_call, number) => (number === 1 ? 200 : answers.promise))
    onTestFinished(() => receiver[Symbol.asyncDispose]())
    const tenant = await system.tenant()
    const { get, post, call } = callsOf(tenant)
    const { id: webhookId } = await post('/webhooks', { name: 'R', url: receiver.url, eventTypes: ['projects.*'] })
    await post('/projects', { name: 'One' })
    const find = async (): Promise<Delivery> => (await get(`/deliveries?webhookId=${webhookId}`)).data[0]
    const { id } = await eventually(
      async () => ((await find())?.status === 'delivered' ? find() : null),
      'the delivery',
    )

    const twice = await Promise.all([1, 2].map(() => call('POST', `/deliveries/${id}/replay`)))
    await receiver.count(2)
    const during = await call('POST', `/deliveries/${id}/replay`)
    answers.resolve(200)
    const delivered = await eventually(
      async () => ((await find()).status === 'delivered' ? find() : null),
      'the resend',
    )

    expect([...twice, during].map(({ status }) => status)).toEqual([202, 202, 202])
    expect(delivered).toMatchObject({ attemptCount: 2 })
    expect(receiver.calls).toHaveLength(2)
  })

  test('a resend, a recovery and a resume of a webhook that gets nothing are refused with what to do; of a healthy one a resume changes nothing', async () => {
    const tenant = await system.tenant()
    const { becomes, call, post, write, having, read, id } = await failing(tenant)
    becomes(200)
    await write(1)
    const [{ id: sent } = { id: '' }] = await having('delivered', 1)
    const healthy = await read()
    const [since, unknown] = [new Date(0).toISOString(), '01890000-0000-7000-8000-000000000000']
    const attempts = async () =>
      Promise.all([
        call('POST', `/deliveries/${sent}/replay`),
        call('POST', `/webhooks/${id}/recover`, { since }),
        call('POST', `/webhooks/${id}/resume`),
      ])

    expect(await post(`/webhooks/${id}/resume`)).toEqual(healthy)
    expect((await tenant.settings('GET', '/audit-entries?action=webhooks.resume')).body.data).toEqual([])
    await post(`/webhooks/${id}/pause`)
    const paused = await attempts()
    await system.db.webhook.updateMany({ where: { id }, data: { status: 'disabled' } })
    const disabled = await attempts()
    await call('DELETE', `/webhooks/${id}`)
    const deleted = await attempts()

    expect(paused.map(told)).toEqual(Array(3).fill('409 invalid_transition'))
    expect(paused.map(({ body }) => body.detail)).toEqual(Array(3).fill('The webhook is paused. Enable it first.'))
    expect(disabled.map(({ body }) => body.detail)).toEqual(Array(3).fill('The webhook is disabled. Enable it first.'))
    expect(deleted.map(told)).toEqual(['409 invalid_transition', '404 not_found', '404 not_found'])
    expect(told(await call('POST', `/webhooks/${unknown}/resume`))).toBe('404 not_found')
    const reader = callsOf(await tenant.key(['webhooks:read', 'projects:read']))
    expect(told(await reader.call('POST', `/webhooks/${id}/resume`))).toBe('403 insufficient_scope')
  })

  test('what is held since a restore is the operator’s to send, one by one and in a selection', async () => {
    const tenant = await system.tenant()
    const { becomes, call, post, get, write, having, id } = await failing(tenant)
    becomes(200)
    await write(1)
    const [{ id: held } = { id: '' }] = await having('delivered', 1)
    await post(`/webhooks/${id}/pause`)
    const data = { status: 'pending', nextAttemptAt: heldUntil, deliveredAt: null, lastErrorCode: 'held_after_restore' }
    await system.db.delivery.updateMany({ where: { id: held }, data })
    await post(`/webhooks/${id}/enable`)

    const one = await call('POST', `/deliveries/${held}/replay`)
    const some = await call('POST', '/deliveries/replay', { filter: { ids: [held] } })

    expect(told(one)).toBe('409 invalid_transition')
    expect(one.body.detail).toContain('until the operator releases it')
    expect(told(some)).toBe('422 validation_failed /filter/ids/0 not_in_list')
    expect(await get(`/deliveries/${held}`)).toMatchObject({ status: 'pending', nextAttemptAt: null })
  })

  test('an ordered delivery keeps its position: its head is sent now, and what waits behind it in its turn', async () => {
    const tenant = await system.tenant()
    const { becomes, post, get, write, having, receiver, deliveries } = await failing(tenant, { order: 'webhook' })
    await write(1)
    const [head] = await having('retrying', 1)
    await write(2)
    const [last] = await having('pending', 2)
    await system.db.delivery.updateMany({ where: { id: head!.id }, data: { nextAttemptAt: new Date('2100-01-01') } })
    becomes(200)

    const behind = await post(`/deliveries/${last!.id}/replay`)
    await post(`/deliveries/${head!.id}/replay`)
    await having('delivered', 3)

    expect(behind).toMatchObject({ status: 'pending', nextAttemptAt: null })
    const sequenceOf = async ({ eventId }: Delivery): Promise<number> => (await get(`/events/${eventId}`)).sequence
    const inOrder = (await deliveries()).toReversed()
    const sequences = await Promise.all(inOrder.map(sequenceOf))
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
    const sent = receiver.calls.map(({ headers }) => headers['webhook-id'])
    expect([...new Set(sent)]).toEqual(inOrder.map(({ id }) => id))
  })
})

test.runIf(modes.includes('distributed'))(
  'a resume reaches all dispatchers: none of them waits for the end of the open time, and each delivery is sent once',
  { timeout: 180_000 },
  async () => {
    await using deployment = await startDeployment({ WEBHOOK_RETRY_SCHEDULE: '3600' })
    await using _one = await deployment.startDispatcher()
    await using _two = await deployment.startDispatcher()
    const { becomes, write, post, id, having, receiver } = await inOutage(await deployment.tenant())
    await write(20)
    await having('pending', 23)
    const before = receiver.calls.length
    becomes(200)

    await post(`/webhooks/${id}/resume`)
    await having('delivered', 28)

    const ids = receiver.calls.slice(before).map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([28, 28])
  },
)
