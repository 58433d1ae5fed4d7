// The workspace that the agent works in: a small agency with accounts, deals, projects, tasks and documents.
import { must, type System, type Tenant } from '../../../support/system.ts'
import { ownedTenant } from '../../support/tool-arguments.ts'

type Made = { readonly id: string }
export type World = { readonly tenant: Tenant; readonly me: Made; readonly bob: Made; readonly today: string }

const dayMs = 86_400_000
export const dayFromNow = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

const names = ['Acme', 'Globex', 'Globex Inc', 'Initech', 'Umbrella', 'Hooli', 'Stark', 'Wayne']
const stages = ['new', 'new', 'qualified', 'proposal', 'negotiation', 'won', 'lost', 'qualified']
const statuses = ['backlog', 'todo', 'in_progress', 'done']
const priorities = ['low', 'medium', 'high', 'urgent']
const paragraph = 'We answer each request within a working day, and say who looks after it. '
const chapters = ['Welcome', 'Working hours', 'Holidays', 'Expenses', 'Security', 'Equipment']
const handbook = chapters.map((name) => `## ${name}\n\n${paragraph.repeat(25)}`).join('\n\n')
const notes =
  '# Kick-off\n\nBob sends the contract by Friday. Ada books the studio. We need a list of all pages.\n\nNext meeting in two weeks.'

export async function makeWorld(system: System): Promise<World> {
  const tenant = await ownedTenant(system)
  const me = { id: tenant.ownerId }
  const bob: Made = must(await tenant.settings('POST', '/members', { name: 'Bob Mason', email: 'bob@example.com' }))
  const all = async (segment: string, data: readonly object[]): Promise<readonly string[]> => {
    const items = data.map((each) => ({ action: 'create', data: each }))
    const { results } = must(await tenant.api('POST', `/api/v1/${segment}/batch`, { atomic: true, items }))
    return results.map((result: { data: Made }) => result.data.id)
  }

  const companies = await all(
    'crm-entities',
    names.map((name) => ({ kind: 'company', name, industry: 'Manufacturing' })),
  )
  const [acme, globex] = companies
  const deals = companies.map((companyId, at) => ({
    kind: 'deal',
    name: `${names[at]} renewal`,
    stage: stages[at],
    amount: { amount: `${(at + 1) * 1_500}.00`, currency: 'EUR' },
    companyId,
  }))
  await all('crm-entities', deals)
  const members = { ownerId: me.id, memberIds: [me.id, bob.id] }
  const [web, app] = await all('projects', [
    { key: 'WEB', name: 'Website relaunch', status: 'active', ...members, companyId: acme },
    { key: 'APP', name: 'Mobile app', status: 'active', ownerId: bob.id, companyId: globex },
  ])
  const tasks = Array.from({ length: 40 }, (_, at) => ({
    projectId: at % 2 === 0 ? web : app,
    title: `Task ${at}: prepare page ${at} for review`,
    description: 'Collect the texts, check the pictures, agree on the wording with the customer, and publish.',
    status: statuses[at % 4],
    priority: priorities[Math.floor(at / 2) % 4],
    dueDate: dayFromNow(at - 12),
    assigneeIds: at % 3 === 0 ? [] : [bob.id],
    crmEntityIds: at % 4 === 0 ? [acme] : [],
  }))
  await all('tasks', tasks)
  await all('documents', [
    { title: 'Employee handbook', content: `# Handbook\n\n${handbook}`, folder: 'handbook', status: 'published' },
    { title: 'Kick-off meeting notes', content: notes, folder: 'meetings', projectId: web },
    { title: 'Opening hours', content: '# Hours\n\nThe office is open from 9 to 5.\n', folder: 'handbook' },
  ])
  return { tenant, me, bob, today: dayFromNow(0) }
}
