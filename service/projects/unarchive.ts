import { projectUnarchived, type unarchiveProject } from '#contract/projects.ts'
import type { Handler } from '../handler.ts'
import { lockProject, updateProject } from './rows.ts'
import { touched } from './rules.ts'

export const unarchive: Handler<typeof unarchiveProject> = async ({ id }, { db, workspaceId, actor, now, emit }) => {
  const before = await lockProject(db, workspaceId, id)
  if (before.archivedAt === null) return before
  const after = { ...touched(before, actor, now), archivedAt: null }
  await updateProject(db, after, false)
  emit(projectUnarchived, after, before)
  return after
}
