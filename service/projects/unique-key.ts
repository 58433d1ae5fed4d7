// A project's key is unique in the workspace. Deleted projects keep their keys, and so do projects their former ones.
import { Fault } from '#contract/faults/fault.ts'
import type { Project } from '#contract/projects.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/handler.ts'
import { taken } from '../faults/value-taken.ts'
import { keyCandidates } from './key-candidates.ts'

const randomCandidates = 5

/** The condition that a project of the workspace has the key or had it. */
const keyIsTaken = (workspaceId: string, key: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  EXISTS (SELECT FROM project WHERE workspace_id = ${workspaceId}::uuid AND key = ${key})
  OR EXISTS (SELECT FROM project_former_key WHERE workspace_id = ${workspaceId}::uuid AND key = ${key}))`

/** The first key made from the project's name that is free, as SQL for the insert. */
export const freeKey = ({ workspaceId, name }: Project): Prisma.Sql => Prisma.sql`(
  SELECT candidate FROM unnest(${[...keyCandidates(name, Math.random, randomCandidates)]}::text[]) WITH ORDINALITY
    AS c (candidate, preference)
  WHERE NOT ${keyIsTaken(workspaceId, Prisma.sql`candidate`)}
  ORDER BY preference LIMIT 1)`

/** Throws `duplicate` when another project has the key or had it. */
export async function assertKeyFree({ workspaceId, id, key }: Project, { db }: Pick<Call, 'db'>): Promise<void> {
  const shown = { id: true, deletedAt: true } as const
  const duplicate = await db.project.findFirst({ where: { workspaceId, key, NOT: { id } }, select: shown })
  if (duplicate !== null) throw taken('key', duplicate)
  const former = await db.projectFormerKey.findUnique({
    where: { workspaceId_key: { workspaceId, key } },
    select: { project: { select: shown } },
  })
  if (former === null || former.project.id === id) return
  const { code, message, members } = taken('key', former.project)
  const hint = 'That project had this key before: its tasks are still found by it. Choose another.'
  throw new Fault(code, message, { hint, ...members })
}
