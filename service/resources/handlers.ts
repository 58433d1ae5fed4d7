// The operations on resources bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { list } from './list.ts'
import { read } from './read.ts'

type Parts = { readonly pager: Pager }

export const resourceHandlers = ({ pager }: Parts) =>
  ({
    'resources.list': list(pager),
    'resources.read': read,
  }) satisfies Partial<Handlers>
