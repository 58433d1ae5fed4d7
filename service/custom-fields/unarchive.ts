import type { unarchiveCustomField } from '#contract/custom-fields.ts'
import type { Handler } from '../execution/handler.ts'
import { countOf, findCustomField, updateCustomField } from './rows.ts'
import { assertRoom, bumpVersion } from './rules.ts'

export const unarchive: Handler<typeof unarchiveCustomField> = async (
  { id },
  { db, workspaceId, actor, now, audit },
) => {
  const before = await findCustomField(db, workspaceId, id)
  if (before.archivedAt === null) return before
  // Its own row is there already.
  const { active, all } = await countOf(db, before)
  assertRoom({ active, all: all - 1 })
  const after = { ...bumpVersion(before, actor, now), archivedAt: null }
  await updateCustomField(db, after)
  audit(after, before)
  return after
}
