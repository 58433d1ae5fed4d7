// Twelve tasks of an agent, each as the calls of one that has read `tools/list`, and what must be true afterwards.
import { expect } from 'vitest'
import { must } from '../../../support/system.ts'
import type { ToolResult } from '../../../support/mcp.ts'
import { dayFromNow, type World } from './world.ts'

/** Throws where the tool refuses. */
export type Agent = { readonly call: (tool: string, args?: object) => Promise<ToolResult> }
type Row = { readonly id: string } & Readonly<Record<string, unknown>>
type Task = { readonly name: string; readonly run: (agent: Agent, world: World) => Promise<void> }

const open = ['!done', '!cancelled']
const dataOf = ({ structured }: { readonly structured: { readonly data: readonly Row[] } }): readonly Row[] =>
  structured.data

async function found(agent: Agent, q: string, type: string): Promise<Row> {
  const [first] = dataOf(await agent.call('search.query', { q, types: [type], limit: 5 }))
  if (first === undefined) throw new Error(`Nothing found by ${q}`)
  return first
}

const read = async ({ tenant }: World, path: string) => must(await tenant.api('GET', `/api/v1/${path}`))

export const tasks: readonly Task[] = [
  {
    name: 'Find the overdue tasks of an account and assign them to me',
    run: async (agent, world) => {
      const { id } = dataOf(await agent.call('crm-entities.list', { q: 'Acme', kind: ['company'], limit: 5 }))[0]!
      const overdue = { crmEntityId: [id], status: open, dueBefore: world.today }
      const late = dataOf(await agent.call('tasks.list', { ...overdue, fields: ['identifier', 'title', 'dueDate'] }))
      const items = late.map((task) => ({ action: 'update', id: task['identifier'], data: { assigneeIds: ['me'] } }))
      await agent.call('objects.bulk', { type: 'tasks', items })

      expect(late.length).toBeGreaterThan(1)
      for (const task of late) expect((await read(world, `tasks/${task.id}`)).assigneeIds).toEqual([world.me.id])
    },
  },
  {
    name: 'Move a deal to the next stage and note why',
    run: async (agent, world) => {
      const { id } = await found(agent, 'Initech renewal', 'crm-entities')
      await agent.call('crm-entities.update', { id, stage: 'negotiation' })
      const body = 'Moved to negotiation: **budget approved** on the phone.'
      await agent.call('comments.create', { type: 'crm-entities', id, body })

      expect((await read(world, `crm-entities/${id}`)).stage).toBe('negotiation')
      expect((await read(world, `crm-entities/${id}/comments`)).data).toMatchObject([{ body }])
    },
  },
  {
    name: 'Summarise a section of a document',
    run: async (agent) => {
      const { id } = await found(agent, 'handbook expenses', 'documents')
      const { text } = await agent.call('documents.get', { id, section: 'Expenses' })

      expect(text).toContain('## Expenses')
      expect(text).not.toContain('## Security')
    },
  },
  {
    name: 'Report the week of a project',
    run: async (agent, world) => {
      const project = await agent.call('projects.get', { id: 'WEB', expand: ['taskCounts'] })
      const week = await agent.call('changes.list', { since: dayFromNow(-7), types: ['tasks'], limit: 30 })
      const late = await agent.call('tasks.list', { projectId: ['WEB'], status: open, dueBefore: world.today })

      expect(project.text).toContain('Website relaunch')
      expect(week.text).toContain('WEB-1')
      expect(dataOf(late).length).toBeGreaterThan(0)
    },
  },
  {
    name: 'Onboard a client: company, contact, project, three tasks',
    run: async (agent, world) => {
      const company = (await agent.call('crm-entities.create', { kind: 'company', name: 'Cyberdyne' })).structured
      const contact = { kind: 'contact', firstName: 'Miles', lastName: 'Dyson', companyId: company.id }
      await agent.call('crm-entities.create', contact)
      await agent.call('projects.create', { name: 'Cyberdyne onboarding', key: 'CYB', companyId: company.id })
      const titles = ['Send the welcome mail', 'Set up access', 'Plan the kick-off']
      const items = titles.map((title) => ({
        action: 'create',
        data: { projectId: 'CYB', title, assigneeIds: ['me'] },
      }))
      await agent.call('objects.bulk', { type: 'tasks', atomic: true, items })

      expect((await read(world, 'projects/CYB/tasks')).data).toHaveLength(3)
    },
  },
  {
    name: 'Triage urgent tasks without an assignee',
    run: async (agent, world) => {
      const urgent = { priority: ['urgent'], status: open, fields: ['identifier', 'title', 'assigneeIds', 'dueDate'] }
      const listed = dataOf(await agent.call('tasks.list', urgent))
      const nobodys = listed.filter(({ assigneeIds = [] }) => (assigneeIds as unknown[]).length === 0)
      const bob = await found(agent, 'Bob', 'members')
      const items = nobodys.map(({ identifier }) => ({
        action: 'update',
        id: identifier,
        data: { assigneeIds: [bob.id] },
      }))
      await agent.call('objects.bulk', { type: 'tasks', items })

      expect(nobodys.length).toBeGreaterThan(0)
      for (const { id } of nobodys) expect((await read(world, `tasks/${id}`)).assigneeIds).toEqual([world.bob.id])
    },
  },
  {
    name: 'Find who works on a project',
    run: async (agent) => {
      const { text } = await agent.call('projects.get', { id: 'WEB', expand: ['owner', 'members'] })
      await agent.call('objects.count', {
        type: 'tasks',
        filter: { projectId: ['WEB'], assigneeId: ['me'], status: open },
      })

      expect(text).toContain('Bob Mason')
    },
  },
  {
    name: 'Tell what has changed since yesterday',
    run: async (agent) => {
      const { text } = await agent.call('changes.list', { since: dayFromNow(-1), limit: 100 })

      expect(text).toContain('Website relaunch')
    },
  },
  {
    name: 'Clean up duplicates, tried first',
    run: async (agent, world) => {
      const same = dataOf(await agent.call('crm-entities.list', { q: 'Globex', kind: ['company'] }))
      const ids = same.filter(({ name }) => name === 'Globex Inc').map(({ id }) => id)
      const tried = await agent.call('objects.delete', { type: 'crm-entities', ids, dryRun: true })
      await agent.call('objects.delete', { type: 'crm-entities', ids })

      expect(tried.text).toContain('Globex Inc')
      expect((await world.tenant.api('GET', `/api/v1/crm-entities/${ids[0]}`)).status).toBe(404)
    },
  },
  {
    name: 'Turn meeting notes into tasks',
    run: async (agent, world) => {
      const { id } = await found(agent, 'kick-off notes', 'documents')
      const { text } = await agent.call('documents.get', { id })
      const bob = await found(agent, 'Bob', 'members')
      const data = [
        { title: 'Send the contract', assigneeIds: [bob.id] },
        { title: 'Book the studio', assigneeIds: ['me'] },
        { title: 'List all pages' },
      ]
      const items = data.map((each) => ({ action: 'create', data: { projectId: 'WEB', ...each } }))
      await agent.call('objects.bulk', { type: 'tasks', atomic: true, items, idempotencyKey: 'kick-off' })

      expect(text).toContain('Ada books the studio')
      expect((await read(world, 'tasks?q=studio')).data).toMatchObject([{ assigneeIds: [world.me.id] }])
    },
  },
  {
    name: 'Correct a sentence in a document',
    run: async (agent, world) => {
      const { id } = await found(agent, 'opening hours', 'documents')
      await agent.call('documents.update', { id, edits: [{ find: 'from 9 to 5', replace: 'from 10 to 6' }] })

      expect((await read(world, `documents/${id}`)).content).toContain('The office is open from 10 to 6.')
    },
  },
  {
    name: 'Report the pipeline by stage',
    run: async (agent) => {
      const filter = { kind: ['deal'], stage: ['!won', '!lost'] }
      const { structured } = await agent.call('objects.count', { type: 'crm-entities', filter, groupBy: 'stage' })
      const deals = await agent.call('crm-entities.list', { ...filter, fields: ['name', 'stage', 'amount'] })

      expect(structured.total).toBe(dataOf(deals).length)
    },
  },
]
