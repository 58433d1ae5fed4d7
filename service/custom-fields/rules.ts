// What a custom field may be. Pure.
import type { CustomField, createCustomField, updateCustomField } from '#contract/custom-fields.ts'
import { Fault, type FieldCode } from '#contract/fault.ts'
import type { Actor } from '#contract/fields.ts'
import { customFieldsPerTargetMax, customFieldsWithArchivedPerTargetMax } from '#contract/size-limits.ts'
import type { Input } from '#contract/operation.ts'
import { isUnchanged } from '../execution/changed-fields.ts'

type Patch = Omit<Input<typeof updateCustomField>, 'id' | 'expectedVersion'>
type Origin = { readonly id: string; readonly workspaceId: string; readonly actor: Actor; readonly now: Date }

export function draft(input: Input<typeof createCustomField>, { id, workspaceId, actor, now }: Origin): CustomField {
  const at = now.toISOString()
  return consistent({
    id,
    object: 'custom_field',
    workspaceId,
    options: [],
    required: false,
    ...input,
    archivedAt: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
    createdBy: actor,
    updatedBy: actor,
  })
}

/** The custom field after the patch; the very same value where nothing would change. */
export function applyPatch(field: CustomField, patch: Patch, actor: Actor, now: Date): CustomField {
  if (field.archivedAt !== null) {
    throw new Fault('invalid_transition', 'An archived custom field does not change.', {
      from: 'archived',
      allowed: [],
    })
  }
  const revised = consistent({ ...field, ...patch })
  return isUnchanged(field, revised) ? field : bumpVersion(revised, actor, now)
}

/** The next version of a custom field that has changed. */
export const bumpVersion = (field: CustomField, actor: Actor, now: Date): CustomField => ({
  ...field,
  version: field.version + 1,
  updatedAt: now.toISOString(),
  updatedBy: actor,
})

export function assertRoom({ active, all }: { readonly active: number; readonly all: number }): void {
  if (active >= customFieldsPerTargetMax) throw full(customFieldsPerTargetMax, 'that are not archived')
  if (all >= customFieldsWithArchivedPerTargetMax) throw full(customFieldsWithArchivedPerTargetMax, 'in all')
}

const full = (limit: number, which: string): Fault =>
  new Fault('limit_reached', `A target has at most ${limit} custom fields ${which}.`, { limit })

function consistent(field: CustomField): CustomField {
  const choice = field.type === 'select' || field.type === 'multi_select'
  if (choice && field.options.length === 0) throw refused('required', `A ${field.type} needs options.`)
  if (!choice && field.options.length > 0) throw refused('unknown', `A ${field.type} has no options.`)
  return field
}

const refused = (code: FieldCode, detail: string): Fault =>
  new Fault('validation_failed', `/options: ${detail}`, { errors: [{ pointer: '/options', code, detail }] })
