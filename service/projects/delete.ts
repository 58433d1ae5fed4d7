import { projectDeleted, type deleteProject } from '#contract/projects.ts'
import type { Handler } from '../handler.ts'
import { assertVersion } from '../version.ts'
import { lockAnyProject, updateProject } from './rows.ts'
import { touched } from './rules.ts'

export const remove: Handler<typeof deleteProject> = async (
  { id, expectedVersion },
  { db, workspaceId, actor, now, emit },
) => {
  const before = await lockAnyProject(db, workspaceId, id)
  if (before.deletedAt !== null) return null
  assertVersion(before.version, expectedVersion)
  const after = { ...touched(before, actor, now), deletedAt: now.toISOString() }
  await updateProject(db, after, false)
  emit(projectDeleted, after)
  return null
}
