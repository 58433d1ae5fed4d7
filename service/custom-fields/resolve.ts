// The custom fields of an object that is about to be written, checked against the workspace's definitions and members.
import type { CustomFieldTarget } from '#contract/custom-fields.ts'
import type { Call } from '../execution/handler.ts'
import { assertAreMembers } from '../members/rows.ts'
import { withOwner } from './owner-as-value.ts'
import { findDefinitions } from './rows.ts'
import { mergeValues, newMembers, type Values } from './patch-values.ts'

type Change = {
  readonly target: CustomFieldTarget
  readonly before: Values | null
  readonly patch: Values | undefined
}

/** Returns the values to be written. `before` is null for a new object, `patch` undefined when the caller sent none. */
export async function resolveCustomFields(
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
