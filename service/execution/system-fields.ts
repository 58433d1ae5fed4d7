// The fields by which every object says which workspace and version it has, who made it and who changed it last, and
// the difference between two states of one object. A change that changes nothing is no change: no event, no new
// version. Pure.
import type { Changes } from '#contract/event.ts'
import type { Actor } from '#contract/shared-fields.ts'

/** The id and workspace of a new object, who makes it, and when. */
export type ChangeContext = {
  readonly id: string
  readonly workspaceId: string
  readonly actor: Actor
  readonly now: Date
}

/** Of a new object: version 1, created and updated by the same actor at the same time. */
export const versionFields = <O extends string>(object: O, { id, workspaceId, actor, now }: ChangeContext) => ({
  id,
  object,
  workspaceId,
  version: 1,
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
  createdBy: actor,
  updatedBy: actor,
})

/** `versionFields` of a new object that can be deleted and restored, and may come from another system. */
export const baseFields = <O extends string>(object: O, origin: ChangeContext) => ({
  ...versionFields(object, origin),
  deletedAt: null,
  imported: null,
})

type VersionedObject = { readonly version: number; readonly updatedAt: string; readonly updatedBy: Actor }
type ActorAndTime = { readonly actor: Actor; readonly now: Date }

/** The object as a new version, updated by `actor` at `now`. Call it only where something has changed. */
export const bumpVersion = <T extends VersionedObject>(object: T, { actor, now }: ActorAndTime): T => ({
  ...object,
  version: object.version + 1,
  updatedAt: now.toISOString(),
  updatedBy: actor,
})

export const changedByEveryChange = new Set(['version', 'updatedAt', 'updatedBy'])
/** What no caller changes, by the kind of object: it is made up whenever the object is read. */
const madeUpWhenRead: Readonly<Record<string, ReadonlySet<string>>> = { webhook: new Set(['health']) }

export function changesBetween(before: object, after: object): Changes {
  const was = new Map(Object.entries(before))
  const madeUp = 'object' in after ? madeUpWhenRead[String(after.object)] : undefined
  const changed = Object.entries(after).filter(
    ([field, to]) =>
      !changedByEveryChange.has(field) &&
      madeUp?.has(field) !== true &&
      JSON.stringify(was.get(field)) !== JSON.stringify(to),
  )
  return Object.fromEntries(changed.map(([field, to]) => [field, { from: was.get(field) ?? null, to }]))
}

export const isUnchanged = (before: object, after: object): boolean =>
  Object.keys(changesBetween(before, after)).length === 0
