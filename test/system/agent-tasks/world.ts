// The workspace that the agent works in: a small agency with accounts, deals, projects, tasks and documents.
import { must, type System, type Tenant } from '../../support/system.ts'
import { scopes } from '#contract/scopes.ts'

export type World = {
  readonly tenant: Tenant
  readonly me: { readonly id: string }
  readonly bob: { readonly id: string }
  readonly today: string
}

const dayMs = 86_400_000
export const dayFromNow = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

export async function makeWorld(system: System): Promise<World> {
  const owner = await system.tenant()
  const [me] = must(await owner.settings('GET', '/members')).data
  const bob = must(await owner.settings('POST', '/members', { name: 'Bob Mason', email: 'bob@example.com' }))
  const tenant = await owner.key(scopes, { ownerId: me.id, name: 'Agent' })
  const companies = await makeCompanies(tenant)
  const projects = await makeProjects(tenant, companies, me.id, bob.id)
  await makeTasks(tenant, projects, companies, bob.id)
  await makeDocuments(tenant, projects)
  return { tenant, me, bob, today: dayFromNow(0) }
}

type Ids = readonly { readonly id: string }[]

async function all(tenant: Tenant, segment: string, data: readonly object[]): Promise<Ids> {
  const items = data.map((each) => ({ action: 'create', data: each }))
  const { results } = must(await tenant.api('POST', `/api/v1/${segment}/batch`, { atomic: true, items }))
  return results.map((result: { data: { id: string } }) => result.data)
}

async function makeCompanies(tenant: Tenant): Promise<Ids> {
  const names = ['Acme', 'Globex', 'Globex Inc', 'Initech', 'Umbrella', 'Hooli', 'Stark', 'Wayne']
  const companies = await all(
    tenant,
    'crm-entities',
    names.map((name) => ({ kind: 'company', name, industry: 'Manufacturing' })),
  )
  const stages = ['new', 'new', 'qualified', 'proposal', 'negotiation', 'won', 'lost', 'qualified']
  await all(
    tenant,
    'crm-entities',
    companies.map(({ id }, at) => ({
      kind: 'deal',
      name: `${names[at]} renewal`,
      stage: stages[at],
      amount: { amount: `${(at + 1) * 1_500}.00`, currency: 'EUR' },
      companyId: id,
    })),
  )
  return companies
}

const makeProjects = (tenant: Tenant, [acme, globex]: Ids, me: string, bob: string): Promise<Ids> =>
  all(tenant, 'projects', [
    { key: 'WEB', name: 'Website relaunch', status: 'active', ownerId: me, memberIds: [me, bob], companyId: acme?.id },
    { key: 'APP', name: 'Mobile app', status: 'active', ownerId: bob, companyId: globex?.id },
  ])

async function makeTasks(tenant: Tenant, [web, app]: Ids, [acme]: Ids, bob: string): Promise<void> {
  const statuses = ['backlog', 'todo', 'in_progress', 'done']
  const priorities = ['low', 'medium', 'high', 'urgent']
  const tasks = Array.from({ length: 40 }, (_, at) => ({
    projectId: at % 2 === 0 ? web?.id : app?.id,
    title: `Task ${at}: prepare page ${at} for review`,
    description: 'Collect the texts, check the pictures, agree on the wording with the customer, and publish.',
    status: statuses[at % 4],
    priority: priorities[Math.floor(at / 2) % 4],
    dueDate: dayFromNow(at - 12),
    assigneeIds: at % 3 === 0 ? [] : [bob],
    crmEntityIds: at % 4 === 0 ? [acme?.id] : [],
  }))
  await all(tenant, 'tasks', tasks)
}

const paragraph = 'We answer each request within a working day, and say who looks after it. '

async function makeDocuments(tenant: Tenant, [web]: Ids): Promise<void> {
  const chapters = ['Welcome', 'Working hours', 'Holidays', 'Expenses', 'Security', 'Equipment']
  const handbook = chapters.map((name) => `## ${name}\n\n${paragraph.repeat(25)}`).join('\n\n')
  const notes =
    '# Kick-off\n\nBob sends the contract by Friday. Ada books the studio. We need a list of all pages.\n\nNext meeting in two weeks.'
  await all(tenant, 'documents', [
    { title: 'Employee handbook', content: `# Handbook\n\n${handbook}`, folder: 'handbook', status: 'published' },
    { title: 'Kick-off meeting notes', content: notes, folder: 'meetings', projectId: web?.id },
    { title: 'Opening hours', content: '# Hours\n\nThe office is open from 9 to 5.\n', folder: 'handbook' },
  ])
}
