// The operations on workspaces bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { create } from './create.ts'
import { get, getCurrent, list } from './read.ts'
import { updateCurrent } from './update-current.ts'
import { update } from './update.ts'

type Parts = { readonly pager: Pager }

export const workspaceHandlers = ({ pager }: Parts) =>
  ({
    'workspaces.create': create,
    'workspaces.list': list(pager),
    'workspaces.update': update,
    'workspaces.get': get,
    'workspaces.get-current': getCurrent,
    'workspaces.update-current': updateCurrent,
  }) satisfies Partial<Handlers>
