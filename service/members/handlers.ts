// The operations on members bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { get, list } from './read.ts'
import { add } from './write.ts'

type MemberDeps = { readonly pager: Pager }

export const memberHandlers = ({ pager }: MemberDeps) =>
  ({
    'members.list': list(pager),
    'members.get': get,
    'members.add': add,
  }) satisfies Partial<Handlers>
