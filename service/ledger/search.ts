// The events of a workspace as people look for them: newest first, filtered, in pages of which each looks through a
// bounded number of events.
import type { EventRecord } from '#contract/event.ts'
import { eventsLookedThroughMax, type searchEvents } from '#contract/events.ts'
import type { Input } from '#contract/operation.ts'
import { rowsFor, type Pager, type Paging } from '../collection/pagination.ts'
import type { Db, Handler } from '../execution/call.ts'
import { refuseParameter } from '../faults/shared-faults.ts'
import { assertSpan } from '../validation/query-parameters.ts'
import { positionAfter, textInBody, typesFor } from './feed.ts'
import { eventsBackwards, feedEnds } from './rows.ts'

type SearchInput = Input<typeof searchEvents>

export const search =
  (pager: Pager): Handler<typeof searchEvents> =>
  async (input, { db, workspaceId, principal }) => {
    const { eventTypes, resourceId = null, actorId = null, requestId = null, occurredAfter, occurredBefore } = input
    assertSpan('occurred', occurredAfter, occurredBefore, refuseParameter)
    const types = typesFor(eventTypes, principal.scopes)
    const paging = pager.open('events.search', workspaceId, input, '-sequence')
    const { above, below, isWhole } = await spanOf(db, workspaceId, input, paging)
    const text = input.search === undefined ? null : textInBody(input.search)
    const slice = { above, below, types, resourceId, actorId, requestId, text, rows: rowsFor(paging.limit) }
    const rows = await eventsBackwards(db, workspaceId, slice)
    const lookedAt = isWhole ? null : String(above + 1)
    return pager.page(rows, paging, ({ sequence }) => String(sequence), recordOf, lookedAt)
  }

const recordOf = ({ body }: { readonly body: string }): EventRecord => JSON.parse(body) as EventRecord

/** Sequences between which this page looks, without the two. `isWhole`: nothing is left below them. */
type Span = { readonly above: number; readonly below: number; readonly isWhole: boolean }

async function spanOf(db: Db, workspaceId: string, input: SearchInput, { after }: Paging): Promise<Span> {
  const [ends] = await feedEnds(db, workspaceId)
  if (ends === undefined) throw new Error(`Workspace ${workspaceId} has no event sequence`)
  const { occurredAfter, occurredBefore } = input
  const positionAt = (time: string): Promise<number> => positionAfter(db, workspaceId, new Date(time))
  const first = Math.max(Number(ends.expired), occurredAfter === undefined ? 0 : await positionAt(occurredAfter))
  const newest = occurredBefore === undefined ? Number(ends.last) : await positionAt(occurredBefore)
  const below = after === null ? newest + 1 : Number(after.value)
  const above = isIndexed(input) ? first : Math.max(first, below - 1 - eventsLookedThroughMax)
  return { above, below, isWhole: above === first }
}

/**
 * Each of these has an index, in which no other events stand. An actor may have done much: what is asked for besides
 * would be looked for in all of it.
 */
const isIndexed = ({ resourceId, actorId, requestId, eventTypes, search: text }: SearchInput): boolean =>
  resourceId !== undefined ||
  requestId !== undefined ||
  (actorId !== undefined && eventTypes === undefined && text === undefined)
