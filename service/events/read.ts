import { setTimeout as pause } from 'node:timers/promises'
import type { EventRecord } from '#contract/event.ts'
import type { getEvent, listEvents } from '#contract/events.ts'
import { covers, readScopeOf } from '#contract/scopes.ts'
import { typesOf } from '#contract/webhook-grants.ts'
import type { Handler } from '../execution/handler.ts'
import { positionAfter, readFeed } from './feed.ts'
import { assertReadable, readableTypes } from './readable-types.ts'
import type { LongPoll } from './long-poll.ts'
import { refuseParameter } from '../faults/field-refusals.ts'
import { notFoundById } from '../faults/not-found.ts'
import { pageItemsDefault } from '#contract/pagination.ts'

export const get: Handler<typeof getEvent> = async ({ id }, { db, workspaceId, principal }) => {
  const row = await db.event.findUnique({
    where: { workspaceId_id: { workspaceId, id } },
    select: { body: true, type: true },
  })
  if (row === null || !covers(principal.scopes, readScopeOf(row.type))) throw notFoundById('event')
  return JSON.parse(row.body) as EventRecord
}

/** The least time between two reads of a caller who is woken by events of types that he did not ask for. */
const minPauseMs = 100

/**
 * With `wait` it is a long poll: while the page is empty it waits for new events and reads again. It holds no database
 * connection and no database slot while it waits.
 */
export const list =
  ({ waitForEvents }: Pick<LongPoll, 'waitForEvents'>): Handler<typeof listEvents> =>
  async (
    { after: position, occurredAfter, eventTypes, limit = pageItemsDefault, wait = 0 },
    { db, workspaceId, principal, signal, withoutSlot },
  ) => {
    if (position !== undefined && occurredAfter !== undefined)
      refuseParameter('occurredAfter', 'not_in_list', 'Stands in place of `after`, not beside it.')
    if (eventTypes !== undefined) assertReadable(eventTypes, principal.scopes)
    const reading = { types: eventTypes === undefined ? readableTypes(principal.scopes) : typesOf(eventTypes), limit }
    const after = occurredAfter === undefined ? position : await positionAfter(db, workspaceId, new Date(occurredAfter))
    let page = await readFeed(db, workspaceId, { ...reading, after })
    if (wait === 0) return page
    const until = AbortSignal.any([signal, AbortSignal.timeout(wait * 1_000)])
    while (
      page.data.length === 0 &&
      !page.hasMore &&
      (await withoutSlot(async () => waitForEvents(workspaceId, page.lastSequence, until)))
    ) {
      page = await readFeed(db, workspaceId, { ...reading, after: page.lastSequence })
      if (page.data.length === 0)
        await withoutSlot(() => pause(minPauseMs, undefined, { signal: until }).catch(() => {}))
    }
    return page
  }
