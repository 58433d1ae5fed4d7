// The operations on workspaces bound to their functions.
import type { DefaultRates } from '#contract/rate-limits.ts'
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { create } from './create.ts'
import { get, getCurrent, list } from './read.ts'
import { updateCurrent } from './update-current.ts'
import { update } from './update.ts'

type WorkspaceDeps = { readonly pager: Pager; readonly rates: DefaultRates }

export const workspaceHandlers = ({ pager, rates }: WorkspaceDeps) =>
  ({
    'workspaces.create': create(rates),
    'workspaces.list': list(pager, rates),
    'workspaces.update': update(rates),
    'workspaces.get': get(rates),
    'workspaces.get-current': getCurrent(rates),
    'workspaces.update-current': updateCurrent(rates),
  }) satisfies Partial<Handlers>
