// A custom field: one that a workspace has added to projects, tasks or CRM entities. Its values are in `customFields`
// of the objects themselves.
import { Type, type Static } from 'typebox'
import { Actor, Id, Timestamp, Version, closed, nullable, ExpectedVersion, optional } from './shared-fields.ts'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'

export const CustomFieldTarget = Type.Enum(['project', 'task', 'company', 'contact', 'deal'])
export type CustomFieldTarget = Static<typeof CustomFieldTarget>

const Key = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,39}$',
  description: 'The name in `customFields`. It never changes.',
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
    description: 'Required for `select` and `multi_select`; no other type takes options.',
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

/** Custom fields of one kind of object that are not archived. */
export const customFieldsPerTargetMax = 100

export const customFieldsTag = tag(
  'custom-fields',
  'Fields that the workspace has added to projects, tasks and CRM entities.',
)

const audiences = ['api', 'settings'] as const

export const listCustomFields = operation({
  name: 'custom-fields.list',
  http: 'GET /custom-fields',
  summary: 'List custom fields',
  description: 'Oldest first. Archived ones are listed only on request.',
  audiences,
  scope: 'workspaces:read',
  input: closed({
    ...pageInput,
    target: Type.Optional(Type.Array(CustomFieldTarget, { minItems: 1, maxItems: 5, description: 'Any of these.' })),
    includeArchived: Type.Optional(Type.Boolean({ default: false })),
  }),
  output: pageOf(CustomField),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})

export const getCustomField = operation({
  name: 'custom-fields.get',
  http: 'GET /custom-fields/{id}',
  summary: 'Get a custom field',
  description: 'One custom field by its id, archived or not.',
  audiences,
  scope: 'workspaces:read',
  input: closed({ id: Id }),
  output: CustomField,
  success: 200,
  errors: ['not_found'],
})

export const createCustomField = operation({
  name: 'custom-fields.create',
  http: 'POST /custom-fields',
  summary: 'Create a custom field',
  description: `Key, target and type cannot be changed later. An object type (\`target\`) can have at most ${customFieldsPerTargetMax} custom fields that are not archived.`,
  audiences,
  scope: 'workspaces:write',
  input: closed({ ...fixedFields, ...optional(writableFields), label: writableFields.label }),
  output: CustomField,
  success: 201,
  errors: ['duplicate', 'limit_reached'],
  audited: true,
})

export const updateCustomField = operation({
  name: 'custom-fields.update',
  http: 'PATCH /custom-fields/{id}',
  summary: 'Change a custom field',
  description:
    'A JSON Merge Patch. A removed option stays on objects where it was chosen, and can no longer be chosen.',
  audiences,
  scope: 'workspaces:write',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion), ...optional(writableFields) }),
  output: CustomField,
  success: 200,
  errors: ['not_found', 'invalid_transition', 'version_mismatch'],
  audited: true,
})

export const archiveCustomField = operation({
  name: 'custom-fields.archive',
  http: 'DELETE /custom-fields/{id}',
  summary: 'Archive a custom field',
  description: 'Existing values stay and can be read; new values are rejected. Archiving it again changes nothing.',
  audiences,
  scope: 'workspaces:write',
  input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion) }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'version_mismatch'],
  audited: true,
})

export const unarchiveCustomField = operation({
  name: 'custom-fields.unarchive',
  http: 'POST /custom-fields/{id}/unarchive',
  summary: 'Unarchive a custom field',
  description: 'The custom field takes values again. If it is not archived, nothing changes.',
  audiences,
  scope: 'workspaces:write',
  input: closed({ id: Id }),
  output: CustomField,
  success: 200,
  errors: ['not_found', 'limit_reached'],
  audited: true,
})
