// Tasks by their identifiers, and their numbers. An identifier is the project's key and a number, `WEB-42`. A task is
// found by former identifiers too: former keys of its project, and numbers that it had in other projects.
import type { Task } from '#contract/tasks.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../execution/call.ts'
import { duplicate, missingReference, refuseField } from '../faults/shared-faults.ts'

const form = /^([a-z]{2,10})-(\d{1,10})$/i
const numberMax = 2_147_483_647

/** Selects the id of the task that has this IDentifier or had it. */
export function byIdentifier(q: string, workspaceId: string): Prisma.Sql | null {
  const parts = partsOf(q.trim())
  return parts && tasksOfNumber(parts.key, Prisma.sql`${parts.number}::int`, workspaceId)
}

const tasksNamed = query(
  { name: column.text, id: column.uuid },
  (
    workspaceId: string,
    names: readonly string[],
    keys: readonly (string | null)[],
    numbers: readonly (number | null)[],
  ) => Prisma.sql`
    SELECT given.name, found.id
    FROM unnest(${names}::text[], ${keys}::text[], ${numbers}::int[]) AS given (name, key, number)
    CROSS JOIN LATERAL (${tasksOfNumber(Prisma.sql`given.key`, Prisma.sql`given.number`, workspaceId)} LIMIT 1) found`,
)

/** The ids of tasks, also deleted ones, by the identifiers that they have or had. */
export async function tasksByIdentifier(
  db: Db,
  workspaceId: string,
  identifiers: readonly string[],
): Promise<readonly FoundName[]> {
  const parts = identifiers.map(partsOf)
  const keys = parts.map((each) => each?.key ?? null)
  const numbers = parts.map((each) => each?.number ?? null)
  return tasksNamed(db, workspaceId, identifiers, keys, numbers)
}

const projectsNamed = query(
  { name: column.text, id: column.uuid },
  (workspaceId: string, names: readonly string[], keys: readonly string[]) => Prisma.sql`
    SELECT given.name, found.id FROM unnest(${names}::text[], ${keys}::text[]) AS given (name, key)
    CROSS JOIN LATERAL (${projectsOfKey(Prisma.sql`given.key`, workspaceId)} LIMIT 1) found`,
)

/** The ids of projects, also deleted ones, by the keys that they have or had. */
export async function projectsByKey(
  db: Db,
  workspaceId: string,
  keys: readonly string[],
): Promise<readonly FoundName[]> {
  const capitals = keys.map((key) => key.toUpperCase())
  return projectsNamed(db, workspaceId, keys, capitals)
}

type FoundName = { readonly name: string; readonly id: string }

/** Returns null for text that cannot be an identifier. */
function partsOf(identifier: string): { readonly key: string; readonly number: number } | null {
  const [, key = '', digits] = form.exec(identifier) ?? []
  const number = Number(digits)
  return number <= numberMax ? { key: key.toUpperCase(), number } : null
}

/** The id of the task with this number in the project that has this key or had it, as SQL. */
function tasksOfNumber(key: Prisma.Sql | string, number: Prisma.Sql, workspaceId: string): Prisma.Sql {
  const inProject = Prisma.sql`workspace_id = ${workspaceId}::uuid AND number = ${number}
    AND project_id IN (${projectsOfKey(key, workspaceId)})`
  return Prisma.sql`SELECT id FROM task WHERE ${inProject}
    UNION ALL SELECT task_id FROM task_former_number WHERE ${inProject}`
}

/** The id of the project that has this key or had it, as SQL. */
export const projectsOfKey = (key: Prisma.Sql | string, workspaceId: string): Prisma.Sql => Prisma.sql`
  SELECT id FROM project WHERE workspace_id = ${workspaceId}::uuid AND key = ${key}
  UNION ALL SELECT project_id FROM project_former_key WHERE workspace_id = ${workspaceId}::uuid AND key = ${key}`

export type TaskProject = { readonly key: string; readonly archivedAt: Date | null }

export type NumberedProject = TaskProject & { readonly number: number }

export async function projectOf(db: Db, { workspaceId, projectId }: Task): Promise<TaskProject> {
  const where = { workspaceId_id: { workspaceId, id: projectId } }
  return db.project.findUniqueOrThrow({ where, select: { key: true, archivedAt: true } })
}

const advanceNumber = query(
  { number: column.int, key: column.text, archivedAt: column.time.orNull },
  (workspaceId: string, projectId: string) => Prisma.sql`
    UPDATE project SET last_task_number = last_task_number + 1
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${projectId}::uuid AND deleted_at IS NULL
    RETURNING last_task_number AS number, key, archived_at AS "archivedAt"`,
)

/** Takes the next number of the task's project. Throws `reference_not_found` when the project does not exist. */
export async function takeNumber(tx: Db, { workspaceId, projectId }: Task): Promise<NumberedProject> {
  const [project] = await advanceNumber(tx, workspaceId, projectId)
  if (project === undefined) throw missingReference('projectId')
  return project
}

const numberGiven = query(
  { key: column.text, archivedAt: column.time.orNull, isOpen: column.bool, takenBy: column.uuid.orNull },
  ({ workspaceId, projectId, number }: Numbered) => Prisma.sql`
    SELECT key, archived_at AS "archivedAt", last_task_number = imported_task_number AS "isOpen", (
      SELECT id FROM task WHERE workspace_id = p.workspace_id AND project_id = p.id AND number = ${number}::int
      UNION ALL SELECT task_id FROM task_former_number
      WHERE workspace_id = p.workspace_id AND project_id = p.id AND number = ${number}::int LIMIT 1
    ) AS "takenBy"
    FROM project p WHERE workspace_id = ${workspaceId}::uuid AND id = ${projectId}::uuid AND deleted_at IS NULL`,
)

const raiseNumber = command(
  ({ workspaceId, projectId, number }: Numbered) => Prisma.sql`
    UPDATE project SET last_task_number = greatest(last_task_number, ${number}::int),
      imported_task_number = greatest(imported_task_number, ${number}::int)
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${projectId}::uuid`,
)

/**
 * Takes the number that an import gives the task. The project must have numbered none by itself: the number could have
 * been that of a task whose last trace is gone, and old links would lead to this one. Under the workspace lock.
 */
export async function takeGivenNumber(tx: Db, task: Task): Promise<NumberedProject> {
  const { number } = task
  const [project] = await numberGiven(tx, task)
  if (project === undefined) throw missingReference('projectId')
  const { isOpen, takenBy, ...found } = project
  if (takenBy !== null) throw duplicate('imported/number', takenBy)
  if (!isOpen) refuseField('imported/number', 'read_only', 'The project has numbered tasks by itself.')
  await raiseNumber(tx, task)
  return { ...found, number }
}

type Numbered = {
  readonly workspaceId: string
  readonly id: string
  readonly projectId: string
  readonly number: number
}

/** Keeps the number for a task that moves to another project: no other task ever gets it. */
export async function keepFormerNumber(
  tx: Db,
  { workspaceId, projectId, number, id: taskId }: Numbered,
): Promise<void> {
  await tx.taskFormerNumber.create({ data: { workspaceId, projectId, number, taskId } })
}

const projectsMax = 50

export const projectsToRekey = query(
  { workspaceId: column.uuid, id: column.uuid },
  () => Prisma.sql`SELECT workspace_id AS "workspaceId", id FROM project
    WHERE rekeyed_through IS NOT NULL AND deleted_at IS NULL ORDER BY updated_at LIMIT ${projectsMax}::int`,
)

type Rekeying = { readonly key: string; readonly through: number }

const rekeyingOf = query(
  { key: column.text, through: column.int.present },
  (workspaceId: string, projectId: string) => Prisma.sql`
    SELECT key, rekeyed_through AS through FROM project
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${projectId}::uuid AND rekeyed_through IS NOT NULL
      AND deleted_at IS NULL`,
)

export async function findRekeying(db: Db, workspaceId: string, projectId: string): Promise<Rekeying | undefined> {
  const [project] = await rekeyingOf(db, workspaceId, projectId)
  return project
}

/** The conditions for the tasks of a project that follow this number. */
export const tasksAfter = (workspaceId: string, projectId: string, number: number, max: number) => ({
  where: Prisma.sql`t.workspace_id = ${workspaceId}::uuid AND t.project_id = ${projectId}::uuid
    AND t.number > ${number}::int AND t.deleted_at IS NULL`,
  tail: Prisma.sql`ORDER BY t.number LIMIT ${max}::int`,
})

const updateIdentifiers = command(
  (
    workspaceId: string,
    ids: readonly string[],
    identifiers: readonly string[],
    times: readonly string[],
    by: string,
  ) => Prisma.sql`
    UPDATE task t SET version = t.version + 1, identifier = given.identifier, updated_at = given.at,
      updated_by = ${by}::jsonb
    FROM unnest(${ids}::uuid[], ${identifiers}::text[], ${times}::timestamptz[])
      AS given (id, identifier, at)
    WHERE t.workspace_id = ${workspaceId}::uuid AND t.id = given.id`,
)

export async function writeIdentifiers(tx: Db, changed: readonly Task[]): Promise<void> {
  const [first] = changed
  if (first === undefined) return
  const each = (field: 'id' | 'identifier' | 'updatedAt'): string[] => changed.map((task) => task[field])
  await updateIdentifiers(
    tx,
    first.workspaceId,
    each('id'),
    each('identifier'),
    each('updatedAt'),
    JSON.stringify(first.updatedBy),
  )
}

/** A task of a deleted project is hidden until the project is restored. */
export const ofVisibleProject =
  'EXISTS (SELECT FROM project p WHERE p.workspace_id = r.workspace_id AND p.id = r.project_id AND p.deleted_at IS NULL)'
