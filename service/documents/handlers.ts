// What documents have beside the operations of every collection, bound to its functions.
import type { Handlers } from '../execution/call.ts'
import type { Pager } from '../collection/pagination.ts'
import { edit } from './edit.ts'
import { list } from './list.ts'
import { readContent } from './read-content.ts'

type Parts = { readonly pager: Pager }

export const documentHandlers = ({ pager }: Parts) =>
  ({
    'documents.list': list(pager),
    'documents.read-content': readContent,
    'documents.edit': edit,
  }) satisfies Partial<Handlers>
