// The operations on members bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/pagination.ts'
import { add } from './add.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { remove } from './remove.ts'
import { update } from './update.ts'

type Parts = { readonly pager: Pager }

export const memberHandlers = ({ pager }: Parts) =>
  ({
    'members.list': list(pager),
    'members.get': get,
    'members.add': add,
    'members.update': update,
    'members.remove': remove,
  }) satisfies Partial<Handlers>
