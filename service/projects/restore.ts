import { Fault } from '#contract/fault.ts'
import { restoreWindowDays } from '#contract/limits.ts'
import { projectRestored, type restoreProject } from '#contract/projects.ts'
import type { Handler } from '../handler.ts'
import { lockAnyProject, updateProject } from './rows.ts'
import { touched } from './rules.ts'

const dayMs = 86_400_000

export const restore: Handler<typeof restoreProject> = async ({ id }, { db, workspaceId, actor, now, emit }) => {
  const before = await lockAnyProject(db, workspaceId, id)
  if (before.deletedAt === null) throw new Fault('not_deleted', 'This project is not deleted.')
  const goneMs = now.getTime() - Date.parse(before.deletedAt)
  if (goneMs > restoreWindowDays * dayMs)
    throw new Fault('purged', `It was deleted more than ${restoreWindowDays} days ago.`)
  const after = { ...touched(before, actor, now), deletedAt: null }
  await updateProject(db, after, false)
  emit(projectRestored, after)
  return after
}
