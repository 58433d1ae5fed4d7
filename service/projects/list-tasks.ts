import type { Output } from '#contract/operation.ts'
import type { listProjectTasks } from '#contract/tasks.ts'
import { listPage } from '../collection/read.ts'
import { find } from '../collection/rows.ts'
import type { Handler } from '../execution/call.ts'
import type { Pager } from '../collection/pagination.ts'
import { tasks } from '../tasks/collection.ts'
import { projects } from './collection.ts'

export const listTasks =
  (pager: Pager): Handler<typeof listProjectTasks> =>
  async ({ id, ...query }, call) => {
    const project = await find(call.db, projects, call.workspaceId, id)
    const page = await listPage(tasks, pager, { ...query, projectId: [project.id] }, call)
    return page as Output<typeof listProjectTasks>
  }
