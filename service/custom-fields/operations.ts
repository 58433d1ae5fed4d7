// The definitions of custom fields: listed, created, updated, archived and unarchived.
import type {
  getCustomField,
  listCustomFields,
  createCustomField,
  updateCustomField,
  archiveCustomField,
  unarchiveCustomField,
} from '#contract/custom-fields.ts'
import { newId } from '#runtime/new-id.ts'
import type { Handlers, Handler } from '../execution/call.ts'
import { keyset, type Pager } from '../collection/pagination.ts'
import { bumpVersion } from '../execution/system-fields.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { assertRoomFor } from '../execution/quotas.ts'
import {
  findCustomField,
  findCustomFields,
  assertNoDuplicate,
  countOf,
  insertCustomField,
  updateCustomFieldRow,
} from './rows.ts'
import { applyPatch, assertRoom, draft } from './rules.ts'

type CustomFieldDeps = { readonly pager: Pager }

export const customFieldHandlers = ({ pager }: CustomFieldDeps) =>
  ({
    'custom-fields.list': list(pager),
    'custom-fields.get': get,
    'custom-fields.create': create,
    'custom-fields.update': update,
    'custom-fields.archive': archive,
    'custom-fields.unarchive': unarchive,
  }) satisfies Partial<Handlers>

const get: Handler<typeof getCustomField> = ({ id }, { db, workspaceId }) => findCustomField(db, workspaceId, id)

const list =
  (pager: Pager): Handler<typeof listCustomFields> =>
  async (input, { db, workspaceId }) => {
    const { target, includeArchived } = input
    const paging = pager.open('custom-fields.list', workspaceId, input, 'createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const filter = {
      workspaceId,
      ...(target && { target: { in: target } }),
      ...(includeArchived !== true && { archivedAt: null }),
    }
    const fields = await findCustomFields(db, { AND: [filter, beyond] }, page)
    return pager.page(
      fields,
      paging,
      ({ createdAt }) => createdAt,
      (field) => field,
    )
  }

const create: Handler<typeof createCustomField> = async (input, { db, workspaceId, actor, now, audit }) => {
  const field = draft(input, { id: newId(now), workspaceId, actor, now })
  await assertNoDuplicate(db, field)
  assertRoom(await countOf(db, field))
  await assertRoomFor(db, workspaceId, 'customFields')
  await insertCustomField(db, field)
  audit(field)
  return field
}

const update: Handler<typeof updateCustomField> = async ({ id, expectedVersion, ...patch }, call) => {
  const { db, workspaceId, audit } = call
  const before = await findCustomField(db, workspaceId, id)
  assertVersion(before, expectedVersion, call)
  const after = applyPatch(before, patch, call)
  if (after === before) return before
  await updateCustomFieldRow(db, after)
  audit(after, before)
  return after
}

const archive: Handler<typeof archiveCustomField> = async ({ id, expectedVersion }, call) => {
  const before = await findCustomField(call.db, call.workspaceId, id)
  if (before.archivedAt !== null) return null
  assertVersion(before, expectedVersion, call)
  const after = { ...bumpVersion(before, call), archivedAt: call.now.toISOString() }
  await updateCustomFieldRow(call.db, after)
  call.audit(after, before)
  return null
}

const unarchive: Handler<typeof unarchiveCustomField> = async ({ id }, call) => {
  const before = await findCustomField(call.db, call.workspaceId, id)
  if (before.archivedAt === null) return before
  const { active, all } = await countOf(call.db, before)
  // `all` counts this field's own row, which is there already.
  assertRoom({ active, all: all - 1 })
  await assertRoomFor(call.db, call.workspaceId, 'customFields')
  const after = { ...bumpVersion(before, call), archivedAt: null }
  await updateCustomFieldRow(call.db, after)
  call.audit(after, before)
  return after
}
