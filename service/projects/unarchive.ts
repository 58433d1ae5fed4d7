import { projectUnarchived, type unarchiveProject } from '#contract/projects.ts'
import { find, update } from '../collection/rows.ts'
import { bumpVersion } from '../collection/save.ts'
import type { Handler } from '../execution/handler.ts'
import { projects } from './collection.ts'

export const unarchive: Handler<typeof unarchiveProject> = async ({ id }, { db, workspaceId, actor, now, emit }) => {
  const before = await find(db, projects, workspaceId, id)
  if (before.archivedAt === null) return before
  const after = bumpVersion({ ...before, archivedAt: null }, { actor, now })
  await update(db, projects, after, before)
  emit(projectUnarchived, after, before)
  return after
}
