// The operations on members bound to their functions.
import type { Handlers } from '../execution/call.ts'
import type { Pager } from '../collection/pagination.ts'
import { get, list } from './read.ts'
import { add } from './write.ts'

type Parts = { readonly pager: Pager }

export const memberHandlers = ({ pager }: Parts) =>
  ({
    'members.list': list(pager),
    'members.get': get,
    'members.add': add,
  }) satisfies Partial<Handlers>
