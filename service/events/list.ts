import { setTimeout as pause } from 'node:timers/promises'
import type { listEvents } from '#contract/events.ts'
import { typesOf } from '#contract/webhook-grants.ts'
import { pageItemsDefault } from '#contract/size-limits.ts'
import type { Handler } from '../execution/handler.ts'
import { readFeed } from './feed.ts'
import { assertReadable, readableTypes } from './readable-types.ts'
import type { Waiting } from './long-poll.ts'

/** A reader whom others' events wake again and again reads no faster than this. */
const fruitlessPauseMs = 100

/** Nothing of the database is held while it waits, nor a place to use it: it reads, and reads again when there may be something. */
export const list =
  ({ more }: Pick<Waiting, 'more'>): Handler<typeof listEvents> =>
  async (
    { after, eventTypes, limit = pageItemsDefault, wait = 0 },
    { db, workspaceId, principal, signal, withoutSlot },
  ) => {
    if (eventTypes !== undefined) assertReadable(eventTypes, principal.scopes)
    const reading = { types: eventTypes === undefined ? readableTypes(principal.scopes) : typesOf(eventTypes), limit }
    let page = await readFeed(db, workspaceId, { ...reading, after })
    if (wait === 0) return page
    const until = AbortSignal.any([signal, AbortSignal.timeout(wait * 1_000)])
    while (
      page.data.length === 0 &&
      !page.hasMore &&
      (await withoutSlot(async () => more(workspaceId, page.lastSequence, until)))
    ) {
      page = await readFeed(db, workspaceId, { ...reading, after: page.lastSequence })
      if (page.data.length === 0)
        await withoutSlot(() => pause(fruitlessPauseMs, undefined, { signal: until }).catch(() => {}))
    }
    return page
  }
