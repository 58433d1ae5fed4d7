// The sample data of a sandbox: Aurora Instruments, a maker of measuring devices with 500 objects. Pure: what the
// operations that make it are called with, the same each time but for dates, which lie around the day it is made.
import type { OperationName, OperationNamed } from '#contract/api.ts'
import { stages } from '#contract/crm-entities.ts'
import type { Input } from '#contract/operation.ts'

export type InputOf<N extends OperationName> = Input<OperationNamed<N>>
type Ids = readonly string[]

export const members: readonly InputOf<'members.add'>[] = [
  { name: 'Ada Lovelace', email: 'ada@aurora.example', role: 'admin', status: 'active' },
  { name: 'Grace Hopper', email: 'grace@aurora.example', role: 'member', status: 'active' },
  { name: 'Alan Turing', email: 'alan@aurora.example', role: 'member', status: 'active' },
  { name: 'Hedy Lamarr', email: 'hedy@aurora.example', role: 'member', status: 'active' },
  { name: 'Radia Perlman', email: 'radia@aurora.example', role: 'viewer', status: 'active' },
]

export const customFields: readonly InputOf<'custom-fields.create'>[] = [
  { key: 'budget', target: 'project', type: 'number', label: 'Budget' },
  { key: 'cost_center', target: 'project', type: 'text', label: 'Cost center' },
  { key: 'severity', target: 'task', type: 'select', label: 'Severity', options: ['Low', 'Medium', 'High'] },
  { key: 'renewal', target: 'company', type: 'date', label: 'Renewal date' },
  { key: 'source', target: 'deal', type: 'select', label: 'Source', options: ['Fair', 'Website', 'Referral'] },
]

/** Returns the n-th, beginning anew after the last. */
const nth = <T>(values: readonly T[], n: number): T => values[n % values.length]!

const dayMs = 86_400_000
const dateAt = (now: Date, days: number): string => new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10)

const names = ['Northwind', 'Contoso', 'Fabrikam', 'Tailspin', 'Litware', 'Adatum', 'Proseware', 'Lucerne', 'Wingtip']
const trades = [
  { word: 'Energy', industry: 'Energy' },
  { word: 'Foods', industry: 'Food and beverage' },
  { word: 'Health', industry: 'Health care' },
  { word: 'Logistics', industry: 'Transport' },
] as const
const cities = [
  { city: 'Graz', country: 'AT', phone: '+43 316' },
  { city: 'Lyon', country: 'FR', phone: '+33 4 72' },
  { city: 'Oslo', country: 'NO', phone: '+47 22' },
  { city: 'Porto', country: 'PT', phone: '+351 22' },
] as const

const companyNames = names.flatMap((name) => trades.map(({ word, industry }) => ({ name, word, industry })))
const domainOf = (n: number): string => {
  const { name, word } = nth(companyNames, n)
  return `${name}-${word}.example`.toLowerCase()
}

export const companies = (owners: Ids, now: Date): InputOf<'crm-entities.create'>[] =>
  companyNames.map(({ name, word, industry }, n) => {
    const { city, country } = nth(cities, n)
    return {
      kind: 'company',
      name: `${name} ${word}`,
      domains: [domainOf(n)],
      website: `https://www.${domainOf(n)}`,
      industry,
      employeeCount: 20 + ((n * 137) % 2_400),
      address: { city, country },
      ownerId: nth(owners, n),
      labels: n % 3 === 0 ? ['key-account'] : [],
      customFields: { renewal: dateAt(now, 30 + n * 7) },
    }
  })

const firstNames = ['Mary', 'Katherine', 'Dorothy', 'Edsger', 'Barbara', 'Niklaus', 'Margaret', 'Tony', 'Frances']
const lastNames = ['Jackson', 'Moreau', 'Hansen', 'Ferreira', 'Huber', 'Okafor', 'Silva', 'Berg']
const jobTitles = ['Head of Operations', 'CTO', 'Purchasing', 'Quality Manager', 'Lab Director', 'Analyst']
const contactCount = 72

export const contacts = (companyIds: Ids): InputOf<'crm-entities.create'>[] =>
  Array.from({ length: contactCount }, (_, n) => {
    const [firstName, lastName] = [nth(firstNames, n), nth(lastNames, Math.floor(n / firstNames.length))]
    return {
      kind: 'contact',
      firstName,
      lastName,
      jobTitle: nth(jobTitles, n),
      emails: [`${firstName}.${lastName}@${domainOf(n)}`.toLowerCase()],
      phones: [`${nth(cities, n).phone} ${500_100 + n}`],
      companyId: nth(companyIds, n),
    }
  })

const devices = [
  'Flow meters',
  'Pressure sensors',
  'Calibration',
  'Data loggers',
  'Service contract',
  'Pilot',
  'Gauges',
]
const dealsOfStage = 7

/** As many in each stage. */
export const deals = (companyIds: Ids, contactIds: Ids, owners: Ids, now: Date): InputOf<'crm-entities.create'>[] =>
  Array.from({ length: stages.length * dealsOfStage }, (_, n) => {
    const { name, word } = nth(companyNames, n)
    return {
      kind: 'deal',
      name: `${nth(devices, n)} for ${name} ${word}`,
      stage: nth(stages, n),
      amount: { amount: `${4_000 + ((n * 7_300) % 90_000)}.00`, currency: 'EUR' },
      companyId: nth(companyIds, n),
      // The contacts of a company come round with it.
      contactIds: [nth(contactIds, n)],
      expectedCloseDate: dateAt(now, n * 4 - 40),
      ownerId: nth(owners, n),
      customFields: { source: nth(['Fair', 'Website', 'Referral'], n) },
    }
  })

const projectPlans = [
  ['WEB', 'Website relaunch', 'active', 'at_risk', 'high', 'marketing'],
  ['FLOW', 'Flow meter FM-3', 'active', 'on_track', 'urgent', 'product'],
  ['PRES', 'Pressure sensor PS-2', 'active', 'on_track', 'medium', 'product'],
  ['LAB', 'Accreditation of the lab', 'active', 'off_track', 'high', 'quality'],
  ['MOVE', 'New warehouse', 'planned', null, 'low', 'operations'],
  ['ERP', 'Change of the ERP system', 'active', 'at_risk', 'high', 'it'],
  ['FAIR', 'Spring fair', 'planned', null, 'medium', 'marketing'],
  ['APP', 'App for technicians', 'active', 'on_track', 'medium', 'product'],
  ['CERT', 'ISO 9001', 'paused', 'off_track', 'medium', 'quality'],
  ['PORT', 'Customer portal', 'active', 'on_track', 'high', 'it'],
  ['CAL', 'Calibration on site', 'completed', 'on_track', 'low', 'service'],
  ['HIRE', 'Five new colleagues', 'planned', null, 'low', 'people'],
] as const

export const projects = (companyIds: Ids, owners: Ids, now: Date): InputOf<'projects.create'>[] =>
  projectPlans.map(([key, name, status, health, priority, label], n) => ({
    key,
    name,
    status,
    health,
    priority,
    labels: [label],
    description: `What **${name}** is about, by when, and who decides.`,
    ownerId: nth(owners, n),
    memberIds: [...owners],
    companyId: nth(companyIds, n),
    startDate: dateAt(now, -60 + n * 5),
    dueDate: dateAt(now, 20 + n * 10),
    customFields: { budget: 15_000 * (n + 1), cost_center: `CC-${100 + n}` },
  }))

const steps = [
  'Agree on the goals',
  'Write down what is needed',
  'Ask three suppliers for prices',
  'Choose a supplier',
  'Draw the first version',
  'Talk to two customers',
  'Build a prototype',
  'Test the prototype in the lab',
  'Collect what must change',
  'Plan the second round',
  'Write the manual',
  'Translate the manual',
  'Train the support team',
  'Prepare the data for import',
  'Import the data',
  'Tell the customers',
  'Check the numbers after a week',
  'Close the project',
] as const
const taskStatuses = ['done', 'done', 'in_progress', 'todo', 'blocked', 'backlog', 'cancelled'] as const
const priorities = ['none', 'low', 'medium', 'high', 'urgent'] as const

export const tasks = (projectIds: Ids, companyIds: Ids, owners: Ids, now: Date): InputOf<'tasks.create'>[] =>
  projectIds.flatMap((projectId, project) =>
    steps.map((title, n) => ({
      projectId,
      title,
      status: nth(taskStatuses, Math.floor(n / 3) + project),
      priority: nth(priorities, project + 2 * n),
      assigneeIds: n % 5 === 0 ? [] : [nth(owners, n + project)],
      crmEntityIds: n % 6 === 0 ? [nth(companyIds, n + project)] : [],
      labels: n % 4 === 0 ? ['customer'] : [],
      dueDate: dateAt(now, n * 5 - 30 + project),
      estimateMinutes: 30 * (1 + (n % 8)),
      ...(n % 2 === 0 && { customFields: { severity: nth(['Low', 'Medium', 'High'], n) } }),
    })),
  )

const papers = [
  ['Notes of the kick-off', 'meetings', 'published', '# Kick-off\n\n- Goals agreed\n- Budget open\n'],
  ['Plan', 'plans', 'published', '# Plan\n\n| step | by |\n|---|---|\n| prototype | May |\n| release | July |\n'],
  ['Requirements', 'plans', 'draft', '# Requirements\n\n1. Works from -20 to 60 °C.\n2. Needs no tools to mount.\n'],
  ['Risks', 'plans', 'archived', '# Risks\n\n- A supplier is late.\n- The lab is booked in June.\n'],
] as const

export const documents = (projectIds: Ids): InputOf<'documents.create'>[] =>
  projectIds.flatMap((projectId, project) =>
    papers.map(([title, folder, status, content]) => ({
      title: `${title}: ${nth(projectPlans, project)[1]}`,
      folder,
      status,
      content,
      tags: [nth(projectPlans, project)[5]],
      projectId,
    })),
  )

const remarks = [
  'Looks good to me.',
  'Waiting for the answer of the customer.',
  'See the plan, the table at the end.',
  'Done in the lab today, results are in the folder.',
  'Can we move this to next week?',
] as const
const commentCount = 74

export const comments = (taskIds: Ids): InputOf<'tasks.create-comment'>[] =>
  Array.from({ length: commentCount }, (_, n) => ({ id: nth(taskIds, n * 3), body: nth(remarks, n) }))
