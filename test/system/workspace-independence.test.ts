// A workspace behaves as if it were the only one in the database: the same calls, made in one workspace after the
// other, get the same answers.
import { describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { modes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

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
  await tell('POST', '/custom-fields', field)
  await tell('POST', '/custom-fields', field)
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
/** What must be said beside the path. */
const queries: Record<string, string[]> = {
  search: ['q=website', 'q=initech'],
  'resources.read': ['custom-fields', 'glossary', 'labels', 'members', 'overview'].map(
    (name) => `uri=workspace://${name}`,
  ),
}

/** How often a key was used is reported now and then, not at once. */
const countUse = new Set(['api-keys.list', 'usage.overview'])

async function read(tell: Tell, operation: Operation): Promise<void> {
  const counts = operation.name.endsWith('.count') ? ['', 'groupBy=labels'] : ['']
  for (const query of queries[operation.name] ?? queries[operation.name.split('.')[0] ?? ''] ?? counts) {
    await tell('GET', `${pathOf(operation)}${query && `?${query}`}`)
  }
}

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
    const [first, second, third] = [await callAll(), await callAll(), await callAll()]

    expect(second).toEqual(first)
    expect(third).toEqual(first)
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
