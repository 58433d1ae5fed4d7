import { projectArchived, type archiveProject } from '#contract/projects.ts'
import { find, update } from '../collection/rows.ts'
import { bumpVersion } from '../collection/save.ts'
import type { Handler } from '../execution/handler.ts'
import { projects } from './collection.ts'

export const archive: Handler<typeof archiveProject> = async ({ id }, { db, workspaceId, actor, now, emit }) => {
  const before = await find(db, projects, workspaceId, id)
  if (before.archivedAt !== null) return before
  const after = bumpVersion({ ...before, archivedAt: now.toISOString() }, { actor, now })
  await update(db, projects, after, before)
  emit(projectArchived, after, before)
  return after
}
