// A project's key is unique in the workspace, deleted projects included; one that the caller leaves out is made from
// the name, in the insert itself.
import type { Project } from '#contract/projects.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { duplicate } from '../database-fault.ts'
import type { Call } from '../handler.ts'
import { keyCandidates } from './key.ts'

const randomKeys = 5

/** The first candidate that no project has. */
export const freeKey = ({ workspaceId, name }: Project): Prisma.Sql => Prisma.sql`(
  SELECT candidate FROM unnest(${[...keyCandidates(name, Math.random, randomKeys)]}::text[]) WITH ORDINALITY
    AS c (candidate, preference)
  WHERE NOT EXISTS (SELECT FROM project WHERE workspace_id = ${workspaceId}::uuid AND key = candidate)
  ORDER BY preference LIMIT 1)`

export async function settle(next: Project, before: Project | null, { db }: Call): Promise<Project> {
  const { workspaceId, id, key } = next
  if (key === '' || key === before?.key) return next
  const twin = await db.project.findFirst({ where: { workspaceId, key, id: { not: id } }, select: { id: true } })
  if (twin !== null) throw duplicate('key', twin.id)
  return next
}
