// The prompt that makes tasks of the notes of a meeting.
import { listMembers } from '#contract/members.ts'
import { covers } from '#contract/scopes.ts'
import { openTaskStatuses } from '#contract/tasks.ts'
import { inNaming } from '#contract/tools/names.ts'
import { callOperation } from '../mcp-tools/call-operation.ts'
import type { Exchange } from '../mcp-tools/exchange.ts'
import { objectNamed } from './name-lookup.ts'
import { quoted } from './object-page.ts'
import { dayOf, factLists, instructions, textMessage, type Prompt } from './prompt.ts'

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
      ...{ required: true, lengthMax: 200, completes: 'projects' },
    },
    {
      name: 'notes',
      title: 'Notes',
      description: `The notes as they were written, at most ${notesLengthMax} characters.`,
      ...{ required: true, lengthMax: notesLengthMax, completes: null },
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
        'Assign nobody and set no date that the notes do not name.',
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
