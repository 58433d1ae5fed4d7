// What projects have beside the operations of every collection, bound to its functions.
import type { Handlers } from '../execution/call.ts'
import type { Pager } from '../collection/pagination.ts'
import { archive, unarchive } from './archive.ts'
import { listTasks } from './list-tasks.ts'

type Parts = { readonly pager: Pager }

export const projectHandlers = ({ pager }: Parts) =>
  ({
    'projects.list-tasks': listTasks(pager),
    'projects.archive': archive,
    'projects.unarchive': unarchive,
  }) satisfies Partial<Handlers>
