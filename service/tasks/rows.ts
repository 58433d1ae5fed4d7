// A task's identifier is its project's key and a number, `WEB-42`. A task is found by its former identifiers too: by
// the former keys of its project, and by the numbers that it had in other projects.

import { Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../execution/handler.ts'

const form = /^([a-z]{2,10})-(\d{1,10})$/i
const numberMax = 2_147_483_647

/** Selects the id of the task that has this identifier or had it. */
export function byIdentifier(q: string, workspaceId: string): Prisma.Sql | null {
  const parts = partsOf(q.trim())
  return parts && tasksOfNumber(parts.key, Prisma.sql`${parts.number}::int`, workspaceId)
}

/** The ids of tasks, deleted ones too, by those of the identifiers that one of them has or had. */
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

/** The ids of projects, deleted ones too, by those of the keys that one of them has or had. */
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

/** Null where no task can have this identifier. */
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
