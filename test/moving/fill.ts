// A workspace with something of every kind, made by the API: objects that refer to each other in every way, webhooks
// with deliveries in every state, keys, members, files, jobs, and what an Idempotency-Key has kept.
import { must, type Tenant } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import type { Receiver } from '../support/receiver.ts'
import { uploadedFile } from '../support/uploaded-file.ts'

export const kept = { 'idempotency-key': 'once' }
export const keptBody = { name: 'Made once' }

type Place = { readonly url: string; readonly tenant: Tenant }

/** `failing` answers 500, `working` 200. Returns when nothing goes on any more. */
export async function fill(
  { url, tenant }: Place,
  { failing, working }: Readonly<Record<'failing' | 'working', Receiver>>,
) {
  const { api, settings } = tenant
  const post = async (path: string, body?: object, headers = {}) =>
    must(await api('POST', `/api/v1${path}`, body, headers))
  const patch = async (path: string, body: object) => must(await api('PATCH', `/api/v1${path}`, body))
  const remove = async (path: string) => must(await api('DELETE', `/api/v1${path}`))
  const webhook = (name: string, receiver: Receiver, more = {}) =>
    post('/webhooks', { name, url: receiver.url, eventTypes: ['projects.*'], ...more })

  const signed = await webhook('Signed', working, { headers: { 'x-own': 'sealed header' } })
  await webhook('Dead', failing, { eventTypes: ['documents.created'] })
  const retried = await webhook('Retried', failing, { eventTypes: ['documents.updated'] })
  const deleted = await webhook('Deleted', working)
  await post(`/webhooks/${deleted.id}/pause`)
  const paused = await webhook('Paused', working, { order: 'object' })
  await post(`/webhooks/${paused.id}/pause`)

  const { data: members } = must(await api('GET', '/api/v1/members'))
  const ben = must(await settings('POST', '/members', { name: 'Ben', email: 'ben@example.com', role: 'member' }))
  await post('/custom-fields', { target: 'task', key: 'size', label: 'Size', type: 'number' })
  const company = await post('/crm-entities', { kind: 'company', name: 'Müller & 税', domains: ['example.com'] })
  const parent = await post('/crm-entities', {
    kind: 'company',
    name: 'Parent',
    externalSource: 'erp',
    externalId: '7',
  })
  // Refers to a row with a greater id.
  await patch(`/crm-entities/${company.id}`, { parentCompanyId: parent.id })
  const contact = await post('/crm-entities', {
    ...{ kind: 'contact', firstName: 'Ada', lastName: 'L', companyId: company.id },
    ...{ emails: ['ada@example.com'], phones: ['+49 30 123456'] },
  })
  const double = await post('/crm-entities', { kind: 'contact', firstName: 'Ada', lastName: 'Double' })
  await post(`/crm-entities/${contact.id}/merge`, { sourceId: double.id })
  const deal = await post('/crm-entities', {
    kind: 'deal',
    name: 'Deal',
    contactIds: [contact.id],
    companyId: company.id,
  })
  const project = await post('/projects', { name: 'Website', key: 'WEB', memberIds: [ben.id], companyId: company.id })
  const first = await post('/tasks', { projectId: project.id, title: 'First', customFields: { size: 3 } })
  const second = await post('/tasks', {
    ...{ projectId: project.id, title: 'Second "quoted" \\ 税', blockedByIds: [first.id] },
    ...{ assigneeIds: [ben.id, members[0].id], crmEntityIds: [deal.id] },
  })
  await patch(`/tasks/${first.id}`, { parentTaskId: second.id })
  const gone = await post('/tasks', { projectId: project.id, title: 'Deleted' })
  await remove(`/tasks/${gone.id}`)
  await patch(`/projects/${project.id}`, { key: 'SITE' })
  const archived = await post('/projects', { name: 'Archived', key: 'ARC' })
  await post(`/projects/${archived.id}/archive`)
  const file = await uploadedFile({ api, url })
  const text = { title: 'Handbook', content: '# Welcome\n\u2028 税' }
  const document = await post('/documents', { ...text, projectId: project.id, fileIds: [file] })
  await patch(`/documents/${document.id}`, { title: 'Manual' })
  await post(`/tasks/${second.id}/comments`, { body: 'Done?' })
  await post('/projects', keptBody, kept)
  const reader = must(await settings('POST', '/api-keys', { name: 'Reader', scopes: ['projects:read'] }))
  must(await settings('DELETE', `/api-keys/${reader.id}`))
  const job = await post('/jobs', { kind: 'export' })
  await eventually(async () => must(await api('GET', `/api/v1/jobs/${job.id}`)).endedAt, 'the job')

  const count = async (status: string): Promise<number> =>
    must(await api('GET', `/api/v1/deliveries?limit=200&status=${status}`)).data.length
  await eventually(async () => (await count('retrying')) >= 1, 'a failure')
  await post(`/webhooks/${retried.id}/pause`)
  await remove(`/webhooks/${deleted.id}`)
  const events = async (type: string) => must(await api('GET', `/api/v1/events?eventTypes=${type}`)).data.length
  await eventually(async () => (await events('deliveries.dead_lettered')) === 1, 'the dead letter to be told')
  for (const status of ['delivered', 'retrying', 'pending', 'dead_letter', 'cancelled'])
    await eventually(async () => (await count(status)) >= 1, `a delivery that is ${status}`)
  return { project: project.id as string, webhook: signed.id as string }
}
