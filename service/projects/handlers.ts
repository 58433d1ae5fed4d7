// What projects have beside the operations of every collection, bound to its functions.
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { archive, unarchive } from './archive.ts'
import { listTasks } from './list-tasks.ts'

type ProjectDeps = { readonly pager: Pager }

export const projectHandlers = ({ pager }: ProjectDeps) =>
  ({
    'projects.list-tasks': listTasks(pager),
    'projects.archive': archive,
    'projects.unarchive': unarchive,
  }) satisfies Partial<Handlers>
