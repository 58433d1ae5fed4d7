// The operations that projects have beside those of every collection: listing tasks, archiving and unarchiving.
import type { Output } from '#contract/operation.ts'
import { projectArchived, projectUnarchived, type archiveProject, type unarchiveProject } from '#contract/projects.ts'
import type { listProjectTasks } from '#contract/tasks.ts'
import { find, updateRow } from '../collection/rows.ts'
import { listPage } from '../collection/read.ts'
import type { Handlers, Handler } from '../execution/call.ts'
import type { Pager } from '../collection/pagination.ts'
import { bumpVersion } from '../execution/system-fields.ts'
import { tasks } from '../tasks/collection.ts'
import { projects } from './collection.ts'

type ProjectDeps = { readonly pager: Pager }

export const projectHandlers = ({ pager }: ProjectDeps) =>
  ({
    'projects.list-tasks': listTasks(pager),
    'projects.archive': archive,
    'projects.unarchive': unarchive,
  }) satisfies Partial<Handlers>

const listTasks =
  (pager: Pager): Handler<typeof listProjectTasks> =>
  async ({ id, ...query }, call) => {
    const project = await find(call.db, projects, call.workspaceId, id)
    const page = await listPage(tasks, pager, { ...query, projectId: [project.id] }, call)
    return page as Output<typeof listProjectTasks>
  }

const archive: Handler<typeof archiveProject> = async ({ id }, call) => {
  const before = await find(call.db, projects, call.workspaceId, id)
  if (before.archivedAt !== null) return before
  const after = bumpVersion({ ...before, archivedAt: call.now.toISOString() }, call)
  await updateRow(call.db, projects, after, before)
  call.emit(projectArchived, after, before)
  return after
}

const unarchive: Handler<typeof unarchiveProject> = async ({ id }, call) => {
  const before = await find(call.db, projects, call.workspaceId, id)
  if (before.archivedAt === null) return before
  const after = bumpVersion({ ...before, archivedAt: null }, call)
  await updateRow(call.db, projects, after, before)
  call.emit(projectUnarchived, after, before)
  return after
}
