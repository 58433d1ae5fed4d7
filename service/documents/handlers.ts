// What documents have beside the operations of every collection, bound to its functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { list } from './list.ts'

type Parts = { readonly pager: Pager }

export const documentHandlers = ({ pager }: Parts) =>
  ({
    'documents.list': list(pager),
  }) satisfies Partial<Handlers>
