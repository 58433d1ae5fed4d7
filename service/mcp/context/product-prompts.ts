// The prompts of the product: a report on a project, a standup, a brief on a company before a conversation, and tasks
// out of the notes of a meeting.
import { openDealStages } from '#contract/crm-entities.ts'
import { listMembers } from '#contract/members.ts'
import { covers } from '#contract/scopes.ts'
import { openTaskStatuses } from '#contract/tasks.ts'
import { inNaming } from '#contract/tools/names.ts'
import { callOperation, type Exchange } from '../tools/runner.ts'
import { objectNamed, memberNamed } from './name-lookup.ts'
import { pageOf, listed, quoted } from './object-page.ts'
import { uriOf, type ObjectFields } from './objects.ts'
import { dayOf, daysFrom, embedded, factLists, instructions, textMessage, type Prompt } from './prompt.ts'

export const projectStatus: Prompt = {
  name: 'project-status',
  title: 'Project status',
  description:
    'A report on a project: where it stands, what was done this week, what is overdue or blocked, what is next.',
  arguments: [
    {
      name: 'project',
      title: 'Project',
      description: 'Key (WEB), name or id of a project.',
      required: true,
      lengthMax: 255,
      completes: 'projects',
    },
  ],
  scopes: ['projects:read', 'tasks:read'],
  changes: false,
  messages: async ({ project: text = '' }, exchange, now) => {
    const project = await objectNamed({ segment: 'projects', argument: 'project', text }, exchange)
    const projectId = [project.id]
    const lists = [
      {
        title: 'Done in the last seven days',
        filter: { projectId, status: ['done'], updatedAfter: daysFrom(now, -7).toISOString() },
      },
      { title: 'Overdue', filter: { projectId, status: openTaskStatuses, dueBefore: dayOf(now), sort: ['dueDate'] } },
      { title: 'Blocked', filter: { projectId, status: ['blocked'] } },
    ]
    return [
      instructions([
        `Write a status report on the project that follows. Today is ${dayOf(now)} (UTC).`,
        'Begin with one sentence: on track, at risk or off track, and why. Then what was done, what is overdue or blocked and by what, and what comes next.',
        'At most 250 words. Name tasks by their identifiers. Say where the facts do not suffice, and invent nothing.',
      ]),
      embedded(uriOf('projects', project), await pageOf('projects', project.id, exchange)),
      await factLists(
        lists.map((list) => ({ ...list, segment: 'tasks' as const })),
        exchange,
      ),
    ]
  },
}

const monday = 1

export const standup: Prompt = {
  name: 'standup',
  title: 'Standup',
  description: 'What a member has done since the last working day, is working on, and is blocked by.',
  arguments: [
    {
      name: 'member',
      title: 'Member',
      description: 'Email address, name or id of a member. The owner of the key where it is left out.',
      required: false,
      lengthMax: 254,
      completes: 'members',
    },
  ],
  scopes: ['tasks:read'],
  changes: false,
  messages: async ({ member: text = 'me' }, exchange, now) => {
    const member = await memberNamed({ argument: 'member', text }, exchange)
    const since = daysFrom(now, now.getUTCDay() === monday ? -3 : -1)
    const assigneeId = [member.id]
    const lists = [
      {
        title: `Done since ${since.toISOString()}`,
        filter: { assigneeId, status: ['done'], updatedAfter: since.toISOString() },
      },
      { title: 'In progress', filter: { assigneeId, status: ['in_progress'] } },
      { title: 'Blocked', filter: { assigneeId, status: ['blocked'] } },
      {
        title: 'Not begun, overdue or due within three days',
        filter: { assigneeId, status: ['backlog', 'todo'], dueBefore: dayOf(daysFrom(now, 4)), sort: ['dueDate'] },
      },
    ]
    return [
      instructions([
        `Write a standup report for ${member.name === 'me' ? 'me' : JSON.stringify(member.name)}. Today is ${dayOf(now)} (UTC).`,
        'Three short lists: done, doing, blocked. Name each task by its identifier. Say which are overdue.',
        'Where a task is blocked, read its resource to say by what. Invent nothing: an empty list is "nothing".',
      ]),
      await factLists(
        lists.map((list) => ({ ...list, segment: 'tasks' as const })),
        exchange,
      ),
    ]
  },
}

export const accountBrief: Prompt = {
  name: 'account-brief',
  title: 'Account brief',
  description: 'What to know about a company before a call: people, open deals, work under way, what was said last.',
  arguments: [
    {
      name: 'company',
      title: 'Company',
      description: 'Name or id of a company.',
      required: true,
      lengthMax: 255,
      completes: 'companies',
    },
  ],
  scopes: ['crm-entities:read'],
  changes: false,
  messages: async ({ company: text = '' }, exchange, now) => {
    const wanted = { segment: 'crm-entities', argument: 'company', text, filter: { kind: ['company'] } } as const
    const company = await objectNamed(wanted, exchange)
    const deals = {
      title: 'Open deals',
      segment: 'crm-entities',
      filter: {
        kind: ['deal'],
        companyId: [company.id],
        stage: openDealStages,
        fields: ['kind', 'name', 'stage', 'amount', 'expectedCloseDate', 'updatedAt'],
      },
      describe: dealText,
    } as const
    return [
      instructions([
        `Write a brief on the company that follows, for a person who talks to it today, ${dayOf(now)} (UTC).`,
        'Who they are; the people to know; open deals with stage, amount and expected close; work under way; what was said last; what to ask.',
        'At most one page. Say what is old or missing, and invent nothing.',
      ]),
      embedded(uriOf('crm-entities', company), await pageOf('crm-entities', company.id, exchange)),
      await factLists([deals], exchange),
    ]
  },
}

function dealText(deal: ObjectFields): string {
  const { amount, expectedCloseDate } = deal as ObjectFields & {
    readonly amount?: { readonly amount: string; readonly currency: string } | null
    readonly expectedCloseDate?: string | null
  }
  const worth = amount ? `, ${amount.amount} ${amount.currency}` : ''
  return `${listed('crm-entities', deal)}${worth}${expectedCloseDate ? `, closes ${expectedCloseDate}` : ''}`
}

const notesLengthMax = 50_000
const membersMax = 100

export const meetingNotesToTasks: Prompt = {
  name: 'meeting-notes-to-tasks',
  title: 'Meeting notes to tasks',
  description: 'Makes tasks of a project out of the notes of a meeting, after the user has agreed to them.',
  arguments: [
    {
      name: 'project',
      title: 'Project',
      description: 'Key (WEB), name or id of the project that the tasks belong to.',
      required: true,
      lengthMax: 255,
      completes: 'projects',
    },
    {
      name: 'notes',
      title: 'Notes',
      description: `The notes as they were written, at most ${notesLengthMax} characters.`,
      required: true,
      lengthMax: notesLengthMax,
      completes: null,
    },
  ],
  scopes: ['projects:read', 'tasks:write'],
  changes: true,
  messages: async ({ project: text = '', notes = '' }, exchange, now) => {
    const project = await objectNamed({ segment: 'projects', argument: 'project', text }, exchange)
    const tasks = {
      title: 'Open tasks',
      segment: 'tasks',
      filter: { projectId: [project.id], status: openTaskStatuses },
    } as const
    const create = inNaming(exchange.caller.naming, 'tasks.create')
    return [
      instructions([
        `Find what was agreed to be done in the notes that follow, and make tasks of it in the project ${String(project['key'])}. Today is ${dayOf(now)} (UTC).`,
        'First show the user a list: title, assignee, due date, and the words of the notes that each comes from. Leave out what an open task covers already, and name that task.',
        `When the user agrees, call \`${create}\` for each with \`projectId: "${String(project['key'])}"\` and an \`idempotencyKey\` of its own, so that a repeated call makes no second task.`,
        'Assign no person and set no date that the notes do not name.',
      ]),
      await factLists([tasks], exchange),
      ...(await members(exchange)),
      textMessage(`## Notes\n${quoted(notes, notesLengthMax)}`),
    ]
  },
}

async function members(exchange: Exchange) {
  if (!covers(exchange.caller.principal.scopes, 'members:read')) return []
  const { body } = await callOperation(listMembers, { status: ['active'], sort: 'name', limit: membersMax }, exchange)
  const lines = body.data.flatMap((each) =>
    'email' in each ? [`- ${each.id} ${JSON.stringify(each.name)} <${each.email}>`] : [],
  )
  return [textMessage(['## Members, for `assigneeIds`', ...lines].join('\n'))]
}
