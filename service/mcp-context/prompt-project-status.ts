// The prompt for a report on a project.
import { openTaskStatuses } from '#contract/tasks.ts'
import { objectNamed } from './name-lookup.ts'
import { dayOf, daysFrom, embedded, factLists, instructions, type Prompt } from './prompt.ts'
import { pageOf } from './read-object.ts'
import { uriOf } from './uri.ts'

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
      ...{ required: true, lengthMax: 200, completes: 'projects' },
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
