import type { listDocuments } from '#contract/documents.ts'
import type { Output } from '#contract/operation.ts'
import { listPage } from '../collection/list.ts'
import type { Handler } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { documents } from './collection.ts'
import { withPageBound } from './rules.ts'

export const list =
  (pager: Pager): Handler<typeof listDocuments> =>
  async (query, call) => {
    const page = await listPage(documents, pager, withPageBound(query), call)
    return page as Output<typeof listDocuments>
  }
