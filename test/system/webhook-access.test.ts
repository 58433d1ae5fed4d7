// Who may do what with webhooks and deliveries, and which events a webhook still gets.
// Operations: webhooks.revoke-grants.
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { methodOf, type Operation } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import type { Scope } from '#contract/scopes.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver, type ReceivedCall, type Receiver } from '../support/receiver.ts'
import { sampleInput } from '../support/sample-value.ts'
import { describeModes, must, sharedSystem, type System, type Tenant } from '../support/system.ts'

const hidden = 'The secret project'
const lists = new Set(['webhooks.list', 'deliveries.list'])
const isAsked = ({ name, audiences }: Operation): boolean =>
  /^(webhooks|deliveries)\./.test(name) && audiences.includes('api') && name !== 'webhooks.create'

const subscribe = async (tenant: Tenant, { url }: Receiver, more: object = {}) =>
  must(await tenant.api('POST', '/api/v1/webhooks', { name: 'Receiver', url, eventTypes: ['projects.*'], ...more }))

const deliveries = async (tenant: Tenant, status: string) =>
  must(await tenant.settings('GET', `/deliveries?status=${status}`)).data

const delivered = (tenant: Tenant, count: number) =>
  eventually(async () => {
    const found = await deliveries(tenant, 'delivered')
    return found.length === count ? found : null
  }, `${count} delivered`)

/** Whatever has happened is on its way to whoever gets it. */
const fannedOut = (system: System, { workspaceId }: Tenant) =>
  eventually(
    async () => ((await system.db.outbox.count({ where: { workspaceId } })) === 0 ? true : null),
    'the outbox to be empty',
  )

const verifies = ({ body, headers }: ReceivedCall, secret: string): boolean => {
  try {
    return Boolean(new StandardWebhook(secret).verify(body.toString(), headers as Record<string, string>))
  } catch {
    return false
  }
}

describeModes('access to webhooks', (mode) => {
  const { system } = sharedSystem(mode)

  test('a key that may write webhooks and read nothing else can neither read nor change them', async () => {
    await using receiver = await startReceiver()
    await using thief = await startReceiver()
    const tenant = await system.tenant()
    const { id } = await subscribe(tenant, receiver, { headers: { 'x-token': 'a secret header' } })
    must(await tenant.api('POST', '/api/v1/projects', { name: hidden }))
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
    const entry = await eventually(
      async () => must(await tenant.settings('GET', '/audit-entries?outcome=denied&action=webhooks.update')).data[0],
      'the refusal in the audit log',
    )
    expect(entry).toMatchObject({ code: 'insufficient_scope', actor: { id: weak.keyId } })
  })

  test('a webhook that moves to another host loses its headers and gets one new secret', async () => {
    await using first = await startReceiver()
    await using second = await startReceiver()
    const tenant = await system.tenant()
    const headers = { 'x-token': 'a secret header' }
    const { id, secret: old } = await subscribe(tenant, first, { headers })
    must(await tenant.api('POST', '/api/v1/projects', { name: 'One' }))
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
    expect([verifies(call!, moved.secret), verifies(call!, old)]).toEqual([true, false])
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

    const project = must(await tenant.api('POST', '/api/v1/projects', { name: 'One' }))
    await delivered(tenant, 1)
    expect(made.grants).toMatchObject({ scopes: ['projects:read', 'tasks:read'], grantedBy: { id: maker.keyId } })
    const [found] = must(await tenant.settings('GET', `/webhooks?grantedBy=${maker.keyId}`)).data
    expect(found).toMatchObject({ id: made.id })
    const at = `/webhooks/${made.id}`
    const narrowed = must(await tenant.settings('POST', `${at}/revoke-grants`, { scopes: ['tasks:read'] }))
    expect(narrowed.grants).toMatchObject({ scopes: ['projects:read'], grantedBy: { id: maker.keyId } })

    must(await tenant.api('POST', '/api/v1/tasks', { title: 'Ungranted', projectId: project.id }))
    await fannedOut(system, tenant)
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
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    const weak = await tenant.key(['webhooks:write', 'projects:read'])
    const eventTypes = ['projects.*', 'tasks.*']
    const { id } = await subscribe(tenant, receiver, { eventTypes })
    const at = `/api/v1/webhooks/${id}`
    const patched = async (patch: object) => must(await tenant.api('PATCH', at, patch))
    must(await tenant.api('POST', `${at}/pause`))
    const { id: projectId } = must(await tenant.api('POST', '/api/v1/projects', { name: 'One' }))
    must(await tenant.api('POST', '/api/v1/tasks', { title: 'One', projectId }))
    await fannedOut(system, tenant)

    expect(await weak.api('POST', `${at}/revoke-grants`)).toMatchObject({ status: 403 })
    must(await tenant.api('POST', `${at}/revoke-grants`, { scopes: ['tasks:read'] }))
    expect(await deliveries(tenant, 'cancelled')).toMatchObject([{ eventType: 'tasks.created' }])
    expect(await deliveries(tenant, 'pending')).toMatchObject([{ eventType: 'projects.created' }])
    expect(must(await tenant.api('POST', `${at}/revoke-grants`, { scopes: ['tasks:read'] })).version).toBe(3)

    expect((await patched({ url: `${receiver.url}/deeper` })).grants.scopes).toEqual(['projects:read'])
    expect((await patched({ name: 'Renamed' })).grants.scopes).toEqual(['projects:read'])
    expect(await patched({ eventTypes })).toMatchObject({
      version: 6,
      grants: { scopes: ['projects:read', 'tasks:read'] },
    })
    expect((await patched({ eventTypes })).version).toBe(6)
    expect(must(await tenant.api('POST', `${at}/revoke-grants`)).grants.scopes).toEqual([])
    expect(await deliveries(tenant, 'pending')).toEqual([])
  })

  test('a secret in a kept answer is not returned to a key that has lost scopes since', async () => {
    await using receiver = await startReceiver()
    const tenant = await system.tenant()
    const held: Scope[] = ['webhooks:write', 'projects:read']
    const maker = await tenant.key(held)
    const body = { name: 'Receiver', url: receiver.url, eventTypes: ['projects.*'] }
    const create = () => maker.api('POST', '/api/v1/webhooks', body, { 'idempotency-key': 'once' })
    const limit = async (scopes: Scope[]) =>
      must(await tenant.settings('PATCH', `/api-keys/${maker.keyId}`, { scopes }))
    const first = await create()

    await limit(['webhooks:write'])
    const narrowed = await eventually(async () => {
      const answer = await create()
      return answer.status === 403 ? answer : null
    }, 'the gateway to know of the change')
    await limit(held)
    const again = await eventually(async () => {
      const answer = await create()
      return answer.status === 201 ? answer : null
    }, 'the gateway to know of the change')

    expect(narrowed.body).toMatchObject({ code: 'insufficient_scope', requiredScopes: ['projects:read'] })
    expect(JSON.stringify(narrowed.body)).not.toContain(first.body.secret)
    expect(again.body).toEqual(first.body)
    expect(must(await tenant.api('GET', '/api/v1/webhooks')).data).toHaveLength(1)
  })
})
