// A project's new key changes the identifiers of all its tasks. Each task changes as by any other call, with a version,
// a time and an event of its own, so that callers who keep a copy see it. No transaction changes more than one batch: the
// first batch changes with the key, the others in the background. Until then a task shows its former identifier.
import { taskUpdated, type Task } from '#contract/tasks.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { changeEach, timesAfter } from '../collection/change-each.ts'
import { select } from '../collection/find.ts'
import type { Call, Db } from '../execution/handler.ts'
import type { ChangeParts } from '../execution/commit-change.ts'
import { attemptEach, changeAsSystem } from '../execution/system-change.ts'
import { tasks } from './collection.ts'
import { identifierOf } from './resolve.ts'

const projectsMax = 50
const tasksMax = 500

type Project = { readonly workspaceId: string; readonly id: string }
type Rekeying = { readonly key: string; readonly through: number }

/** Does one batch for each project with tasks that have a former key. Returns how many such projects there were. */
export async function rekeyWaiting(parts: ChangeParts, max = tasksMax): Promise<number> {
  const waiting = await waitingIn(parts.db)
  await attemptEach(waiting, ({ workspaceId, id }) =>
    changeAsSystem(parts, workspaceId, null, (call) => rekeyBatch(id, max, call)),
  )
  return waiting.length
}

const waitingIn = (db: Database): Promise<Project[]> =>
  db.$queryRaw`SELECT workspace_id AS "workspaceId", id FROM project
    WHERE rekeyed_through IS NOT NULL AND deleted_at IS NULL ORDER BY updated_at LIMIT ${projectsMax}::int`

/** Tasks change in the order of their numbers. Deleted ones are left out: restoring one gives it its identifier. */
export async function rekeyBatch(projectId: string, max: number, call: Call): Promise<void> {
  const { db, workspaceId } = call
  const [project] = await db.$queryRaw<Rekeying[]>`SELECT key, rekeyed_through AS through FROM project
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${projectId}::uuid AND rekeyed_through IS NOT NULL
      AND deleted_at IS NULL`
  if (project === undefined) return
  const where = Prisma.sql`t.workspace_id = ${workspaceId}::uuid AND t.project_id = ${projectId}::uuid
    AND t.number > ${project.through}::int AND t.deleted_at IS NULL`
  const found = await select(db, tasks, { where, tail: Prisma.sql`ORDER BY t.number LIMIT ${max}::int` })
  // A task that was changed since has the new identifier already.
  const outdated = found.filter(({ number, identifier }) => identifier !== identifierOf(project, number))
  const changed = changeEach(outdated, {
    call,
    nextTime: timesAfter(call),
    change: (before) => ({ ...before, identifier: identifierOf(project, before.number) }),
    emit: (subcall, after, before) => void subcall.emit(taskUpdated, after, before),
  })
  await writeIdentifiers(db, changed)
  const through = found.length < max ? null : (found.at(-1)?.number ?? null)
  await db.project.update({
    where: { workspaceId_id: { workspaceId, id: projectId } },
    data: { rekeyedThrough: through },
  })
}

async function writeIdentifiers(tx: Db, changed: readonly Task[]): Promise<void> {
  const [first] = changed
  if (first === undefined) return
  const each = (field: 'id' | 'identifier' | 'updatedAt'): string[] => changed.map((task) => task[field])
  await tx.$executeRaw`
    UPDATE task t SET version = t.version + 1, identifier = given.identifier, updated_at = given.at,
      updated_by = ${JSON.stringify(first.updatedBy)}::jsonb
    FROM unnest(${each('id')}::uuid[], ${each('identifier')}::text[], ${each('updatedAt')}::timestamptz[])
      AS given (id, identifier, at)
    WHERE t.workspace_id = ${first.workspaceId}::uuid AND t.id = given.id`
}
