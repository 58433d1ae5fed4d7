// Tasks by their identifiers, and their numbers. An identifier is the project's key and a number, `WEB-42`. A task is
// found by former identifiers too: former keys of its project, and numbers that it had in other projects.
import type { Task } from '#contract/tasks.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../execution/handler.ts'
import { missingReference } from '../faults/database-fault.ts'

const form = /^([a-z]{2,10})-(\d{1,10})$/i
const numberMax = 2_147_483_647

/** Selects the id of the task that has this identifier or had it. */
export function byIdentifier(q: string, workspaceId: string): Prisma.Sql | null {
  const parts = partsOf(q.trim())
  return parts && tasksOfNumber(parts.key, Prisma.sql`${parts.number}::int`, workspaceId)
}

/** The ids of tasks, also deleted ones, by the identifiers that they have or had. */
export async function taskIdsByIdentifier(
  db: Db,
  workspaceId: string,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const parts = identifiers.map(partsOf)
  const keys = parts.map((each) => each?.key ?? null)
  const numbers = parts.map((each) => each?.number ?? null)
  const found = await db.$queryRaw<FoundName[]>`
    SELECT given.name, found.id
    FROM unnest(${identifiers}::text[], ${keys}::text[], ${numbers}::int[]) AS given (name, key, number)
    CROSS JOIN LATERAL (${tasksOfNumber(Prisma.sql`given.key`, Prisma.sql`given.number`, workspaceId)} LIMIT 1) found`
  return idsByName(found)
}

/** The ids of projects, also deleted ones, by the keys that they have or had. */
export async function projectIdsByKey(
  db: Db,
  workspaceId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const capitals = keys.map((key) => key.toUpperCase())
  const found = await db.$queryRaw<FoundName[]>`
    SELECT given.name, found.id FROM unnest(${keys}::text[], ${capitals}::text[]) AS given (name, key)
    CROSS JOIN LATERAL (${projectsOfKey(Prisma.sql`given.key`, workspaceId)} LIMIT 1) found`
  return idsByName(found)
}

type FoundName = { readonly name: string; readonly id: string }

const idsByName = (found: readonly FoundName[]): ReadonlyMap<string, string> =>
  new Map(found.map(({ name, id }) => [name, id]))

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

/** Takes the next number of the task's project. Throws `reference_not_found` when the project does not exist. */
export async function takeNumber(tx: Db, { workspaceId, projectId }: Task): Promise<NumberedProject> {
  const [project] = await tx.$queryRaw<NumberedProject[]>`
    UPDATE project SET last_task_number = last_task_number + 1
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${projectId}::uuid AND deleted_at IS NULL
    RETURNING last_task_number AS number, key, archived_at AS "archivedAt"`
  if (project === undefined) throw missingReference('projectId')
  return project
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

type WaitingProject = { readonly workspaceId: string; readonly id: string }

export const projectsToRekey = (db: Database): Promise<WaitingProject[]> =>
  db.$queryRaw`SELECT workspace_id AS "workspaceId", id FROM project
    WHERE rekeyed_through IS NOT NULL AND deleted_at IS NULL ORDER BY updated_at LIMIT ${projectsMax}::int`

type Rekeying = { readonly key: string; readonly through: number }

export async function findRekeying(db: Db, workspaceId: string, projectId: string): Promise<Rekeying | undefined> {
  const [project] = await db.$queryRaw<Rekeying[]>`
    SELECT key, rekeyed_through AS through FROM project
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${projectId}::uuid AND rekeyed_through IS NOT NULL
      AND deleted_at IS NULL`
  return project
}

/** The conditions for the tasks of a project that follow this number. */
export const tasksAfter = (workspaceId: string, projectId: string, number: number, max: number) => ({
  where: Prisma.sql`t.workspace_id = ${workspaceId}::uuid AND t.project_id = ${projectId}::uuid
    AND t.number > ${number}::int AND t.deleted_at IS NULL`,
  tail: Prisma.sql`ORDER BY t.number LIMIT ${max}::int`,
})

export async function writeIdentifiers(tx: Db, changed: readonly Task[]): Promise<void> {
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

/** A task of a deleted project is hidden until the project is restored. */
export const ofVisibleProject =
  'EXISTS (SELECT FROM project p WHERE p.workspace_id = r.workspace_id AND p.id = r.project_id AND p.deleted_at IS NULL)'
