// The operations on events.
import { setTimeout as pause } from 'node:timers/promises'
import { eventCatalogue } from '#contract/api.ts'
import { eventRecordOf, type EventRecord } from '#contract/event.ts'
import type { getEvent, listEvents, listEventTypes } from '#contract/events.ts'
import { pageItemsDefault } from '#contract/pagination.ts'
import { covers, readScopeOf } from '#contract/scopes.ts'
import type { Pager } from '../collection/pagination.ts'
import type { Handlers, Handler } from '../execution/call.ts'
import { refuseParameter, notFoundById } from '../faults/shared-faults.ts'
import { positionAfter, readFeed, typesFor } from './feed.ts'
import type { LongPoll } from './long-poll.ts'
import { search } from './search.ts'

type LedgerDeps = { readonly longPoll: Pick<LongPoll, 'waitForEvents'>; readonly pager: Pager }

export const eventHandlers = ({ longPoll, pager }: LedgerDeps) =>
  ({
    'events.search': search(pager),
    'event-types.list': listTypes,
    'events.list': list(longPoll),
    'events.get': get,
  }) satisfies Partial<Handlers>

const get: Handler<typeof getEvent> = async ({ id }, { db, workspaceId, principal }) => {
  const row = await db.event.findUnique({
    where: { workspaceId_id: { workspaceId, id } },
    select: { body: true, type: true },
  })
  if (row === null || !covers(principal.scopes, readScopeOf(row.type))) throw notFoundById('event')
  return JSON.parse(row.body) as EventRecord
}

/** The least time between two reads of a caller who is woken by events of types that it did not ask for. */
const minPauseMs = 100

/**
 * With `wait` it is a long poll: while the page is empty it waits for new events and reads again. It holds no database
 * connection and no database slot while it waits.
 */
const list =
  ({ waitForEvents }: Pick<LongPoll, 'waitForEvents'>): Handler<typeof listEvents> =>
  async (
    {
      after: position,
      occurredAfter,
      eventTypes,
      resourceId,
      actorId,
      search: text,
      limit = pageItemsDefault,
      wait = 0,
    },
    { db, workspaceId, principal, signal, withoutSlot },
  ) => {
    if (position !== undefined && occurredAfter !== undefined)
      refuseParameter('occurredAfter', 'not_in_list', 'Stands in place of `after`, not beside it.')
    const reading = { types: typesFor(eventTypes, principal.scopes), resourceId, actorId, text, limit }
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

const $schema = 'https://json-schema.org/draft/2020-12/schema'

// The contract does not change while a process lives.
const catalogue = eventCatalogue.map((event) => ({
  type: event.type,
  summary: event.summary,
  scope: readScopeOf(event.type),
  schema: { $schema, title: event.type, ...eventRecordOf(event) },
}))

const listTypes: Handler<typeof listEventTypes> = async () => ({ data: catalogue })
