// The prompt for a standup: what a member has done, is doing, and is kept from.
import { memberNamed } from './name-lookup.ts'
import { dayOf, daysFrom, factLists, instructions, type Prompt } from './prompt.ts'

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
      ...{ required: false, lengthMax: 254, completes: 'members' },
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
