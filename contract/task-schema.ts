// A task of a project.
import { Type, type Static } from 'typebox'
import { accepted, shown, type References } from './references.ts'
import {
  CustomFields,
  DateOnly,
  Description,
  Id,
  Labels,
  Name,
  Priority,
  Timestamp,
  closed,
  externalIdFields,
  nullable,
  resourceFields,
} from './shared-fields.ts'

/** Of a task that is still to be done. */
export const openTaskStatuses = ['backlog', 'todo', 'in_progress', 'blocked'] as const
export const taskStatuses = [...openTaskStatuses, 'done', 'cancelled'] as const
export const TaskStatus = Type.Enum([...taskStatuses])
export type TaskStatus = Static<typeof TaskStatus>

const fieldsNaming = ({ task, project, member }: References) => ({
  projectId: project,
  title: Name,
  description: nullable(Description),
  status: TaskStatus,
  priority: Priority,
  assigneeIds: Type.Array(member, { maxItems: 10, uniqueItems: true }),
  parentTaskId: nullable(task),
  blockedByIds: Type.Array(task, {
    maxItems: 50,
    uniqueItems: true,
    description: 'The tasks that must be done first. They never lead back to the task itself.',
  }),
  crmEntityIds: Type.Array(Id, { maxItems: 50, uniqueItems: true }),
  labels: Labels,
  startDate: nullable(DateOnly),
  dueDate: nullable(DateOnly),
  estimateMinutes: nullable(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  position: Type.Number({
    minimum: -1e15,
    maximum: 1e15,
    description: 'Where it stands among others; new ones come last.',
  }),
  customFields: CustomFields,
  ...externalIdFields,
})

/** The fields that callers can set. */
export const writableFields = fieldsNaming(accepted)

export const Task = closed({
  ...resourceFields('task'),
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Counts within the project.' }),
  identifier: Type.String({
    maxLength: 21,
    description:
      'Key of the project and number, as in WEB-42. Another one where the project gets a new key or the task another project.',
  }),
  ...fieldsNaming(shown),
  completedAt: nullable(Timestamp),
})
export type Task = Static<typeof Task>
