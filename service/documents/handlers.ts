// What documents have beside the operations of every collection, bound to its functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { edit } from './edit.ts'
import { list } from './list.ts'
import { readContent } from './read-content.ts'

type DocumentDeps = { readonly pager: Pager }

export const documentHandlers = ({ pager }: DocumentDeps) =>
  ({
    'documents.list': list(pager),
    'documents.read-content': readContent,
    'documents.edit': edit,
  }) satisfies Partial<Handlers>
