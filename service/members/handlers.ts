// The operations on members bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { get, list } from './read.ts'
import { add, remove, update } from './write.ts'

type Parts = { readonly pager: Pager }

export const memberHandlers = ({ pager }: Parts) =>
  ({
    'members.list': list(pager),
    'members.get': get,
    'members.add': add,
    'members.update': update,
    'members.remove': remove,
  }) satisfies Partial<Handlers>
