// From a write through the gateway to a receiver's socket.
// Operations: deliveries.attempts.
import Stripe from 'stripe'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startReceiver, type ReceivedCall, type Receiver } from '../support/receiver.ts'
import { describeModes, must, sharedSystem, startSystem, type System, type Tenant } from '../support/system.ts'

const subscribe = async (tenant: Tenant, receiver: Receiver, more: object = {}) =>
  must(
    await tenant.api('POST', '/api/v1/webhooks', {
      name: 'Receiver',
      url: receiver.url,
      eventTypes: ['projects.*'],
      ...more,
    }),
  )

const deliveryOf = async (tenant: Tenant, status: string) =>
  eventually(
    async () => must(await tenant.settings('GET', `/deliveries?status=${status}`)).data[0],
    `a delivery that is ${status}`,
  )

const header = ({ headers }: ReceivedCall, system: System, name: string): string =>
  String(headers[`x-${system.settings.brand}-${name}`])

describeModes('webhooks', (mode) => {
  describe('retried after a second, three times', () => {
    const { system } = sharedSystem(mode)

    test('the event of a created project is delivered signed, and three libraries verify it', async () => {
      await using receiver = await startReceiver()
      const tenant = await system.tenant()
      const { secret } = await subscribe(tenant, receiver)

      const project = must(await tenant.api('POST', '/api/v1/projects', { name: 'Ärger mit Ümläuten 🚀' }))

      const [call] = await receiver.count(1)
      const event = JSON.parse(call!.body.toString())
      expect(event).toMatchObject({
        type: 'projects.created',
        workspaceId: tenant.workspaceId,
        data: project,
        resource: { id: project.id, version: 1 },
      })
      expect(header(call!, system, 'event')).toBe('projects.created')
      const signature = header(call!, system, 'signature')
      expect(signature).toMatch(new RegExp(`^t=${header(call!, system, 'signature-timestamp')},v1=[0-9a-f]{64}$`))
      expect(new Stripe('sk_test').webhooks.constructEvent(call!.body, signature, secret)).toMatchObject({
        id: event.id,
      })
      const headers = call!.headers as Record<string, string>
      expect(new StandardWebhook(secret).verify(call!.body.toString(), headers)).toMatchObject({ id: event.id })
      expect(new SvixWebhook(secret).verify(call!.body, headers)).toMatchObject({ id: event.id })
    })

    test('the delivered bytes are those that the feed and the attempt show', async () => {
      await using receiver = await startReceiver()
      const tenant = await system.tenant()
      await subscribe(tenant, receiver)
      must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' }))

      const [call] = await receiver.count(1)
      const delivery = await deliveryOf(tenant, 'delivered')

      const attempts = must(await tenant.api('GET', `/api/v1/deliveries/${delivery.id}/attempts`)).data
      expect(attempts).toMatchObject([
        { number: 1, trigger: 'automatic', outcome: 'success', response: { status: 200, body: 'thanks' } },
      ])
      expect(attempts[0].request.body).toBe(call!.body.toString())
      const signatures = { [`x-${system.settings.brand}-signature`]: '***', 'webhook-signature': '***' }
      const { host: _host, connection: _connection, 'content-length': _length, ...sent } = call!.headers
      expect(attempts[0].request.headers).toEqual({ ...sent, ...signatures })
      expect(must(await tenant.api('GET', `/api/v1/events/${delivery.eventId}`))).toEqual(
        JSON.parse(call!.body.toString()),
      )
    })

    test('a thin payload has no data and no changes, and the attempt shows the same', async () => {
      await using receiver = await startReceiver()
      const tenant = await system.tenant()
      await subscribe(tenant, receiver, { payload: 'thin' })
      must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' }))

      const [call] = await receiver.count(1)
      const { id } = await deliveryOf(tenant, 'delivered')

      const event = JSON.parse(call!.body.toString())
      expect(event).toMatchObject({ type: 'projects.created', resource: { version: 1 } })
      expect(Object.keys(event)).not.toEqual(expect.arrayContaining(['data', 'changes']))
      const [attempt] = must(await tenant.api('GET', `/api/v1/deliveries/${id}/attempts`)).data
      expect(attempt.request.body).toBe(call!.body.toString())
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
      const headers = call!.headers as Record<string, string>
      expect(new StandardWebhook(secret).verify(call!.body.toString(), headers)).toMatchObject({
        id: eventId,
        type: 'tasks.updated',
        test: true,
        data: { object: 'task' },
      })
      expect([header(call!, system, 'event'), headers['webhook-id']]).toEqual(['tasks.updated', deliveryId])
      expect(await deliveryOf(tenant, 'delivered')).toMatchObject({ id: deliveryId, origin: 'test' })
      const [attempt] = must(await tenant.api('GET', `/api/v1/deliveries/${deliveryId}/attempts`)).data
      expect(attempt.request.body).toBe(call!.body.toString())
      expect(attempt.request.headers).toMatchObject({ [`x-${system.settings.brand}-event`]: 'tasks.updated' })
      const events = must(await tenant.api('GET', '/api/v1/events?eventTypes=tasks.*,webhooks.*')).data
      expect(events).toMatchObject([{ id: eventId, type: 'webhooks.test', data: { exampleOf: 'tasks.updated' } }])
      expect(other.calls).toHaveLength(0)
    })

    test('deliveries are found by the request that caused their events', async () => {
      await using receiver = await startReceiver()
      const tenant = await system.tenant()
      await subscribe(tenant, receiver)
      for (const name of ['One', 'Two']) must(await tenant.api('POST', '/api/v1/projects', { name }))
      await receiver.count(2)
      const [event] = must(await tenant.api('GET', '/api/v1/events?eventTypes=projects.*')).data

      const found = must(await tenant.api('GET', `/api/v1/deliveries?requestId=${event.requestId}`)).data

      expect(found.map(({ eventId }: { eventId: string }) => eventId)).toEqual([event.id])
      expect(must(await tenant.settings('GET', '/deliveries?requestId=unknown')).data).toEqual([])
    })

    test('a receiver that fails twice gets a third attempt, with the same delivery id and a new timestamp', async () => {
      await using receiver = await startReceiver([500, 502, 200])
      const tenant = await system.tenant()
      await subscribe(tenant, receiver)

      must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' }))

      const calls = await receiver.count(3)
      const delivery = await deliveryOf(tenant, 'delivered')
      expect(new Set(calls.map((call) => header(call, system, 'delivery-id')))).toEqual(new Set([delivery.id]))
      expect(new Set(calls.map(({ body }) => body.toString())).size).toBe(1)
      const stamps = calls.map((call) => Number(header(call, system, 'signature-timestamp')))
      expect(stamps[2]).toBeGreaterThan(stamps[0]!)
      expect(delivery).toMatchObject({ attemptCount: 3, lastStatusCode: 200 })
    })

    test('only subscribed events of the own workspace are delivered', async () => {
      await using receiver = await startReceiver()
      const [tenant, other] = [await system.tenant(), await system.tenant()]
      await subscribe(tenant, receiver, { eventTypes: ['projects.updated'], filter: { changedFields: ['status'] } })

      const project = must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' }))
      must(await other.api('POST', '/api/v1/projects', { name: 'Other' }))
      must(await tenant.api('PATCH', `/api/v1/projects/${project.id}`, { name: 'Renamed' }))
      must(await tenant.api('PATCH', `/api/v1/projects/${project.id}`, { status: 'active' }))
      must(
        await tenant.api(
          'POST',
          `/api/v1/webhooks/${must(await tenant.api('GET', '/api/v1/webhooks')).data[0].id}/test`,
        ),
      )

      await receiver.count(2)
      const events = receiver.calls.map(({ body }) => JSON.parse(body.toString()))
      expect(events.find(({ type }) => type === 'projects.updated').changes).toEqual({
        status: { from: 'planned', to: 'active' },
      })
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['projects.updated', 'webhooks.test']))
      expect(events).toHaveLength(2)
    })

    test('a filter by fields leaves out updates of others and no other type; one that matches nothing is refused', async () => {
      await using receiver = await startReceiver()
      const tenant = await system.tenant()
      const { id } = await subscribe(tenant, receiver, { filter: { changedFields: ['status'] } })

      const project = must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' }))
      const address = `/api/v1/projects/${project.id}`
      must(await tenant.api('PATCH', address, { name: 'Renamed' }))
      must(await tenant.api('PATCH', address, { status: 'active' }))
      must(await tenant.api('POST', `${address}/comments`, { body: 'Well done' }))
      must(await tenant.api('DELETE', address))

      await receiver.count(4)
      const types = receiver.calls.map(({ body }) => JSON.parse(body.toString()).type)
      expect(new Set(types)).toEqual(
        new Set(['projects.comment_created', 'projects.created', 'projects.deleted', 'projects.updated']),
      )
      const refusals = [
        await tenant.api('POST', '/api/v1/webhooks', {
          name: 'Never',
          url: receiver.url,
          eventTypes: ['tasks.created'],
          filter: { changedFields: ['status'] },
        }),
        await tenant.api('PATCH', `/api/v1/webhooks/${id}`, { filter: { kinds: ['deal'] } }),
        await tenant.api('PATCH', `/api/v1/webhooks/${id}`, { eventTypes: ['projects.created'] }),
      ]
      expect(refusals.map(({ status, body }) => [status, body.errors[0].pointer])).toEqual([
        [422, '/filter/changedFields'],
        [422, '/filter/kinds'],
        [422, '/eventTypes'],
      ])
    })

    test('a paused webhook gets nothing until it is enabled, and then the held deliveries', async () => {
      await using receiver = await startReceiver()
      const tenant = await system.tenant()
      const { id } = await subscribe(tenant, receiver)
      must(await tenant.api('POST', `/api/v1/webhooks/${id}/pause`))
      must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' }))
      expect(await deliveryOf(tenant, 'pending')).toMatchObject({ nextAttemptAt: null, attemptCount: 0 })

      must(await tenant.api('POST', `/api/v1/webhooks/${id}/enable`))

      await receiver.count(1)
      expect(await deliveryOf(tenant, 'delivered')).toMatchObject({ attemptCount: 1 })
    })

    test('after a rotation both secrets verify a delivery, and without overlap only the new one', async () => {
      await using receiver = await startReceiver()
      const tenant = await system.tenant()
      const { id, secret: first } = await subscribe(tenant, receiver)
      const { secret: second } = must(
        await tenant.api('POST', `/api/v1/webhooks/${id}/rotate-secret`, { overlapHours: 1 }),
      )
      must(await tenant.api('POST', '/api/v1/projects', { name: 'One' }))
      const [overlapping] = await receiver.count(1)
      const { secret: third } = must(
        await tenant.api('POST', `/api/v1/webhooks/${id}/rotate-secret`, { overlapHours: 0 }),
      )
      must(await tenant.api('POST', '/api/v1/projects', { name: 'Two' }))
      const [, alone] = await receiver.count(2)

      const verifies = (call: ReceivedCall, secret: string): boolean => {
        try {
          return Boolean(
            new StandardWebhook(secret).verify(call.body.toString(), call.headers as Record<string, string>),
          )
        } catch {
          return false
        }
      }
      expect([first, second].map((secret) => verifies(overlapping!, secret))).toEqual([true, true])
      expect([first, second, third].map((secret) => verifies(alone!, secret))).toEqual([false, false, true])
    })
  })

  describe('retried once', () => {
    let system: System
    beforeAll(async () => {
      system = await startSystem(mode, { retrySchedule: [1] })
    })
    afterAll(() => system?.[Symbol.asyncDispose]())

    test('a delivery that always fails is dead-lettered after the set number of attempts, and can be replayed', async () => {
      let answer = 500
      await using receiver = await startReceiver(() => answer)
      const tenant = await system.tenant()
      await subscribe(tenant, receiver)
      must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' }))

      const dead = await deliveryOf(tenant, 'dead_letter')
      expect(dead).toMatchObject({ attemptCount: 2, maxAttempts: 2, nextAttemptAt: null, lastStatusCode: 500 })
      answer = 200
      const replayed = await tenant.api('POST', `/api/v1/deliveries/${dead.id}/replay`)

      expect(replayed).toMatchObject({ status: 202, body: { id: dead.id, status: 'pending', origin: 'replay' } })
      expect(await deliveryOf(tenant, 'delivered')).toMatchObject({ id: dead.id, attemptCount: 3 })
      const calls = await receiver.count(3)
      expect(new Set(calls.map((call) => header(call, system, 'delivery-id')))).toEqual(new Set([dead.id]))
    })

    test('the operator can do all of it through the settings', async () => {
      let answer = 500
      await using receiver = await startReceiver(() => answer)
      const { settings, api } = await system.tenant()
      const body = { name: 'Receiver', url: receiver.url, eventTypes: ['projects.created'] }
      const webhook = must(await settings('POST', '/webhooks', body))
      expect(must(await settings('PATCH', `/webhooks/${webhook.id}`, { name: 'Renamed' }))).toMatchObject({
        version: 2,
      })
      const { secret } = must(await settings('POST', `/webhooks/${webhook.id}/rotate-secret`, { overlapHours: 0 }))
      must(await api('POST', '/api/v1/projects', { name: 'Website' }))

      const dead = await eventually(
        async () => must(await settings('GET', '/deliveries?status=dead_letter')).data[0],
        'the delivery to be dead-lettered',
      )
      const attempts = must(await settings('GET', `/deliveries/${dead.id}/attempts`)).data
      answer = 200
      must(await settings('POST', `/deliveries/${dead.id}/replay`))

      const [, , third] = await receiver.count(3)
      expect(attempts.map(({ number, outcome }: { number: number; outcome: string }) => [number, outcome])).toEqual([
        [1, 'failed'],
        [2, 'failed'],
      ])
      expect(
        new StandardWebhook(secret).verify(third!.body.toString(), third!.headers as Record<string, string>),
      ).toBeTruthy()
      expect(must(await settings('GET', '/webhooks')).data).toMatchObject([{ id: webhook.id, name: 'Renamed' }])
      must(await settings('DELETE', `/webhooks/${webhook.id}`))
      expect(must(await settings('GET', '/webhooks')).data).toEqual([])
    })
  })

  describe('retried after a minute', () => {
    let system: System
    beforeAll(async () => {
      system = await startSystem(mode, { retrySchedule: [60] })
    })
    afterAll(() => system?.[Symbol.asyncDispose]())

    test('a pending delivery cannot be replayed', async () => {
      await using receiver = await startReceiver([500])
      const tenant = await system.tenant()
      await subscribe(tenant, receiver)
      must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' }))
      const { id } = await deliveryOf(tenant, 'retrying')

      const answer = await tenant.api('POST', `/api/v1/deliveries/${id}/replay`)

      expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_transition', from: 'retrying' } })
    })

    test('deleting a webhook cancels its pending deliveries', async () => {
      await using receiver = await startReceiver([500])
      const tenant = await system.tenant()
      const { id } = await subscribe(tenant, receiver)
      must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' }))
      await deliveryOf(tenant, 'retrying')

      must(await tenant.api('DELETE', `/api/v1/webhooks/${id}`))

      expect(await deliveryOf(tenant, 'cancelled')).toMatchObject({ nextAttemptAt: null })
      expect(await tenant.api('GET', `/api/v1/webhooks/${id}`)).toMatchObject({ status: 404 })
    })
  })
})
