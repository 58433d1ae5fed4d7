// The rules for definitions of custom fields and for their number. Pure: the functions throw a Fault.
import {
  customFieldsPerTargetMax,
  type CustomField,
  type createCustomField,
  type updateCustomField,
} from '#contract/custom-fields.ts'
import { Fault, type FieldCode } from '#contract/faults/fault.ts'
import type { Input } from '#contract/operation.ts'
import { customFieldsWithArchivedPerTargetMax } from '#contract/shared-fields.ts'
import { invalidValue } from '../faults/shared-faults.ts'
import { bumpVersion, versionFields, type ChangeContext, isUnchanged } from '../execution/system-fields.ts'

export type Definition = Pick<CustomField, 'key' | 'type' | 'options' | 'required'> & { readonly archived: boolean }

type Patch = Omit<Input<typeof updateCustomField>, 'id' | 'expectedVersion'>
type Author = Pick<ChangeContext, 'actor' | 'now'>

export const draft = (input: Input<typeof createCustomField>, origin: ChangeContext): CustomField =>
  consistent({ ...versionFields('custom_field', origin), options: [], required: false, ...input, archivedAt: null })

/** Returns the custom field after the patch, or `field` itself when nothing changes. */
export function applyPatch(field: CustomField, patch: Patch, author: Author): CustomField {
  if (field.archivedAt !== null) {
    throw new Fault('invalid_transition', 'An archived custom field does not change.', {
      from: 'archived',
      allowed: [],
    })
  }
  const next = consistent({ ...field, ...patch })
  return isUnchanged(field, next) ? field : bumpVersion(next, author)
}

/** Throws `limit_reached`. `active` are the target's fields that are not archived. */
export function assertRoom({ active, all }: { readonly active: number; readonly all: number }): void {
  if (active >= customFieldsPerTargetMax) throw full(customFieldsPerTargetMax, 'that are not archived')
  if (all >= customFieldsWithArchivedPerTargetMax)
    throw full(customFieldsWithArchivedPerTargetMax, 'including archived ones')
}

const full = (limit: number, which: string): Fault =>
  new Fault('limit_reached', `An object type can have at most ${limit} custom fields ${which}.`, { limit })

function consistent(field: CustomField): CustomField {
  const isChoice = field.type === 'select' || field.type === 'multi_select'
  if (isChoice && field.options.length === 0) throw refused('required', `A ${field.type} needs options.`)
  if (!isChoice && field.options.length > 0) throw refused('unknown', `A ${field.type} has no options.`)
  return field
}

const refused = (code: FieldCode, detail: string): Fault => invalidValue('/options', code, detail)
