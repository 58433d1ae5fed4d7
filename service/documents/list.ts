import type { listDocuments } from '#contract/documents.ts'
import type { Output } from '#contract/operation.ts'
import { listPage } from '../collection/read.ts'
import type { Handler } from '../execution/call.ts'
import type { Pager } from '../collection/pagination.ts'
import { documents } from './collection.ts'
import { withPageBound } from './rules.ts'

export const list =
  (pager: Pager): Handler<typeof listDocuments> =>
  async (query, call) => {
    const page = await listPage(documents, pager, withPageBound(query), call)
    return page as Output<typeof listDocuments>
  }
