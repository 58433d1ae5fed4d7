// Many objects that change because of one other: each gets its next version, at a time of its own, and an event.
import type { EventOrigin } from '#contract/event.ts'
import type { Actor } from '#contract/shared-fields.ts'
import type { Call, Db } from '../execution/call.ts'
import { bumpVersion } from '../execution/system-fields.ts'
import { raiseVersions, type ChangedVersion } from './change-rows.ts'
import type { ChangeEvents, Collection, Resource } from './definition.ts'

/** Returns the time of the next change. */
export type NextTime = () => Date

/** The times that follow this call's own, each a millisecond after the one before. */
export function timesAfter({ now }: Pick<Call, 'now'>): NextTime {
  let count = 0
  return () => new Date(now.getTime() + (count += 1))
}

type Versioned = { readonly version: number; readonly updatedAt: string; readonly updatedBy: Actor }
type ChangeOfMany<T> = {
  readonly call: Call
  readonly nextTime: NextTime
  readonly change: (before: T) => T
  readonly emit: (call: Call, after: T, before: T) => void
}

/** Returns the changed objects. Their rows are for the caller to write. */
export const changeEach = <T extends Versioned>(
  objects: readonly T[],
  { call, nextTime, change, emit }: ChangeOfMany<T>,
): T[] =>
  objects.map((before) => {
    const { call: subcall, keep } = call.subcall(nextTime())
    const after = bumpVersion(change(before), subcall)
    emit(subcall, after, before)
    keep()
    return after
  })

/** Emits the collection's event for an update of objects that its events are about. */
export const emitUpdated =
  <R extends Resource>(collection: Collection<R>) =>
  (call: Call, after: R, before: R): void => {
    call.emit(eventsOf(collection, after).updated, collection.brief(after), collection.brief(before))
  }

const eventsOf = <R extends Resource>({ events }: Pick<Collection<R>, 'events'>, object: R): ChangeEvents =>
  typeof events === 'function' ? events(object) : events

type Change<R> = {
  readonly action: keyof ChangeEvents
  readonly after: R
  readonly before?: R
  readonly origin?: EventOrigin | undefined
}

/** Emits the collection's event for the change of one object. */
export async function emitChange<R extends Resource>(
  collection: Collection<R>,
  { action, after, before, origin }: Change<R>,
  call: Call,
): Promise<void> {
  const { brief, about } = collection
  const event = eventsOf(collection, after)[action]
  call.emit(event, brief(after), before && brief(before), await about?.(after, call), origin)
}

/** Writes version, time and author of objects of one workspace that one call has changed. */
export async function writeVersions(tx: Db, table: string, changed: readonly ChangedVersion[]): Promise<void> {
  if (changed.length > 0) await raiseVersions(tx, table, changed)
}
