// The sample webhooks, and deliveries in every state that there is.
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#clients/client.ts'
import type { Person } from './callers.ts'
import { nth, type Content } from './content.ts'
import type { ReceiverName } from '../receivers.ts'

type Order = 'none' | 'object' | 'webhook'
type Sample = {
  readonly name: string
  readonly receiver: ReceiverName
  readonly eventTypes: ('*' | 'projects.*' | 'tasks.*' | 'crm-entities.*' | 'documents.*')[]
  readonly order?: Order
  readonly maxPerMinute?: number
}

/** In the order in which they are made. */
const samples = {
  billing: { name: 'Billing', receiver: 'accepts', eventTypes: ['projects.*', 'tasks.*'] },
  chat: { name: 'Team chat', receiver: 'flaky', eventTypes: ['tasks.*'] },
  search: { name: 'Search index', receiver: 'slow', eventTypes: ['documents.*'], maxPerMinute: 30 },
  crm: { name: 'Legacy CRM', receiver: 'rejects', eventTypes: ['crm-entities.*'] },
  warehouse: { name: 'Data warehouse', receiver: 'fails', eventTypes: ['projects.*'] },
  ledger: { name: 'Ledger, in order', receiver: 'fails', eventTypes: ['tasks.*'], order: 'webhook' },
  newsletter: { name: 'Newsletter', receiver: 'accepts', eventTypes: ['crm-entities.*'] },
  intranet: { name: 'Old intranet', receiver: 'gone', eventTypes: ['documents.*'] },
  trial: { name: 'Trial of a vendor', receiver: 'fails', eventTypes: ['documents.*'] },
} as const satisfies Record<string, Sample>
export type WebhookName = keyof typeof samples
export type Webhooks = Readonly<Record<WebhookName, string>>

const settledWithinMs = 60_000
const pollMs = 250
const changedTasks = 8
/** These are made when there are deliveries to show with them: they hold what they get. */
const later: ReadonlySet<WebhookName> = new Set(['ledger', 'newsletter', 'intranet', 'trial'])

export const earlyWebhooks = (owner: Person, receiversPort: number) =>
  makeWebhooks(owner, receiversPort, (name) => !later.has(name))
export const laterWebhooks = (owner: Person, receiversPort: number) =>
  makeWebhooks(owner, receiversPort, (name) => later.has(name))

async function makeWebhooks(
  owner: Person,
  receiversPort: number,
  isWanted: (name: WebhookName) => boolean,
): Promise<Partial<Webhooks>> {
  const made: Partial<Record<WebhookName, string>> = {}
  for (const name of (Object.keys(samples) as WebhookName[]).filter(isWanted)) {
    const { receiver, ...given }: Sample = samples[name]
    const url = `http://127.0.0.1:${receiversPort}/${receiver}`
    made[name] = (await owner.call('webhooks.create', { ...given, url, headers: { 'x-sample': name } })).id
  }
  return made
}

/** Some changes, whose deliveries are taken, tried again and given up. `round`: what changes nothing makes no event. */
export async function changeSome(key: Client, content: Content, round: number): Promise<void> {
  const { projectIds, taskIds, companyIds } = content
  for (let n = 0; n < changedTasks; n += 1)
    await key.call('tasks.update', { id: nth(taskIds, 3 * n), estimateMinutes: 15 * round + n })
  await key.call('projects.update', { id: projectIds[0]!, description: `Reviewed ${round} times.` })
  await key.call('crm-entities.update', { id: companyIds[1]!, employeeCount: 2_300 + round })
}

/** What happens while one looks: each of the later webhooks holds deliveries in a state of its own. */
export async function fillStates(owner: Person, key: Client, content: Content, webhooks: Webhooks): Promise<void> {
  const { projectIds, taskIds, companyIds, documentIds } = content
  await owner.call('webhooks.pause', { id: webhooks.newsletter })
  await changeSome(key, content, 2)
  for (let n = 0; n < 3; n += 1) {
    await key.call('crm-entities.update', { id: nth(companyIds, n), industry: nth(['Energy', 'Services'], n) })
    await key.call('projects.update', { id: nth(projectIds, n), priority: nth(['urgent', 'high'], n) })
  }
  await key.call('documents.update', { id: documentIds[1]!, status: 'published' })
  await key.call('tasks.delete', { id: taskIds.at(-1)! })
  await owner.call('webhooks.test', { id: webhooks.billing })
  await settled(owner)
  // Its delivery waits to be tried again, and is cancelled with it.
  await owner.call('webhooks.delete', { id: webhooks.trial })
  const { data } = await owner.call('deliveries.list', { status: ['dead_letter'], limit: 1 })
  for (const { id } of data) await owner.call('deliveries.replay', { id })
  await owner.call('webhooks.rotate-secret', { id: webhooks.billing })
}

/** Waits until every delivery that can be sent has been tried once. */
export async function settled(owner: Person): Promise<void> {
  const until = Date.now() + settledWithinMs
  while (Date.now() < until) {
    const { data } = await owner.call('deliveries.list', { status: ['pending'], limit: 100 })
    const holding = new Set<string>()
    for (const webhook of (await owner.call('webhooks.list', { limit: 100 })).data)
      if (webhook.status !== 'active' || webhook.order !== 'none' || webhook.circuit.state !== 'closed')
        holding.add(webhook.id)
    const newest = (await owner.call('events.list', { limit: 1 })).data
    if (newest.length > 0 && data.every(({ webhookId }) => holding.has(webhookId))) return
    await pause(pollMs)
  }
}
