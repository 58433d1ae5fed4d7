// The current workspace: what a key may read and change of it; and that no other workspace is noticed in it.
// Operations: workspaces.get, workspaces.get-current, workspaces.update-current.
import { describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { standardQuotas } from '#contract/quotas.ts'
import { pageItemsMax } from '#contract/pagination.ts'
import { missingId } from '../support/client.ts'
import { describeModes, modes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

const path = '/api/v1/workspaces/current'

describeModes('the current workspace', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const patch = (who: Tenant, body: object, headers = {}) => who.api('PATCH', path, body, headers)

  test('is the workspace that the key acts in, with its limits, as the settings show it', async () => {
    const answer = await tenant.api('GET', path)

    const limits = { pageItems: pageItemsMax, webhooks: standardQuotas.webhooks }
    expect(answer).toMatchObject({ status: 200, body: { id: tenant.workspaceId, name: 'Acme', limits } })
    const etag = answer.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"1-[0-9a-f]{16}"$/)
    expect((await tenant.api('GET', path, undefined, { 'if-none-match': etag })).status).toBe(304)
    const shown = (id: string) => system.operator('GET', `/settings/api/workspaces/${id}`)
    expect(must(await shown(tenant.workspaceId))).toMatchObject(answer.body)
    expect(await shown(missingId)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('can be given another name, time zone and currency, with a new version', async () => {
    const fresh = await system.tenant()

    const changed = await patch(fresh, { name: 'Umbrella', timeZone: 'Europe/Rome' }, { 'if-match': '"1"' })
    const same = await patch(fresh, { name: 'Umbrella' })
    const stale = await patch(fresh, { defaultCurrency: 'USD' }, { 'if-match': '"1"' })
    const unknown = await patch(fresh, { timeZone: 'Mars/Olympus' })

    expect(changed).toMatchObject({ status: 200, body: { name: 'Umbrella', timeZone: 'Europe/Rome', version: 2 } })
    expect(changed.headers.get('etag')).toBe('"2"')
    expect(same.body).toEqual(changed.body)
    expect(unknown).toMatchObject({ status: 422, body: { errors: [{ pointer: '/timeZone' }] } })
    expect(stale).toMatchObject({ status: 412, body: { code: 'version_mismatch', currentVersion: 2 } })
    expect(must(await fresh.api('GET', path))).toMatchObject(changed.body)
    const { data } = must(await fresh.settings('GET', '/audit-entries?action=workspaces.update-current'))
    const changes = { name: { from: 'Acme', to: 'Umbrella' }, timeZone: { from: 'UTC' } }
    expect(data).toMatchObject([{ actor: { id: fresh.keyId }, changes }])
  })

  test('gateways are notified of changes that affect keys, and not of a new name or slug', async () => {
    const fresh = await system.tenant()
    const change = (fields: object) =>
      system.operator('PATCH', `/settings/api/workspaces/${fresh.workspaceId}`, fields).then(must)
    const recordedChanges = () => system.db.keyChange.count({ where: { subjectId: fresh.workspaceId } })
    const before = await recordedChanges()

    await change({ name: 'Another', slug: `other-${fresh.workspaceId.slice(-6)}` })
    const ofName = (await recordedChanges()) - before
    await change({ apiPolicy: { requireExpiry: true } })
    await change({ suspended: true })

    expect([ofName, (await recordedChanges()) - before]).toEqual([0, 2])
  })

  test('changes of the operator and of a key at the same time are all kept', async () => {
    const fresh = await system.tenant()
    const own = `/settings/api/workspaces/${fresh.workspaceId}`

    const asKey = (n: number) => patch(fresh, { name: `Key ${n}` })
    const asOperator = (n: number) => system.operator('PATCH', own, { slug: `s-${fresh.workspaceId.slice(-6)}-${n}` })
    const answers = await Promise.all([1, 2, 3, 4, 5].flatMap((n) => [asKey(n), asOperator(n)]))

    for (const answer of answers) must(answer)
    expect(must(await fresh.api('GET', path)).version).toBe(11)
  })
})

type Told = readonly [string, unknown]
type Tell = (method: string, path: string, body?: object) => Promise<Answer['body']>

/** Everything that is unique in a workspace, counted, numbered or made up by the service. */
async function write(tell: Tell): Promise<void> {
  const website = await tell('POST', '/projects', { name: 'Website', labels: ['web', 'q3'], status: 'active' })
  await tell('POST', '/projects', { name: 'Website', labels: ['web'] })
  await tell('POST', '/projects', { name: 'Shop', key: 'SHOP' })
  await tell('POST', '/projects', { name: 'Shop again', key: 'SHOP' })
  const { id: shop } = await tell('POST', '/projects', { name: 'Store', key: 'STORE' })
  await tell('POST', '/tasks', { title: 'Open', projectId: shop })
  await tell('PATCH', `/projects/${shop}`, { key: 'MARKET' })
  await tell('POST', '/projects', { name: 'Store', key: 'STORE' })
  await tell('POST', '/projects', { name: 'Store' })
  await tell('GET', '/tasks/STORE-1')
  const field = { key: 'tier', target: 'project', type: 'select', options: ['gold'], label: 'Tier' }
  for (const _time of ['once', 'again']) await tell('POST', '/custom-fields', field)
  await tell('PATCH', `/projects/${website.id}`, { customFields: { tier: 'gold' } })
  const task = await tell('POST', '/tasks', { title: 'Launch', projectId: website.id, labels: ['web'] })
  await tell('POST', '/tasks', { title: 'Write', projectId: website.id, parentTaskId: task.id })
  await tell('POST', `/tasks/${task.id}/comments`, { body: 'Soon' })
  for (const path of ['/projects', '/tasks', '/documents'] as const) {
    const title = path === '/projects' ? 'name' : 'title'
    const body = { [title]: 'Imported', ...(path === '/tasks' && { projectId: website.id }) }
    await tell('PUT', `${path}/by-external-id/erp/1`, body)
    await tell('PUT', `${path}/by-external-id/erp/1`, { ...body, [title]: 'Imported again' })
  }
  const company = { kind: 'company', name: 'Initech', domains: ['initech.example'], labels: ['web'] }
  const { id: companyId } = await tell('POST', '/crm-entities', company)
  await tell('POST', '/crm-entities', company)
  const person = { kind: 'contact', firstName: 'Grace', emails: ['grace@initech.example'], companyId }
  const contact = await tell('POST', '/crm-entities', person)
  await tell('POST', '/crm-entities', person)
  await tell('POST', '/crm-entities', { kind: 'deal', name: 'Big', companyId, contactIds: [contact.id] })
  await tell('PATCH', `/projects/${website.id}`, { companyId })
}

const isList = (operation: Operation): boolean =>
  methodOf(operation) === 'GET' && !pathOf(operation).includes('{') && operation.tenancy === 'workspace'
const resources = ['custom-fields', 'glossary', 'labels', 'members', 'overview']
/** What must be said beside the path. */
const queries: Record<string, string[]> = {
  search: ['q=website', 'q=initech'],
  'resources.read': resources.map((name) => `uri=workspace://${name}`),
}

/** How often a key was used is reported now and then, not at once. */
const countUse = new Set(['api-keys.list', 'usage.overview'])

async function read(tell: Tell, operation: Operation): Promise<void> {
  const counts = operation.name.endsWith('.count') ? ['', 'groupBy=labels'] : ['']
  for (const query of queries[operation.name] ?? queries[operation.name.split('.')[0] ?? ''] ?? counts) {
    await tell('GET', `${pathOf(operation)}${query && `?${query}`}`)
  }
}

// A workspace behaves as if it were the only one in the database: the same calls, made in one workspace after the
// other, get the same answers.
describe.each(modes.slice(-1))('a workspace among others, %s', (mode) => {
  const { system } = sharedSystem(mode)

  async function callAll(): Promise<Told[]> {
    const tenant = await system.tenant()
    must(await tenant.settings('POST', '/members', { name: 'Grace', email: 'grace@example.com', role: 'admin' }))
    const answers: Told[] = []
    const by =
      (who: Tenant['api'], prefix: string): Tell =>
      async (method, path, body) => {
        const answer = await who(method, prefix + path, body)
        answers.push([`${method} ${path}`, { status: answer.status, body: answer.body }])
        return answer.body
      }
    await write(by(tenant.api, '/api/v1'))
    for (const operation of operations.filter((each) => isList(each) && !countUse.has(each.name))) {
      if (operation.audiences.includes('api')) await read(by(tenant.api, '/api/v1'), operation)
      if (operation.audiences.includes('settings')) await read(by(tenant.settings, ''), operation)
    }
    return withoutChance(answers)
  }

  test('the same calls get the same answers in each of them, refusals, counts and numbers included', async () => {
    const [first, second] = [await callAll(), await callAll()]

    expect(second).toEqual(first)
  })
})

/** Ids by the order in which they come up, and nothing of the time. */
function withoutChance(answers: readonly Told[]): Told[] {
  const ids = new Map<string, string>()
  const named = (id: string): string => ids.get(id) ?? (ids.set(id, `id ${ids.size}`), `id ${ids.size - 1}`)
  const text = JSON.stringify(answers)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, named)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/wsk_\w+|\b[0-9a-f]{64}\b/g, 'chance')
    .replaceAll(/"acme(?:-\w+)?"/g, '"slug"')
    .replaceAll(/"nextCursor":"[^"]*"/g, '"nextCursor":"chance"')
  return JSON.parse(text) as Told[]
}
