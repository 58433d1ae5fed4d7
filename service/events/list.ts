import { eventCatalogue } from '#contract/api.ts'
import type { EventRecord } from '#contract/event.ts'
import type { listEvents } from '#contract/events.ts'
import { pageItemsDefault } from '#contract/limits.ts'
import { covers, readScopeOf } from '#contract/scope.ts'
import type { Handler } from '../handler.ts'

/** A reader sees the kinds of events whose resources it may read. */
export const list: Handler<typeof listEvents> = async (
  { after = 0, types, limit = pageItemsDefault },
  { db, workspaceId, principal },
) => {
  const readable = eventCatalogue.map(({ type }) => type).filter((type) => covers(principal.scopes, readScopeOf(type)))
  const wanted = types === undefined ? readable : readable.filter((type) => types.includes(type))
  const rows = await db.event.findMany({
    where: { workspaceId, sequence: { gt: after }, type: { in: wanted } },
    orderBy: { sequence: 'asc' },
    take: limit + 1,
    select: { body: true, sequence: true },
  })
  const shown = rows.slice(0, limit)
  const lastSequence = Number(shown.at(-1)?.sequence ?? after)
  return { data: shown.map(({ body }) => JSON.parse(body) as EventRecord), lastSequence, hasMore: rows.length > limit }
}
