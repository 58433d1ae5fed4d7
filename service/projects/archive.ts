import { projectArchived, type archiveProject } from '#contract/projects.ts'
import type { Handler } from '../handler.ts'
import { lockProject, updateProject } from './rows.ts'
import { touched } from './rules.ts'

export const archive: Handler<typeof archiveProject> = async ({ id }, { db, workspaceId, actor, now, emit }) => {
  const before = await lockProject(db, workspaceId, id)
  if (before.archivedAt !== null) return before
  const after = { ...touched(before, actor, now), archivedAt: now.toISOString() }
  await updateProject(db, after, false)
  emit(projectArchived, after, before)
  return after
}
