// The feed as it grows, for one caller: pages of `events.list`, each when there is something new.
import { setTimeout as pause } from 'node:timers/promises'
import type { streamEvents } from '#contract/events.ts'
import { Fault } from '#contract/faults/fault.ts'
import { typesOf } from '#contract/webhook-grants.ts'
import { pageEveryMs, type Follow, type LiveCall } from '../live/follow.ts'
import { positionAfter, readFeed } from './feed.ts'
import type { LongPoll } from './long-poll.ts'
import { assertReadable, readableTypes } from './readable-types.ts'

const pageMax = 100
/** The feed answers at once when too many wait: then it is read no more often than this. */
const pauseMs = 1_000

export const followEvents = ({ waitForEvents }: Pick<LongPoll, 'waitForEvents'>): Follow<typeof streamEvents> =>
  async function* follow({ eventTypes }, call) {
    const { workspaceId, principal, signal, read } = call
    if (eventTypes !== undefined) assertReadable(eventTypes, principal.scopes)
    const types = eventTypes === undefined ? readableTypes(principal.scopes) : typesOf(eventTypes)
    const kept = await keptSequence(call)
    let after = kept ?? (await read((db) => positionAfter(db, workspaceId, new Date())))
    await call.opened(kept !== null, String(after))
    while (!signal.aborted) {
      const page = await read((db) => readFeed(db, workspaceId, { after, types, limit: pageMax }))
      after = page.lastSequence
      yield { items: page.data, position: String(after) }
      if (!page.hasMore) await untilEvents(after, call)
    }

    async function untilEvents(sequence: number, { workspaceId: of }: LiveCall): Promise<void> {
      const until = AbortSignal.any([signal, AbortSignal.timeout(pageEveryMs)])
      const isThere = await waitForEvents(of, sequence, until)
      if (!isThere && !until.aborted) await pause(pauseMs, undefined, { signal }).catch(() => {})
    }
  }

/** Null when the caller has none, or the feed does not reach back to it, or not yet up to it. */
async function keptSequence({ lastEventId, workspaceId, read }: LiveCall): Promise<number | null> {
  const after = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : null
  if (after === null) return null
  try {
    await read((db) => readFeed(db, workspaceId, { after, types: [], limit: 1 }))
    return after
  } catch (thrown) {
    if (thrown instanceof Fault) return null
    throw thrown
  }
}
