// The operations on workspaces bound to their functions.
import type { DefaultRates } from '#contract/rate-limits.ts'
import type { Handlers } from '../execution/call.ts'
import type { Pager } from '../collection/pagination.ts'
import { create } from './create.ts'
import { get, getCurrent, list } from './read.ts'
import { updateCurrent } from './update-current.ts'
import { update } from './update.ts'

type Parts = { readonly pager: Pager; readonly rates: DefaultRates }

export const workspaceHandlers = ({ pager, rates }: Parts) =>
  ({
    'workspaces.create': create(rates),
    'workspaces.list': list(pager, rates),
    'workspaces.update': update(rates),
    'workspaces.get': get(rates),
    'workspaces.get-current': getCurrent(rates),
    'workspaces.update-current': updateCurrent(rates),
  }) satisfies Partial<Handlers>
