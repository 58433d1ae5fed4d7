// The custom fields of an object that is about to be written, checked against the workspace's definitions and members.
import type { CustomFieldTarget } from '#contract/custom-fields.ts'
import type { CustomFieldRules, Fields } from '../collection/definition.ts'
import type { Call } from '../execution/call.ts'
import { assertAreMembers } from '../members/rows.ts'
import { withOwner } from './owner-as-value.ts'
import { customFieldConditions, type Bounds } from './filter.ts'
import { findDefinitions } from './rows.ts'
import { mergeValues, newMembers, type Values } from './patch-values.ts'

type Change = {
  readonly target: CustomFieldTarget
  readonly before: Values | null
  readonly patch: Values | undefined
}

/** `targetsOf`: what the custom fields of an object, or of the objects that a query asks for, are defined for. */
export const customFieldsFor = (
  targetsOf: (objectOrQuery: Fields) => readonly CustomFieldTarget[],
): CustomFieldRules => ({
  resolve: (object, before, patch, call) => {
    const [target] = targetsOf(object)
    if (target === undefined) throw new Error('An object with custom fields has no target of them')
    return resolveCustomFields({ target, before, patch }, call)
  },
  conditions: (table, query, filter, call) =>
    // The input was validated against the list's schema.
    customFieldConditions({ table, targets: targetsOf(query) }, filter as Readonly<Record<string, Bounds>>, call),
})

/** Returns the values to be written. `before` is null for a new object, `patch` undefined when the caller sent none. */
async function resolveCustomFields(
  { target, before, patch: given }: Change,
  call: Call,
): Promise<Record<string, unknown>> {
  const { db, workspaceId, hasCustomFields } = call
  if (given === undefined && (before !== null || !hasCustomFields)) return { ...before }
  const definitions = await findDefinitions(db, workspaceId, target)
  const patch = given && (await withOwner(definitions, given, call))
  const values = mergeValues(definitions, before, patch)
  await assertAreMembers(db, workspaceId, newMembers(definitions, before, patch))
  return values
}
