// A project.
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

export const projectStatuses = ['planned', 'active', 'paused', 'completed', 'cancelled'] as const
export const ProjectStatus = Type.Enum([...projectStatuses])
export type ProjectStatus = Static<typeof ProjectStatus>
export const projectHealths = ['on_track', 'at_risk', 'off_track'] as const

const fieldsNaming = ({ member }: References) => ({
  key: Type.String({
    pattern: '^[A-Z]{2,10}$',
    description:
      'Two to ten capitals, unique in the workspace. With a new one all tasks of the project get new identifiers, each as a change of its own; by the former ones they are still found.',
  }),
  name: Name,
  description: nullable(Description),
  status: ProjectStatus,
  health: nullable(Type.Enum([...projectHealths])),
  priority: Priority,
  ownerId: nullable(member),
  memberIds: Type.Array(member, { maxItems: 100, uniqueItems: true }),
  companyId: nullable(Id),
  labels: Labels,
  startDate: nullable(DateOnly),
  dueDate: nullable(DateOnly),
  customFields: CustomFields,
  ...externalIdFields,
})

/** The fields that callers can set. */
export const writableFields = fieldsNaming(accepted)

export const Project = closed({
  ...resourceFields('project'),
  ...fieldsNaming(shown),
  completedAt: nullable(Timestamp),
  archivedAt: nullable(Timestamp),
})
export type Project = Static<typeof Project>
