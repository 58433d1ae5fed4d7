// A project's key is unique in the workspace, deleted projects included; one that the caller leaves out is made from
// the name.
import type { Project } from '#contract/projects.ts'
import { duplicate } from '../database-fault.ts'
import type { Fields } from '../collection/definition.ts'
import type { Call, Db } from '../handler.ts'
import { keyCandidates } from './key.ts'

const randomKeys = 5

export async function settle(next: Project, before: Project | null, { db }: Call, given: Fields): Promise<Project> {
  if (before === null && given['key'] === undefined) return { ...next, key: await freeKey(db, next) }
  if (next.key !== before?.key) await assertFree(db, next)
  return next
}

async function freeKey(db: Db, { workspaceId, name }: Project): Promise<string> {
  const candidates = [...keyCandidates(name, Math.random, randomKeys)]
  const [free] = await db.$queryRaw<{ key: string }[]>`
    SELECT candidate AS key FROM unnest(${candidates}::text[]) WITH ORDINALITY AS c (candidate, preference)
    WHERE NOT EXISTS (SELECT FROM project WHERE workspace_id = ${workspaceId}::uuid AND key = candidate)
    ORDER BY preference LIMIT 1`
  if (free === undefined) throw duplicate('key', undefined)
  return free.key
}

async function assertFree(db: Db, { workspaceId, id, key }: Project): Promise<void> {
  const twin = await db.project.findFirst({ where: { workspaceId, key, id: { not: id } }, select: { id: true } })
  if (twin !== null) throw duplicate('key', twin.id)
}
