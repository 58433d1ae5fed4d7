// Changes the identifiers of all tasks of a project with a new key. Each task gets a version, a time and an event, as
// by any other call, so that callers who keep a copy see it. The first batch changes in the transaction of the key, the
// others in the background. Until then a task shows its former identifier.
import { taskUpdated } from '#contract/tasks.ts'
import { changeEach, timesAfter } from '../collection/change-each.ts'
import { select } from '../collection/rows.ts'
import { type ChangeDeps, attemptEach, changeAsSystem } from '../execution/change.ts'
import type { Call } from '../execution/call.ts'
import { tasks, identifierOf } from './collection.ts'
import { projectsToRekey, findRekeying, tasksAfter, writeIdentifiers } from './rows.ts'

const tasksMax = 500

/** Does one batch for each project with tasks that have a former key. Returns how many such projects there were. */
export async function rekeyWaiting(parts: ChangeDeps, max = tasksMax): Promise<number> {
  const waiting = await projectsToRekey(parts.db)
  await attemptEach(waiting, ({ workspaceId, id }) =>
    changeAsSystem(parts, workspaceId, null, (call) => rekeyBatch(id, max, call)),
  )
  return waiting.length
}

/** Tasks change in the order of their numbers. Deleted ones are left out: restoring one gives it its identifier. */
export async function rekeyBatch(projectId: string, max: number, call: Call): Promise<void> {
  const { db, workspaceId } = call
  const project = await findRekeying(db, workspaceId, projectId)
  if (project === undefined) return
  const found = await select(db, tasks, tasksAfter(workspaceId, projectId, project.through, max))
  // A task that was changed since has the new identifier already.
  const outdated = found.filter(({ number, identifier }) => identifier !== identifierOf(project, number))
  const changed = changeEach(outdated, {
    call,
    nextTime: timesAfter(call),
    change: (before) => ({ ...before, identifier: identifierOf(project, before.number) }),
    emit: (subcall, after, before) => {
      subcall.emit(taskUpdated, after, before)
    },
  })
  await writeIdentifiers(db, changed)
  const through = found.length < max ? null : (found.at(-1)?.number ?? null)
  await db.project.update({
    where: { workspaceId_id: { workspaceId, id: projectId } },
    data: { rekeyedThrough: through },
  })
}
