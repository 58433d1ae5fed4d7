import { v7 as uuid } from 'uuid'
import { projectCreated, type Project, type createProject } from '#contract/projects.ts'
import { duplicate } from '../database-fault.ts'
import type { Db, Handler } from '../handler.ts'
import { keyCandidates } from './key.ts'
import { assertNoTwin, insertProject } from './rows.ts'
import { place } from './rules.ts'

const randomKeys = 5
const insertTries = 3

export const create: Handler<typeof createProject> = async (input, { db, workspaceId, actor, now, emit }) => {
  const id = uuid({ msecs: now.getTime() })
  const draft = place(input, { id, workspaceId, key: input.key ?? '', actor, now })
  await assertNoTwin(db, draft, input.key ?? null)
  const project = await insertUnderFreeKey(db, draft, input.key)
  emit(projectCreated, project)
  return project
}

/** A key that the caller chose is tried once. */
async function insertUnderFreeKey(db: Db, draft: Project, chosen: string | undefined): Promise<Project> {
  for (const keys of chosen === undefined ? madeKeys(draft.name) : [[chosen]]) {
    const key = await insertProject(db, draft, keys)
    if (key !== null) return { ...draft, key }
    await assertNoTwin(db, draft, chosen ?? null)
  }
  throw duplicate('key', undefined)
}

/** Whoever was overtaken by others that make the same keys goes on with random ones, which nobody else makes. */
function madeKeys(name: string): string[][] {
  const first = [...keyCandidates(name, Math.random, randomKeys)]
  const others = Array.from({ length: insertTries - 1 }, () => [...keyCandidates(name, Math.random, randomKeys)])
  return [first, ...others.map((keys) => keys.slice(-randomKeys))]
}
