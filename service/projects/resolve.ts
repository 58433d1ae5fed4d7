// A project's key is unique in the workspace, deleted projects and former keys included; one that the caller leaves out
// is made from the name, in the insert itself.
import type { Project } from '#contract/project-schema.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/handler.ts'
import { assertKeyFree, keyIsTaken } from './former-keys.ts'
import { keyCandidates } from './key.ts'

const randomKeys = 5

/** The first candidate that no project has. */
export const freeKey = ({ workspaceId, name }: Project): Prisma.Sql => Prisma.sql`(
  SELECT candidate FROM unnest(${[...keyCandidates(name, Math.random, randomKeys)]}::text[]) WITH ORDINALITY
    AS c (candidate, preference)
  WHERE NOT ${keyIsTaken(workspaceId, Prisma.sql`candidate`)}
  ORDER BY preference LIMIT 1)`

export async function resolve(next: Project, before: Project | null, call: Call): Promise<Project> {
  if (next.key !== '' && next.key !== before?.key) await assertKeyFree(next, call)
  return next
}
