// The sample data of `npm run dev`. The product makes it itself, by its API, in three steps that are run with the clock
// of their time: a workspace that was founded 100 days ago, work of four days ago, and what has just happened. So keys
// have an age, deliveries a history, and events, audit entries and attempts are real. The counts of a week's usage
// alone are written into the tables.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase, type Database } from '#prisma/client.ts'
import type { Client } from '#clients/client.ts'
import { callTool, operatorOf, personAt, programOf, type Person } from './callers.ts'
import { makeContent, nth, type Content } from './content.ts'
import { writeUsage } from './usage.ts'
import { changeSome, earlyWebhooks, fillStates, laterWebhooks, settled, type Webhooks } from './webhooks.ts'

export const owner = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'seven small turtles sing' }
const admin = { name: 'Grace Hopper', email: 'grace@example.com', password: 'nine quiet foxes paint' }

const colleagues = [
  { name: 'Margaret Hamilton', email: 'margaret@example.com', role: 'member' },
  { name: 'Tim Berners-Lee', email: 'tim@example.com', role: 'viewer' },
  { name: 'Radia Perlman', email: 'radia@example.com', role: 'member' },
] as const

const dayMs = 86_400_000
const foundedDaysAgo = 100
const workedDaysAgo = 4
const setupPollMs = 100
const setupTriesMax = 300

/** Starts the tiers with a clock that is so many days behind, for as long as the work takes. */
export type WithTiers = <T>(daysBehind: number, work: (url: string) => Promise<T>) => Promise<T>
type Place = { readonly folder: string; readonly receiversPort: number; readonly withTiers: WithTiers }

export type Seeded = { readonly workspaceId: string; readonly apiKey: string }
type Founded = Seeded & {
  readonly keyIds: { readonly export: string; readonly sync: string }
  readonly memberIds: readonly string[]
}
type Worked = { readonly content: Content; readonly webhooks: Partial<Webhooks>; readonly assistant: MadeKey }
type MadeKey = { readonly id: string; readonly secret: string }

export async function seed({ folder, receiversPort, withTiers }: Place): Promise<Seeded> {
  const token = (): string => readFileSync(join(folder, 'operator-token'), 'utf8').trim()
  const founded = await withTiers(foundedDaysAgo, async (url) => found(url, await setupToken(folder), token()))
  const worked = await withTiers(workedDaysAgo, (url) => work({ url, token: token(), founded, receiversPort }))
  await withDatabase(folder, (db) =>
    writeUsage(db, {
      workspaceId: founded.workspaceId,
      keys: [
        { id: founded.keyIds.export, share: 1, surface: 'http' },
        { id: founded.keyIds.sync, share: 0.5, surface: 'http' },
        { id: worked.assistant.id, share: 0.3, surface: 'mcp' },
      ],
      webhooks: Object.entries(worked.webhooks).map(([name, id]) => ({ id, failing: name === 'warehouse' })),
    }),
  )
  await withTiers(0, (url) => finish({ url, token: token(), founded, worked, receiversPort }))
  return { workspaceId: founded.workspaceId, apiKey: founded.apiKey }
}

/** The first start writes the link into the data folder, soon after it is ready. */
async function setupToken(folder: string): Promise<string> {
  const path = join(folder, 'setup-link')
  for (let tries = 0; !existsSync(path) && tries < setupTriesMax; tries += 1) await pause(setupPollMs)
  return readFileSync(path, 'utf8').trim().split('#')[1] ?? ''
}

async function withDatabase(folder: string, work: (db: Database) => Promise<void>): Promise<void> {
  const opened = await openDatabase({ folder: join(folder, 'database') })
  try {
    await work(opened.db)
  } finally {
    await opened.close()
  }
}

/** The owner, the members, and keys that are old by now. */
async function found(baseUrl: string, setup: string, token: string): Promise<Founded> {
  const visitor = personAt({ baseUrl, email: owner.email })
  const { workspaces } = await visitor.call('setup.complete', { token: setup, ...owner })
  const workspaceId = workspaces[0]!.workspaceId
  const ada = await signIn(baseUrl, workspaceId, owner)
  const operator = operatorOf(baseUrl, token, workspaceId)
  await operator.call('workspaces.update', { id: workspaceId, name: 'Acme Robotics', defaultCurrency: 'EUR' })
  const { data: first } = await ada.call('api-keys.list', {})
  for (const { id } of first) await ada.call('api-keys.revoke', { id })
  const memberIds = [await welcomeGrace(baseUrl, ada)]
  for (const { name, email, role } of colleagues)
    memberIds.push((await ada.call('members.add', { name, email, role, status: 'active' })).id)
  const sync = await ada.call('api-keys.create', {
    name: 'CRM import',
    description: 'Keeps companies, contacts and tasks the same as in the CRM.',
    preset: 'sync',
    expiresAt: inDays(365),
  })
  const exporting = await ada.call('api-keys.create', {
    name: 'Nightly export',
    description: 'Copies projects and tasks to the data warehouse.',
    preset: 'read-only',
    ipAllowlist: ['127.0.0.0/8', '192.0.2.0/24'],
    rotationPolicy: { maxAgeDays: foundedDaysAgo - 1 },
    ownerId: nth(memberIds, 0),
  })
  const demo = { name: 'Conference demo', preset: 'read-only', expiresAt: inDays(30 - foundedDaysAgo) } as const
  const idle = await ada.call('api-keys.create', { name: 'Old script', preset: 'sync' })
  await ada.call('api-keys.create', demo)
  await programOf(baseUrl, idle.secret, 'python-requests/2.32').call('projects.list', { limit: 1 })
  await programOf(baseUrl, exporting.secret, 'airbyte/1.8').call('projects.list', { limit: 1 })
  return { workspaceId, apiKey: sync.secret, keyIds: { export: exporting.id, sync: sync.id }, memberIds }
}

/** A colleague takes her invitation, and has an account from then on. Returns her id as a member. */
async function welcomeGrace(baseUrl: string, ada: Person): Promise<string> {
  const { id } = await ada.call('members.add', { name: admin.name, email: admin.email, role: 'admin' })
  const { token } = await ada.call('invitations.create', { memberId: id })
  const grace = personAt({ baseUrl, email: admin.email })
  await grace.call('invitations.accept', { token, ...admin })
  return id
}

const terms = 'Robots are delivered charged.\n'

type At = { readonly url: string; readonly token: string; readonly founded: Founded; readonly receiversPort: number }

async function work({ url, token, founded, receiversPort }: At): Promise<Worked> {
  const { workspaceId, apiKey, memberIds } = founded
  const ada = await signIn(url, workspaceId, owner)
  const key = programOf(url, apiKey, 'acme-sync/4.2 (node)')
  const webhooks = await earlyWebhooks(ada, receiversPort)
  const content = await makeContent(operatorOf(url, token, workspaceId), key, memberIds)
  const { id, secret } = await ada.call('api-keys.create', {
    name: 'Assistant',
    preset: 'agent',
    surfaces: ['mcp'],
    ownerId: nth(memberIds, 1),
    expiresAt: inDays(60),
  })
  await changeSome(key, content, 1)
  const { upload } = await key.call('files.create', { name: 'Terms of delivery.txt', bytes: terms.length })
  await fetch(url + upload.url, { method: upload.method, body: terms })
  await key.call('jobs.create', { kind: 'export' })
  await settled(ada)
  return { content, webhooks, assistant: { id, secret } }
}

async function finish({ url, founded, worked, receiversPort }: At & { readonly worked: Worked }): Promise<void> {
  const { workspaceId, apiKey, memberIds } = founded
  const ada = await signIn(url, workspaceId, owner)
  const grace = await signIn(url, workspaceId, admin)
  const key = programOf(url, apiKey, 'acme-sync/4.2 (node)')
  const webhooks = { ...worked.webhooks, ...(await laterWebhooks(ada, receiversPort)) } as Webhooks
  await fillStates(ada, key, worked.content, webhooks)
  await changeAccess(ada, grace, memberIds)
  for (const name of ['search.query', 'projects.list', 'objects.delete'])
    await callTool(url, worked.assistant.secret, name, name === 'search.query' ? { q: 'website' } : {})
  await ada.call('api-keys.rotate', { id: worked.assistant.id, overlapHours: 168 })
  await callInVain(key)
  for (let n = 0; n < 10; n += 1) await key.call('tasks.list', { limit: 5 })
  // Keys without an end are stopped after three days, and the page of the policy names them.
  await ada.call('workspaces.update', { id: workspaceId, apiPolicy: { requireExpiry: true }, policyGraceHours: 72 })
}

/** People and keys in the states that they can be in. */
async function changeAccess(ada: Person, grace: Person, memberIds: readonly string[]): Promise<void> {
  const suspended = memberIds.at(-1)!
  await ada.call('api-keys.create', { name: 'Key of Radia', preset: 'agent', ownerId: suspended })
  await ada.call('members.update', { id: suspended, status: 'suspended' })
  const invited = await ada.call('members.add', { name: 'Linus Torvalds', email: 'linus@example.com' })
  await ada.call('invitations.create', { memberId: invited.id })
  const left = await ada.call('members.add', { name: 'Ken Thompson', email: 'ken@example.com', status: 'active' })
  await ada.call('members.remove', { id: left.id })
  await ada.call('api-keys.create', { name: 'Staging', preset: 'webhooks', expiresAt: inDays(5), rateLimit: null })
  await grace.call('account.update', { email: 'grace.hopper@example.com' })
}

/** Calls that are refused: they stand in the audit log and in the usage of the key. */
async function callInVain(key: Client): Promise<void> {
  const refused = [
    () => key.call('audit-entries.list', {}),
    () => key.call('deliveries.list', {}),
    () => key.call('projects.get', { id: 'NONE' }),
  ]
  for (const call of refused)
    await call().then(
      () => {
        throw new Error('A call of the samples was to be refused, and was not.')
      },
      () => {},
    )
}

type Account = { readonly email: string; readonly password: string }

async function signIn(baseUrl: string, workspaceId: string, { email, password }: Account): Promise<Person> {
  const person = personAt({ baseUrl, email, workspaceId })
  await person.call('sessions.create', { email, password })
  return person
}

const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString()
