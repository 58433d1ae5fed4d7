// The history of an object: the changes that its events tell, field by field, newest first.
import { eventCatalogue } from '#contract/api.ts'
import type { Call } from '../execution/call.ts'
import type { Collection, CollectionHandler, Resource } from './definition.ts'
import { changesOf, oldestKept, type HistoryPosition } from './history-rows.ts'
import { outdatedCursor, rowsFor, type Pager, type Paging } from './pagination.ts'
import { assertNotPurged, find, findAny, withHidden } from './rows.ts'

type HistoryInput = {
  readonly id: string
  readonly includeDeleted?: boolean
  readonly field?: readonly string[]
  readonly limit?: number
  readonly cursor?: string
}

export function historyHandler<R extends Resource>(collection: Collection<R>, pager: Pager): CollectionHandler {
  const { segment } = collection
  // Comments on the object have events of its segment, and fields of their own.
  const types = eventCatalogue
    .map(({ type }) => type)
    .filter((type) => type.startsWith(`${segment}.`) && !type.includes('.comment_'))
  return async (given, call) => {
    const { includeDeleted = false, ...input } = given as HistoryInput
    const object = await objectOf(collection, input.id, includeDeleted, call)
    const paging = pager.open(`${segment}.history`, call.workspaceId, input, '')
    const slice = { types, fields: input.field ?? null, after: positionOf(paging), rows: rowsFor(paging.limit) }
    const rows = await changesOf(call.db, call.workspaceId, object.id, slice)
    const page = pager.page(
      rows,
      paging,
      ({ sequence, place }) => `${sequence}.${place}`,
      ({ id, sequence, field, change: { from, to }, event: { actor, resource }, changedAt }) => ({
        field,
        from,
        to,
        changedAt: changedAt.toISOString(),
        actor,
        version: resource.version,
        eventId: id,
        sequence: Number(sequence),
      }),
    )
    const [oldest] = await oldestKept(call.db, call.workspaceId)
    const kept = oldest?.at.toISOString() ?? object.createdAt
    return { ...page, completeSince: kept > object.createdAt ? kept : object.createdAt }
  }
}

async function objectOf<R extends Resource>(
  collection: Collection<R>,
  id: string,
  includeDeleted: boolean,
  call: Call,
): Promise<R> {
  if (!includeDeleted) return find(call.db, collection, call.workspaceId, id)
  const found = await findAny(call.db, withHidden(collection), call.workspaceId, id)
  await assertNotPurged(collection, found, call)
  return found
}

function positionOf({ after }: Paging): HistoryPosition | null {
  if (after === null) return null
  const [, sequence, place] = /^(\d{1,18})\.(\d{1,9})$/.exec(after.value) ?? []
  if (sequence === undefined) throw outdatedCursor()
  return { sequence, place: Number(place) }
}
