// What a workspace of an earlier release holds: objects of each kind with all fields that the release has, some of them
// deleted, archived or merged, and deliveries that were accepted, or given up.
import { must, type Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'

type Filled = {
  readonly workspaceId: string
  readonly keySecret: string
  readonly revokedKeySecret: string
  readonly webhook: Readonly<Record<'id' | 'secret' | 'header', string>>
}

const ofObjects = ['projects.*', 'tasks.*', 'crm-entities.*', 'documents.*']

/** Behind a proxy, which leads all of them to one receiver. */
const urlOf = (host: string): string => `http://${host}.example.com/hook`
export const failingHost = 'failing.example.com'

export async function fill({ call, operator }: Client, scopes: readonly string[]): Promise<Filled> {
  const owner = { name: 'Ada Lovelace', email: 'ada@acme.example' }
  const given = { name: 'Acme', timeZone: 'Europe/Berlin', defaultCurrency: 'EUR', owner, quotas: { webhooks: 50 } }
  const { id: workspaceId } = must(await operator('POST', '/settings/api/workspaces', given))
  must(await operator('POST', '/settings/api/workspaces', { name: 'Sandbox of Acme', sandbox: true }))
  const settings: Client['call'] = (method, path, body) =>
    operator(method, `/settings/api/workspaces/${workspaceId}${path}`, body)
  const { data: members } = must(await settings('GET', '/members'))
  const ownerId = members[0].id as string
  const { id: graceId } = must(
    await settings('POST', '/members', { name: 'Grace Hopper', email: 'grace@acme.example', role: 'admin' }),
  )
  must(
    await settings('POST', '/members', {
      name: 'Çağla Işık',
      email: 'c@acme.example',
      role: 'viewer',
      status: 'invited',
    }),
  )

  const key = must(await settings('POST', '/api-keys', { name: 'Sync', scopes, ownerId, description: 'Every night' }))
  must(
    await settings('POST', '/api-keys', {
      name: 'Office',
      preset: 'read-only',
      surfaces: ['http'],
      ipAllowlist: ['192.0.2.0/24', '2001:db8::/32'],
      rateLimit: { perMinute: 120, burst: 60 },
    }),
  )
  const agent = { name: 'Agent', preset: 'agent', surfaces: ['mcp'], rotationPolicy: { maxAgeDays: 365 } }
  must(await settings('POST', '/api-keys', agent))
  const revoked = must(await settings('POST', '/api-keys', { name: 'Former', scopes: ['projects:read'] }))
  must(await settings('DELETE', `/api-keys/${revoked.id}`))

  const api = async (method: string, path: string, body?: unknown) =>
    must(await call(method, `/api/v1${path}`, body, { authorization: `Bearer ${key.secret}` }))

  const header = 'Bearer of the receiver'
  const accepting = { name: 'Deploys', url: urlOf('receiver'), eventTypes: ['projects.*'], payload: 'full' }
  const webhook = await api('POST', '/webhooks', { ...accepting, headers: { authorization: header } })
  const failing = {
    name: 'Chat',
    url: urlOf('failing'),
    eventTypes: ['documents.updated'],
    order: 'object',
    maxPerMinute: 600,
  }
  await api('POST', '/webhooks', failing)
  const filter = { changedFields: ['status'] }
  const paused = { name: 'Paused', url: urlOf('paused'), eventTypes: ofObjects, payload: 'thin', filter }
  const { id: pausedId } = await api('POST', '/webhooks', paused)
  await api('POST', `/webhooks/${pausedId}/pause`)

  const field = (target: string, name: string, type: string, more: object = {}) =>
    api('POST', '/custom-fields', { target, key: name, label: `The ${name}`, type, ...more })
  await field('project', 'region', 'select', { options: ['North', 'South'] })
  await field('project', 'budget', 'number')
  await field('project', 'approved', 'boolean')
  await field('task', 'due_at_site', 'date')
  await field('task', 'reviewer', 'user')
  await field('company', 'tags', 'multi_select', { options: ['a', 'b', 'c'] })
  await field('company', 'wiki', 'url')
  await field('contact', 'nickname', 'text')
  const { id: oldField } = await field('deal', 'former', 'text')
  await api('DELETE', `/custom-fields/${oldField}`)

  const company = await api('POST', '/crm-entities', {
    kind: 'company',
    name: 'Acme Ltd',
    domains: ['acme.example'],
    website: 'https://acme.example/',
    industry: 'Roofs',
    employeeCount: 250,
    phones: ['+49 30 901820'],
    address: { street: 'Am Ring 1', city: 'Köln', postalCode: '50667', country: 'DE' },
    ownerId,
    labels: ['key account'],
    description: 'Since 1999',
    customFields: { tags: ['a', 'c'], wiki: 'https://wiki.example/acme' },
    externalSource: 'erp',
    externalId: 'C-1',
  })
  const contact = await api('POST', '/crm-entities', {
    kind: 'contact',
    firstName: 'José',
    lastName: 'Núñez',
    emails: ['jose@acme.example'],
    phones: ['030 901820'],
    jobTitle: 'Buyer',
    companyId: company.id,
    customFields: { nickname: 'Pepe' },
  })
  const amount = { amount: '1250.50', currency: 'EUR' }
  const deal = { kind: 'deal', companyId: company.id, contactIds: [contact.id], amount, ownerId }
  await api('POST', '/crm-entities', { ...deal, name: 'Roof', stage: 'proposal', probability: 60 })
  await api('POST', '/crm-entities', { ...deal, name: 'Lost', stage: 'lost', lostReason: 'Price' })
  const twin = await api('POST', '/crm-entities', { kind: 'company', name: 'ACME Limited', domains: ['acme.test'] })
  await api('POST', `/crm-entities/${company.id}/merge`, { sourceId: twin.id })
  await api('POST', `/crm-entities/${company.id}/comments`, { body: 'Call **them** again.' })

  const project = await api('POST', '/projects', {
    key: 'ROOF',
    name: 'Neues Dach',
    description: 'With *gutters*',
    status: 'active',
    health: 'at_risk',
    priority: 'high',
    ownerId,
    memberIds: [ownerId, graceId],
    companyId: company.id,
    labels: ['house', 'Straße'],
    startDate: '2026-01-05',
    dueDate: '2026-12-31',
    customFields: { region: 'North', budget: 12_500.5, approved: true },
    externalSource: 'erp',
    externalId: 'P-1',
  })
  for (let n = 1; n <= 4; n++)
    await api('PUT', `/projects/by-external-id/erp/M-${n}`, { name: `Maintenance ${n}`, labels: n % 2 ? ['odd'] : [] })
  const archived = await api('POST', '/projects', { name: 'Archived' })
  await api('POST', `/projects/${archived.id}/archive`)
  const deleted = await api('POST', '/projects', { name: 'Deleted' })
  await api('DELETE', `/projects/${deleted.id}`)
  await api('PATCH', `/projects/${project.id}`, { status: 'paused', description: null })
  const { id: commentId } = await api('POST', `/projects/${project.id}/comments`, { body: 'When?' })
  await api('PATCH', `/projects/${project.id}/comments/${commentId}`, { body: 'When exactly?' })

  const inProject = { projectId: project.id }
  const first = await api('POST', '/tasks', { ...inProject, title: 'Scaffold', status: 'done', estimateMinutes: 480 })
  const task = await api('POST', '/tasks', {
    ...inProject,
    title: 'Tiles',
    description: 'Red ones',
    status: 'in_progress',
    priority: 'urgent',
    assigneeIds: [graceId],
    blockedByIds: [first.id],
    crmEntityIds: [company.id],
    labels: ['outside'],
    startDate: '2026-02-01',
    dueDate: '2026-03-01',
    customFields: { due_at_site: '2026-02-10', reviewer: graceId },
    externalSource: 'erp',
    externalId: 'T-1',
  })
  await api('POST', '/tasks', { ...inProject, title: 'Count them', parentTaskId: task.id })
  const gone = await api('POST', '/tasks', { ...inProject, title: 'Gone' })
  await api('DELETE', `/tasks/${gone.id}`)
  const batchItem = (n: number) => ({ action: 'create', data: { ...inProject, title: `Batch ${n}` } })
  await api('POST', '/tasks/batch', { items: [1, 2, 3].map(batchItem) })
  await api('POST', `/tasks/${task.id}/comments`, { body: 'They are on their way.' })

  const document = await api('POST', '/documents', {
    title: 'Manual',
    content: '# Roof\n\nTwo words.\n\n## Tiles\n\nRed.\n',
    summary: 'How to',
    folder: 'house/roof',
    tags: ['howto'],
    status: 'published',
    projectId: project.id,
    externalSource: 'wiki',
    externalId: '42',
  })
  await api('POST', `/documents/${document.id}/edit`, { edits: [{ find: 'Two words', replace: 'Three more words' }] })
  await api('POST', '/documents', { title: 'Draft', content: '', crmEntityId: company.id })
  await api('PATCH', '/workspaces/current', { name: 'Acme Roofs' })

  const settled = async () => {
    const [{ data: delivered }, { data: dead }, { data: told }] = await Promise.all([
      api('GET', '/deliveries?status=delivered&limit=100'),
      api('GET', '/deliveries?status=dead_letter'),
      api('GET', '/events?eventTypes=deliveries.dead_lettered'),
    ])
    return delivered.length === 12 && dead.length === 1 && told.length === 1
  }
  await eventually(settled, 'deliveries that have ended', 90_000)
  const { id, secret } = webhook
  return { workspaceId, keySecret: key.secret, revokedKeySecret: revoked.secret, webhook: { id, secret, header } }
}
