import { projectArchived, projectUnarchived, type archiveProject, type unarchiveProject } from '#contract/projects.ts'
import { find, updateRow } from '../collection/rows.ts'
import type { Handler } from '../execution/call.ts'
import { bumpVersion } from '../execution/system-fields.ts'
import { projects } from './collection.ts'

export const archive: Handler<typeof archiveProject> = async ({ id }, call) => {
  const before = await find(call.db, projects, call.workspaceId, id)
  if (before.archivedAt !== null) return before
  const after = bumpVersion({ ...before, archivedAt: call.now.toISOString() }, call)
  await updateRow(call.db, projects, after, before)
  call.emit(projectArchived, after, before)
  return after
}

export const unarchive: Handler<typeof unarchiveProject> = async ({ id }, call) => {
  const before = await find(call.db, projects, call.workspaceId, id)
  if (before.archivedAt === null) return before
  const after = bumpVersion({ ...before, archivedAt: null }, call)
  await updateRow(call.db, projects, after, before)
  call.emit(projectUnarchived, after, before)
  return after
}
