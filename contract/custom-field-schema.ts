// A custom field: one that a workspace has added to projects, tasks or CRM entities. Its values are in `customFields`
// of the objects themselves.
import { Type, type Static } from 'typebox'
import { Actor, Id, Timestamp, Version, closed, nullable } from './shared-fields.ts'

export const CustomFieldTarget = Type.Enum(['project', 'task', 'company', 'contact', 'deal'])
export type CustomFieldTarget = Static<typeof CustomFieldTarget>

const Key = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,39}$',
  description: 'The name in `customFields`. Never changes.',
})
const ValueType = Type.Enum(['text', 'number', 'date', 'boolean', 'select', 'multi_select', 'user', 'url'])
const Line = Type.String({ minLength: 1, maxLength: 100, format: 'line' })

/** The fields that can be changed. */
export const writableFields = {
  label: Line,
  options: Type.Array(Line, {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'For `select` and `multi_select`, which need them; no other type takes any.',
  }),
  required: Type.Boolean({ description: 'An object cannot be created without a value.' }),
}

/** The fields that are set at creation and never change. */
export const fixedFields = { key: Key, target: CustomFieldTarget, type: ValueType }

export const CustomField = closed({
  id: Id,
  object: Type.Literal('custom_field'),
  workspaceId: Id,
  ...fixedFields,
  ...writableFields,
  options: Type.Array(Line, { maxItems: 100 }),
  archivedAt: nullable(Timestamp),
  version: Version,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: Actor,
  updatedBy: Actor,
})
export type CustomField = Static<typeof CustomField>
