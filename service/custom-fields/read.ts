import type { getCustomField, listCustomFields } from '#contract/custom-fields.ts'
import type { Handler } from '../execution/call.ts'
import { keyset, type Pager } from '../collection/pagination.ts'
import { findCustomField, findCustomFields } from './rows.ts'

export const get: Handler<typeof getCustomField> = ({ id }, { db, workspaceId }) => findCustomField(db, workspaceId, id)

export const list =
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
