// What a workspace may hold at most: who sets it, where it is shown, and what happens when it is used up.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { quotaNames, standardQuotas, type QuotaName } from '#contract/quotas.ts'
import { highestQuotaUse } from '../../service/execution/quotas.ts'
import { describeMode, modes, must, startSystem, type System, type Tenant } from '../support/system.ts'

const item = (data: object) => ({ action: 'create', data })

describeMode('quotas', modes.at(-1) ?? 'standalone', (mode) => {
  let system: System
  let tenant: Tenant
  // Of its own: the highest use of all workspaces is looked at.
  beforeAll(async () => {
    system = await startSystem(mode)
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  /** In a workspace of its own, with these quotas. */
  async function withQuotas(quotas: Partial<Record<QuotaName, number | null>>): Promise<void> {
    tenant = await system.tenant()
    await setQuotas(quotas)
  }
  const setQuotas = async (quotas: Partial<Record<QuotaName, number | null>>) =>
    must(await tenant.settings('PATCH', '', { quotas }))
  const current = async () => must(await tenant.api('GET', '/api/v1/workspaces/current'))
  const usedBy = async (name: QuotaName): Promise<number> => (await current()).usage[name]
  const post = (path: string, body: object) => tenant.api('POST', `/api/v1/${path}`, body)
  const refusal = (quota: QuotaName) => ({ status: 409, body: { code: 'quota_reached', quota } })

  test('are the same for every workspace until the operator sets others, and null sets them back', async () => {
    await withQuotas({})

    const [before, set] = [await current(), await setQuotas({ webhooks: 7, objects: 0 })]
    const back = await setQuotas({ webhooks: null, objects: null })

    expect(before.quotas).toEqual(standardQuotas)
    expect(Object.keys(before.usage)).toEqual(quotaNames)
    expect(set).toMatchObject({ quotas: { ...standardQuotas, webhooks: 7, objects: 0 }, limits: { webhooks: 7 } })
    expect(back).toMatchObject({ quotas: standardQuotas, version: set.version + 1 })
    expect((await setQuotas({ webhooks: null })).version).toBe(back.version)
  })

  test('objects: rows of all collections and comments count, until they go for good, and nothing that was refused; in a batch what fits is made', async () => {
    await withQuotas({})
    const project = must(await post('projects', { name: 'Website' }))
    const task = must(await post('tasks', { projectId: project.id, title: 'x' }))
    await setQuotas({ objects: 5 })

    await post('projects', { name: '' })
    await post('projects?dryRun=true', { name: 'x' })
    const four = [1, 2, 3, 4].map(() => item({ name: 'x' }))
    const atomic = await post('projects/batch', { atomic: true, items: four })
    const comment = await post(`tasks/${task.id}/comments`, { body: 'Hello' })
    const one = item({ projectId: project.id, title: 'y' })
    const { results } = must(await post('tasks/batch', { items: [one, one, one] }))
    const further = await Promise.all([
      post('crm-entities', { kind: 'company', name: 'Acme' }),
      tenant.api('PUT', '/api/v1/projects/by-external-id/erp/1', { name: 'x' }),
      post(`projects/${project.id}/comments`, { body: 'Hello' }),
    ])

    expect(atomic).toMatchObject({ status: 422, body: { code: 'batch_failed' } })
    expect(comment.status).toBe(201)
    const last = { status: 409, problem: { code: 'quota_reached', quota: 'objects' } }
    expect(results).toMatchObject([{ status: 201 }, { status: 201 }, last])
    for (const answer of further) expect(answer).toMatchObject(refusal('objects'))
    expect(await usedBy('objects')).toBe(5)
    expect((await highestQuotaUse(system.db)).objects).toBe(1)
    // What is there can still be changed and deleted.
    must(await tenant.api('PATCH', `/api/v1/tasks/${task.id}`, { title: 'z' }))
    must(await tenant.api('DELETE', `/api/v1/tasks/${task.id}`))
    await system.db.task.deleteMany({ where: { workspaceId: tenant.workspaceId } })
    expect(await usedBy('objects')).toBe(1)
  })

  test('bytes of documents: what a change adds counts, in UTF-8, and erasing one gives its bytes back', async () => {
    await withQuotas({ documentBytes: 10 })
    const make = (content: string) => post('documents', { title: 'x', content })
    const path = `/api/v1/documents/${must(await make('äöü')).id}`
    const patch = (body: object) => tenant.api('PATCH', path, body)

    const tooMany = await make('12345')
    const grown = await patch({ content: '0123456789' })
    const overgrown = await patch({ content: '0123456789a' })
    const other = await patch({ title: 'y' })

    expect([tooMany, overgrown]).toMatchObject([refusal('documentBytes'), refusal('documentBytes')])
    expect([grown.status, other.status]).toEqual([200, 200])
    expect(await usedBy('documentBytes')).toBe(10)
    must(await tenant.api('DELETE', path))
    must(await tenant.api('POST', `${path}/purge`))
    expect(await usedBy('documentBytes')).toBe(0)
  })

  test('events of a day: keys are refused, people are not, and the next day begins at zero', async () => {
    await withQuotas({})
    const { id } = must(await post('projects', { name: 'a' }))
    must(await post('projects', { name: 'b' }))
    await setQuotas({ eventsPerDay: await usedBy('eventsPerDay') })
    const rename = (name: string) => tenant.api('PATCH', `/api/v1/projects/${id}`, { name })

    const byKey = await rename('c')
    const read = await tenant.api('GET', `/api/v1/projects/${id}`)
    const key = await tenant.settings('POST', '/api-keys', { name: 'x', scopes: ['projects:read'] })
    const { workspaceId } = tenant
    await system.db.eventSequence.update({ where: { workspaceId }, data: { day: new Date(Date.now() - 86_400_000) } })
    const nextDay = await rename('d')

    expect(byKey).toMatchObject(refusal('eventsPerDay'))
    expect([read.status, key.status, nextDay.status]).toEqual([200, 201, 200])
    expect(await usedBy('eventsPerDay')).toBe(1)
  })

  test('keys, webhooks, members, invitations and custom fields are refused when there are as many as may be', async () => {
    await withQuotas({})
    const add = (name: string) => tenant.settings('POST', '/members', { name, email: `${name}@example.com` })
    const [anna, bob] = [must(await add('Anna')).id, must(await add('Bob')).id]
    const invite = (memberId: string) => tenant.settings('POST', '/invitations', { memberId })
    must(await invite(anna))
    const used = { apiKeys: 1, webhooks: 0, members: 3, invitations: 1, customFields: 0 }
    expect((await current()).usage).toMatchObject(used)
    await setQuotas(used)

    const hook = { name: 'x', url: 'https://example.com/', eventTypes: ['projects.*'] }
    const refused = {
      apiKeys: await tenant.settings('POST', '/api-keys', { name: 'x', scopes: ['projects:read'] }),
      webhooks: await post('webhooks', hook),
      members: await add('Carl'),
      invitations: await invite(bob),
      customFields: await post('custom-fields', { target: 'task', key: 'a', label: 'A', type: 'text' }),
    }

    for (const [name, answer] of Object.entries(refused)) expect(answer).toMatchObject(refusal(name as QuotaName))
    // A new invitation takes the place of the one that the member had.
    expect((await invite(anna)).status).toBe(200)
  })
})
