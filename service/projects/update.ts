import { projectUpdated, type updateProject } from '#contract/projects.ts'
import type { Handler } from '../handler.ts'
import { assertVersion } from '../version.ts'
import { assertNoTwin, lockProject, updateProject as write } from './rows.ts'
import { revise } from './rules.ts'

export const update: Handler<typeof updateProject> = async (
  { id, expectedVersion, ...patch },
  { db, workspaceId, actor, now, emit },
) => {
  const before = await lockProject(db, workspaceId, id)
  assertVersion(before.version, expectedVersion)
  const after = revise(before, patch, actor, now)
  if (after === before) return before
  await assertNoTwin(db, after, patch.key ?? null)
  await write(db, after, patch.memberIds !== undefined)
  emit(projectUpdated, after, before)
  return after
}
