// One object of every kind that has an id, for tests that another workspace sees nothing of them.
import { eventually } from './eventually.ts'
import { must, type Tenant } from './client.ts'

/** Part of every text of these objects: an answer to another workspace that holds it is a leak. */
export const mark = 'Strictly ours'

export type Foreign = { readonly kind: string; readonly id: string }

export async function foreignObjects(tenant: Tenant): Promise<Foreign[]> {
  const make = async (path: string, body: object): Promise<string> =>
    String(must(await tenant.api('POST', `/api/v1${path}`, body)).id)
  // Nothing listens there: the delivery stays pending.
  const url = 'http://127.0.0.1:30999/'
  const webhook = await make('/webhooks', { name: mark, url, eventTypes: ['*'] })
  const project = await make('/projects', { name: mark })
  const task = await make('/tasks', { title: mark, projectId: project })
  const made = {
    webhook,
    project,
    task,
    company: await make('/crm-entities', { kind: 'company', name: mark }),
    contact: await make('/crm-entities', { kind: 'contact', firstName: mark }),
    deal: await make('/crm-entities', { kind: 'deal', name: mark }),
    document: await make('/documents', { title: mark, content: mark }),
    comment: await make(`/tasks/${task}/comments`, { body: mark }),
    customField: await make('/custom-fields', { target: 'task', key: 'ours', label: mark, type: 'text' }),
    member: String(must(await tenant.settings('POST', '/members', { name: mark, email: 'ours@example.com' })).id),
    apiKey: tenant.keyId,
    event: await firstOf(tenant, '/events?after=0&limit=1'),
    delivery: await firstOf(tenant, '/deliveries?limit=1'),
    job: await make('/jobs', { kind: 'export' }),
    replayJob: await make('/deliveries/replay', { filter: { status: ['dead_letter'] } }),
  }
  // Its end is an event, which is to come before whoever looks for changes.
  await firstOf(tenant, '/events?after=0&limit=1&eventTypes=jobs.finished')
  return Object.entries(made).map(([kind, id]) => ({ kind, id }))
}

async function firstOf(tenant: Tenant, path: string): Promise<string> {
  const first = await eventually(async () => {
    const { data } = must(await tenant.api('GET', `/api/v1${path}`)) as { data: { id: string }[] }
    return data[0]
  }, `something at ${path}`)
  return first.id
}
