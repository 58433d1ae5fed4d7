import type { getApiKey, listApiKeys } from '#contract/api-keys.ts'
import type { Handler } from '../execution/call.ts'
import { keyset, type Pager } from '../collection/pagination.ts'
import { findKey, findKeys, toApiKey } from './rows.ts'

export const get: Handler<typeof getApiKey> = async ({ id }, { db, workspaceId, now }) =>
  toApiKey(await findKey(db, workspaceId, id, now), now)

export const list =
  (pager: Pager): Handler<typeof listApiKeys> =>
  async (input, { db, workspaceId, now }) => {
    const paging = pager.open('api-keys.list', workspaceId, input, '-createdAt')
    const { where, ...page } = keyset(paging)
    const rows = await findKeys(db, { AND: [{ workspaceId }, where] }, page, now)
    return pager.page(
      rows,
      paging,
      (row) => row.createdAt.toISOString(),
      (row) => toApiKey(row, now),
    )
  }
