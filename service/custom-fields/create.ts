import { v7 as uuid } from 'uuid'
import type { createCustomField } from '#contract/custom-fields.ts'
import type { Handler } from '../execution/handler.ts'
import { assertNoDuplicate, countOf, insertCustomField } from './rows.ts'
import { assertRoom, draft } from './rules.ts'

export const create: Handler<typeof createCustomField> = async (input, { db, workspaceId, actor, now, audit }) => {
  const field = draft(input, { id: uuid({ msecs: now.getTime() }), workspaceId, actor, now })
  await assertNoDuplicate(db, field)
  assertRoom(await countOf(db, field))
  await insertCustomField(db, field)
  audit(field)
  return field
}
