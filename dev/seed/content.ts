// The content of the sample workspace: companies, contacts and deals, projects with tasks, documents and comments.
import type { OperationName, OperationNamed } from '#contract/api.ts'
import type { Input } from '#contract/operation.ts'
import type { Client } from '#clients/client.ts'

type InputOf<N extends OperationName> = Input<OperationNamed<N>>

export type Content = {
  readonly projectIds: readonly string[]
  readonly taskIds: readonly string[]
  readonly companyIds: readonly string[]
  readonly documentIds: readonly string[]
}

const dayMs = 86_400_000
const batchMax = 50

const customFields: readonly InputOf<'custom-fields.create'>[] = [
  { key: 'budget', target: 'project', type: 'number', label: 'Budget' },
  { key: 'cost_center', target: 'project', type: 'text', label: 'Cost center' },
  { key: 'severity', target: 'task', type: 'select', label: 'Severity', options: ['Low', 'Medium', 'High'] },
  { key: 'renewal', target: 'company', type: 'date', label: 'Renewal date' },
]

const companies = [
  { name: 'Northwind Traders', domains: ['northwind.example'], industry: 'Wholesale', employeeCount: 420 },
  { name: 'Contoso Energy', domains: ['contoso.example'], industry: 'Energy', employeeCount: 2_300 },
  { name: 'Fabrikam Robotics', domains: ['fabrikam.example'], industry: 'Manufacturing', employeeCount: 95 },
  { name: 'Tailspin Toys', domains: ['tailspin.example'], industry: 'Retail', employeeCount: 38 },
  { name: 'Litware Health', domains: ['litware.example'], industry: 'Health care', employeeCount: 730 },
] as const
const contacts = [
  ['Mary', 'Jackson', 'Head of Operations'],
  ['Alan', 'Turing', 'CTO'],
  ['Katherine', 'Johnson', 'Analyst'],
  ['Hedy', 'Lamarr', 'Head of Research'],
  ['Dorothy', 'Vaughan', 'Purchasing'],
  ['Edsger', 'Dijkstra', 'Architect'],
  ['Barbara', 'Liskov', 'Procurement'],
  ['Niklaus', 'Wirth', 'Consultant'],
] as const
const deals = [
  ['Warehouse rollout', 'negotiation', '48000.00'],
  ['Energy audit', 'proposal', '12500.00'],
  ['Support contract', 'qualified', '9600.00'],
  ['Pilot with three robots', 'won', '31000.00'],
  ['Shop terminals', 'lost', '7400.00'],
] as const
const projects: readonly InputOf<'projects.create'>[] = [
  { key: 'WEB', name: 'Website', status: 'active', health: 'at_risk', priority: 'high', labels: ['web', 'launch'] },
  { key: 'APP', name: 'Mobile app', status: 'active', health: 'on_track', priority: 'medium', labels: ['mobile'] },
  { key: 'OPS', name: 'Office move', status: 'planned', priority: 'low', labels: ['internal'] },
  { key: 'DATA', name: 'Data warehouse', status: 'paused', health: 'off_track', priority: 'urgent', labels: ['data'] },
]
const titles = [
  'Write the texts for the start page',
  'Choose the pictures',
  'Ask for three prices',
  'Move the domain',
  'Tell the press',
  'Check the contrast of all colours',
  'Measure the loading time',
  'Translate the imprint',
  'Plan the workshop',
  'Order the laptops',
] as const
const statuses = ['backlog', 'todo', 'in_progress', 'blocked', 'done', 'cancelled'] as const
const priorities = ['none', 'low', 'medium', 'high', 'urgent'] as const

const handbook = `# Handbook

How we work, for new colleagues.

## First day

1. Ask Grace for a key card.
2. Read this page.
3. Say hello in the team chat.

## Releases

| step | by |
|---|---|
| freeze | Tuesday |
| release | Thursday |

## Contacts

- **Operations**: ops@example.com
- **Sales**: sales@example.com
`
const documents: readonly InputOf<'documents.create'>[] = [
  { title: 'Handbook', folder: 'company', status: 'published', tags: ['onboarding'], content: handbook },
  {
    title: 'Release plan',
    folder: 'projects',
    status: 'draft',
    tags: ['web'],
    content: '# Plan\n\nFreeze, test, ship.\n',
  },
  {
    title: 'Notes of the kick-off',
    folder: 'meetings',
    status: 'published',
    content: '# Kick-off\n\n- Goals agreed\n',
  },
  {
    title: 'Price list 2024',
    folder: 'sales',
    status: 'archived',
    content: '# Prices\n\n| robot | price |\n|---|---|\n',
  },
]
const remarks = ['Looks good to me.', 'Waiting for the answer of the customer.', 'See the handbook, section Releases.']

/** Returns the n-th, beginning anew after the last. */
export const nth = <T>(values: readonly T[], n: number): T => values[n % values.length]!

/**
 * Custom fields are made by the operator, since no key of the samples may. `ownerIds`: members who own and are
 * assigned.
 */
export async function makeContent(operator: Client, key: Client, ownerIds: readonly string[]): Promise<Content> {
  for (const field of customFields) await operator.call('custom-fields.create', field)
  const companyIds = await makeCrm(key, ownerIds)
  const projectIds = await each(projects, (project, n) =>
    key.call('projects.create', {
      ...project,
      description: `What **${project.name}** is about.`,
      ownerId: nth(ownerIds, n),
      memberIds: [...ownerIds],
      companyId: nth(companyIds, n),
      startDate: dateIn(-30),
      dueDate: dateIn(20 + 15 * n),
      customFields: { budget: 10_000 * (n + 1), cost_center: `CC-${100 + n}` },
      externalSource: 'erp',
      externalId: `P-${n + 1}`,
    }),
  )
  const taskIds = await makeTasks(key, { projectIds, companyIds, ownerIds })
  const documentIds = await each(documents, (document, n) =>
    key.call('documents.create', {
      ...document,
      ...(n % 2 === 0 ? { projectId: nth(projectIds, n) } : { crmEntityId: nth(companyIds, n) }),
    }),
  )
  for (const [n, body] of remarks.entries()) {
    await key.call('tasks.create-comment', { id: nth(taskIds, n), body })
    await key.call('projects.create-comment', { id: nth(projectIds, n), body })
    await key.call('crm-entities.create-comment', { id: nth(companyIds, n), body })
  }
  return { projectIds, taskIds, companyIds, documentIds }
}

async function makeCrm(key: Client, ownerIds: readonly string[]): Promise<string[]> {
  const companyIds = await each(companies, (company, n) =>
    key.call('crm-entities.create', {
      ...company,
      kind: 'company',
      domains: [...company.domains],
      ownerId: nth(ownerIds, n),
      website: `https://www.${company.domains[0]}`,
      address: { city: 'Graz', country: 'AT' },
      customFields: { renewal: dateIn(60 + n) },
    }),
  )
  const contactIds = await each(contacts, ([firstName, lastName, jobTitle], n) =>
    key.call('crm-entities.create', {
      kind: 'contact',
      firstName,
      lastName,
      jobTitle,
      emails: [`${firstName.toLowerCase()}@${nth(companies, n).domains[0]}`],
      phones: [`+43 316 ${1_000 + n}`],
      companyId: nth(companyIds, n),
    }),
  )
  await each(deals, ([name, stage, amount], n) =>
    key.call('crm-entities.create', {
      kind: 'deal',
      name,
      stage,
      amount: { amount, currency: 'EUR' },
      companyId: nth(companyIds, n),
      contactIds: [nth(contactIds, n)],
      expectedCloseDate: dateIn(30 + n),
      ownerId: nth(ownerIds, n),
    }),
  )
  return companyIds
}

type Around = Pick<Content, 'projectIds' | 'companyIds'> & { readonly ownerIds: readonly string[] }

async function makeTasks(key: Client, { projectIds, companyIds, ownerIds }: Around): Promise<string[]> {
  const items = projectIds.flatMap((projectId, project) =>
    titles.map((title, n) => ({
      action: 'create' as const,
      data: {
        projectId,
        title,
        status: nth(statuses, project + n),
        priority: nth(priorities, project + 2 * n),
        assigneeIds: n % 3 === 0 ? [] : [nth(ownerIds, n)],
        crmEntityIds: n % 4 === 0 ? [nth(companyIds, n)] : [],
        labels: n % 2 === 0 ? ['customer'] : [],
        dueDate: dateIn(n * 4 - 10),
        estimateMinutes: 30 * (n + 1),
        customFields: n % 2 === 0 ? { severity: nth(['Low', 'Medium', 'High'], n) } : {},
      },
    })),
  )
  const taskIds: string[] = []
  for (let from = 0; from < items.length; from += batchMax) {
    const { results } = await key.call('tasks.batch', { items: items.slice(from, from + batchMax), atomic: true })
    taskIds.push(...results.map(({ data }) => (data as { id: string }).id))
  }
  await key.call('tasks.update', { id: taskIds[1]!, parentTaskId: taskIds[0]!, blockedByIds: [taskIds[2]!] })
  return taskIds
}

async function each<T>(values: readonly T[], make: (value: T, n: number) => Promise<unknown>): Promise<string[]> {
  const ids: string[] = []
  for (const [n, value] of values.entries()) ids.push(((await make(value, n)) as { readonly id: string }).id)
  return ids
}

const dateIn = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
