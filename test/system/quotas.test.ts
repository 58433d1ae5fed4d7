// What a workspace may hold at most: who sets it, where it is shown, and what happens when it is used up.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { quotaNames, standardQuotas, type QuotaName } from '#contract/quotas.ts'
import { highestQuotaUse } from '../../service/execution/quotas.ts'
import { describeModes, must, startSystem, type System, type Tenant } from '../support/system.ts'

describeModes('quotas', (mode) => {
  let system: System
  beforeAll(async () => void (system = await startSystem(mode)))
  afterAll(() => system?.[Symbol.asyncDispose]())

  const settings = (tenant: Tenant) => `/settings/api/workspaces/${tenant.workspaceId}`
  const setQuotas = async (tenant: Tenant, quotas: Partial<Record<QuotaName, number | null>>) =>
    must(await system.operator('PATCH', settings(tenant), { quotas }))
  const current = async (tenant: Tenant) => must(await tenant.api('GET', '/api/v1/workspaces/current'))
  const usedBy = async (tenant: Tenant, name: QuotaName): Promise<number> => (await current(tenant)).usage[name]
  const refusal = (quota: QuotaName) => ({ status: 409, body: { code: 'quota_reached', quota } })

  test('are the same for every workspace until the operator sets others, and null sets them back', async () => {
    const tenant = await system.tenant()

    const [before, set] = [await current(tenant), await setQuotas(tenant, { webhooks: 7, objects: 0 })]
    const back = await setQuotas(tenant, { webhooks: null, objects: null })

    expect(before.quotas).toEqual(standardQuotas)
    expect(Object.keys(before.usage)).toEqual(quotaNames)
    expect(set).toMatchObject({ quotas: { ...standardQuotas, webhooks: 7, objects: 0 }, limits: { webhooks: 7 } })
    expect(back).toMatchObject({ quotas: standardQuotas, version: set.version + 1 })
    expect((await setQuotas(tenant, { webhooks: null })).version).toBe(back.version)
  })

  test('are the operator’s to set: an admin is refused, and so are an unknown quota and one below zero', async () => {
    const tenant = await system.tenant()

    const byKey = await tenant.api('PATCH', '/api/v1/workspaces/current', { quotas: { objects: 5 } })
    const unknown = await system.operator('PATCH', settings(tenant), { quotas: { tasks: 5 } })
    const negative = await system.operator('PATCH', settings(tenant), { quotas: { objects: -1 } })

    expect(byKey).toMatchObject({ status: 422, body: { errors: [{ pointer: '/quotas' }] } })
    expect(unknown).toMatchObject({ status: 422, body: { errors: [{ pointer: '/quotas/tasks' }] } })
    expect(negative).toMatchObject({ status: 422, body: { errors: [{ pointer: '/quotas/objects' }] } })
  })

  test('objects: rows of all collections and comments count; in a batch what fits is made and the rest refused', async () => {
    const tenant = await system.tenant()
    const project = must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' }))
    const task = must(await tenant.api('POST', '/api/v1/tasks', { projectId: project.id, title: 'x' }))
    await setQuotas(tenant, { objects: 5 })

    const comment = await tenant.api('POST', `/api/v1/tasks/${task.id}/comments`, { body: 'Hello' })
    const item = { action: 'create', data: { projectId: project.id, title: 'y' } }
    const batch = must(await tenant.api('POST', '/api/v1/tasks/batch', { items: [item, item, item] }))
    const further = await Promise.all([
      tenant.api('POST', '/api/v1/crm-entities', { kind: 'company', name: 'Acme' }),
      tenant.api('PUT', '/api/v1/projects/by-external-id/erp/1', { name: 'x' }),
      tenant.api('POST', `/api/v1/projects/${project.id}/comments`, { body: 'Hello' }),
    ])

    expect(comment.status).toBe(201)
    expect(batch.results.map(({ status }: { status: number }) => status)).toEqual([201, 201, 409])
    expect(batch.results[2].problem).toMatchObject({ code: 'quota_reached', quota: 'objects' })
    for (const answer of further) expect(answer).toMatchObject(refusal('objects'))
    expect(await usedBy(tenant, 'objects')).toBe(5)
    expect((await highestQuotaUse(system.db)).objects).toBe(1)
    // What is there can still be changed and deleted.
    must(await tenant.api('PATCH', `/api/v1/tasks/${task.id}`, { title: 'z' }))
    must(await tenant.api('DELETE', `/api/v1/tasks/${task.id}`))
  })

  test('rows that go for good are counted no more, however many go at once', async () => {
    const tenant = await system.tenant()
    const create = { action: 'create', data: { name: 'x' } }
    must(await tenant.api('POST', '/api/v1/projects/batch', { items: [create, create, create] }))
    const { workspaceId } = tenant

    const before = await usedBy(tenant, 'objects')
    await system.db.project.deleteMany({ where: { workspaceId } })

    expect([before, await usedBy(tenant, 'objects')]).toEqual([3, 0])
  })

  test('a refused create takes nothing, and neither does a dry run or a batch that is rolled back', async () => {
    const tenant = await system.tenant()
    await setQuotas(tenant, { objects: 2 })
    const create = { action: 'create', data: { name: 'x' } }

    await tenant.api('POST', '/api/v1/projects', { name: '' })
    await tenant.api('POST', '/api/v1/projects?dryRun=true', { name: 'x' })
    const atomic = await tenant.api('POST', '/api/v1/projects/batch', { atomic: true, items: [create, create, create] })

    expect(atomic).toMatchObject({ status: 422, body: { code: 'batch_failed' } })
    expect(await usedBy(tenant, 'objects')).toBe(0)
  })

  test('bytes of documents: what a change adds counts, in UTF-8, and erasing one gives its bytes back', async () => {
    const tenant = await system.tenant()
    await setQuotas(tenant, { documentBytes: 10 })
    const post = (content: string) => tenant.api('POST', '/api/v1/documents', { title: 'x', content })
    const { id } = must(await post('äöü'))
    const path = `/api/v1/documents/${id}`

    const [tooMany, grown] = [await post('12345'), await tenant.api('PATCH', path, { content: '0123456789' })]
    const overgrown = await tenant.api('PATCH', path, { content: '0123456789a' })
    const other = await tenant.api('PATCH', path, { title: 'y' })

    expect(tooMany).toMatchObject(refusal('documentBytes'))
    expect([grown.status, other.status]).toEqual([200, 200])
    expect(overgrown).toMatchObject(refusal('documentBytes'))
    expect(await usedBy(tenant, 'documentBytes')).toBe(10)
    must(await tenant.api('DELETE', path))
    must(await tenant.api('POST', `${path}/purge`))
    expect(await usedBy(tenant, 'documentBytes')).toBe(0)
  })

  test('events of a day: keys are refused, people are not, and the next day begins at zero', async () => {
    const tenant = await system.tenant()
    const { id } = must(await tenant.api('POST', '/api/v1/projects', { name: 'a' }))
    must(await tenant.api('POST', '/api/v1/projects', { name: 'b' }))
    await setQuotas(tenant, { eventsPerDay: await usedBy(tenant, 'eventsPerDay') })

    const byKey = await tenant.api('PATCH', `/api/v1/projects/${id}`, { name: 'c' })
    const read = await tenant.api('GET', `/api/v1/projects/${id}`)
    const key = await system.operator('POST', `${settings(tenant)}/api-keys`, { name: 'x', scopes: ['projects:read'] })
    await system.db.eventSequence.update({
      where: { workspaceId: tenant.workspaceId },
      data: { day: new Date(Date.now() - 86_400_000) },
    })
    const nextDay = await tenant.api('PATCH', `/api/v1/projects/${id}`, { name: 'd' })

    expect(byKey).toMatchObject(refusal('eventsPerDay'))
    expect([read.status, key.status, nextDay.status]).toEqual([200, 201, 200])
    expect(await usedBy(tenant, 'eventsPerDay')).toBe(1)
  })

  test('keys, webhooks, members, invitations and custom fields are refused when there are as many as may be', async () => {
    const tenant = await system.tenant()
    const under = settings(tenant)
    const member = must(
      await system.operator('POST', `${under}/members`, { name: 'Anna', email: 'anna@example.com', role: 'member' }),
    )
    const other = must(
      await system.operator('POST', `${under}/members`, { name: 'Bob', email: 'bob@example.com', role: 'member' }),
    )
    const invite = (memberId: string) => system.operator('POST', `${under}/invitations`, { memberId })
    must(await invite(member.id))
    const { usage } = await current(tenant)
    const { apiKeys, webhooks, members, invitations, customFields } = usage
    await setQuotas(tenant, { apiKeys, webhooks, members, invitations, customFields })

    const key = await system.operator('POST', `${under}/api-keys`, { name: 'x', scopes: ['projects:read'] })
    const webhook = await tenant.api('POST', '/api/v1/webhooks', {
      name: 'x',
      url: 'https://example.com/',
      eventTypes: ['projects.*'],
    })
    const third = await system.operator('POST', `${under}/members`, {
      name: 'C',
      email: 'c@example.com',
      role: 'member',
    })
    const [again, invited] = [await invite(member.id), await invite(other.id)]
    const field = await tenant.api('POST', '/api/v1/custom-fields', {
      target: 'task',
      key: 'a',
      label: 'A',
      type: 'text',
    })

    expect({ apiKeys, webhooks, members, invitations, customFields }).toEqual({
      apiKeys: 1,
      webhooks: 0,
      members: 3,
      invitations: 1,
      customFields: 0,
    })
    expect(key).toMatchObject(refusal('apiKeys'))
    expect(webhook).toMatchObject(refusal('webhooks'))
    expect(third).toMatchObject(refusal('members'))
    expect(invited).toMatchObject(refusal('invitations'))
    expect(field).toMatchObject(refusal('customFields'))
    // A new invitation takes the place of the one that the member had.
    expect(again.status).toBe(200)
  })
})
