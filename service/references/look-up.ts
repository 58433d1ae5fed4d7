// Looks up the ids of tasks, projects and members by what people call them: one statement for each kind in a call.
import type { ReferenceKind } from '#contract/references.ts'
import type { Call } from '../execution/handler.ts'
import { ownerOfKey } from '../members/rows.ts'
import { projectIdsByKey, taskIdsByIdentifier } from '../tasks/rows.ts'

/** Deleted objects are found too. The ids by name; a name that nothing has is missing. */
type LookUp = (names: readonly string[], call: Call) => Promise<ReadonlyMap<string, string>>

export const lookUp: Readonly<Record<ReferenceKind, LookUp>> = {
  task: (names, { db, workspaceId }) => taskIdsByIdentifier(db, workspaceId, names),
  project: (names, { db, workspaceId }) => projectIdsByKey(db, workspaceId, names),
  // `me` is the only name that a member has.
  async member(names, call) {
    const ownerId = await ownerOfKey(call)
    return new Map(ownerId === null ? [] : names.map((name) => [name, ownerId]))
  },
  // And of a key: the one that calls.
  async key(names, { principal }) {
    return new Map(principal.kind === 'api_key' ? names.map((name) => [name, principal.id]) : [])
  },
}
