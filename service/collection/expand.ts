// Adds related objects beside their ids, loaded for a whole page at once, with one statement for all the ids of a kind.
// Deleted objects are left out.
import type { Scope } from '#contract/scopes.ts'
import { assertHolds } from '../execution/authorize.ts'
import type { Call } from '../execution/call.ts'
import type { Collection, Fields, Reference, Resource, Expansion } from './definition.ts'
import { relatedCrmEntities, relatedFiles, relatedMembers, relatedProjects, relatedTasks } from './read-rows.ts'

/** Loads what `names` ask for. Throws `insufficient_scope` when the key may not read it. */
export async function expander<R extends Resource>(
  { expansions }: Collection<R>,
  names: readonly string[],
  call: Call,
  objects: readonly R[],
): Promise<(object: R) => Fields> {
  const needed = new Set(names.flatMap((name) => expansions[name]?.scope ?? []))
  assertHolds([...needed], call.principal.scopes, 'To expand this')
  const added: [string, (object: Fields) => unknown][] = []
  for (const name of names) {
    const expansion = expansions[name]
    if (expansion !== undefined) added.push([name, await expansion.load(call, objects)])
  }
  return (object) => {
    if (added.length === 0) return object
    const expanded = added.map(([name, of]) => [name, of(object)]).filter(([, value]) => value !== undefined)
    return { ...object, ...Object.fromEntries(expanded) }
  }
}

type Related = Fields & { readonly id: string }
type Source = {
  readonly scope: Scope
  readonly read: (db: Call['db'], workspaceId: string, ids: readonly string[]) => Promise<readonly Related[]>
}

export const members: Source = { scope: 'members:read', read: relatedMembers }
export const projects: Source = { scope: 'projects:read', read: relatedProjects }
export const crmEntities: Source = { scope: 'crm-entities:read', read: relatedCrmEntities }
export const tasks: Source = { scope: 'tasks:read', read: relatedTasks }
export const files: Source = { scope: 'files:read', read: relatedFiles }

/** Of every collection whose objects name files: these have been uploaded, and none is locked away. */
export const fileReference: Reference = {
  field: 'fileIds',
  table: 'file',
  condition: `r.status IN ('held', 'available')`,
}

/** Loads the object whose id `field` holds; null when it holds none, or that of a deleted object. */
export const expandOne = (source: Source, field: string): Expansion => ({
  scope: source.scope,
  load: async (call, shown) => {
    const found = await load(
      source,
      call,
      shown.map((object) => object[field]),
    )
    return (object) => (field in object ? (found.get(String(object[field])) ?? null) : undefined)
  },
})

/** Loads the objects whose ids `field` holds, in its order. */
export const expandMany = (source: Source, field: string): Expansion => ({
  scope: source.scope,
  load: async (call, shown) => {
    const found = await load(
      source,
      call,
      shown.flatMap((object) => object[field]),
    )
    return (object) => (object[field] as string[] | undefined)?.flatMap((id) => found.get(id) ?? [])
  },
})

async function load(
  { read }: Source,
  { db, workspaceId }: Call,
  named: readonly unknown[],
): Promise<Map<string, Fields>> {
  const ids = [...new Set(named.filter((id) => typeof id === 'string'))]
  const rows = ids.length === 0 ? [] : await read(db, workspaceId, ids)
  return new Map(rows.map((row) => [row.id, row]))
}
