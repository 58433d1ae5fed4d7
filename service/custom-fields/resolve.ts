// The values of custom fields on an object that is about to be written: against the workspace's definitions, and with
// the members that they name.
import type { CustomFieldTarget } from '#contract/custom-field-schema.ts'
import type { Call } from '../execution/handler.ts'
import { assertAreMembers } from '../members/rows.ts'
import { findDefinitions } from './rows.ts'
import { checkCustomFields, membersNamed, type Values } from './values.ts'

type Asked = {
  readonly target: CustomFieldTarget
  readonly before: Values | null
  readonly patch: Values | undefined
}

export async function resolveCustomFields(
  { target, before, patch }: Asked,
  { db, workspaceId, hasCustomFields }: Call,
): Promise<Record<string, unknown>> {
  if (patch === undefined && (before !== null || !hasCustomFields)) return { ...before }
  const definitions = await findDefinitions(db, workspaceId, target)
  const values = checkCustomFields(definitions, before, patch)
  await assertAreMembers(db, workspaceId, membersNamed(definitions, before, patch))
  return values
}
