// A page of the feed that ends at a sequence. The feed is read forwards, by a sequence without gaps but for those of
// restores from a backup: so a page is so many numbers before its end, read from their beginning.
import { ApiError } from '#clients/typescript/src/errors.ts'
import type { EventRecord } from '#contract/event.ts'
import { call, codeOf } from '../../app/call.ts'

/** `from`: where the page before it ends; 0 when there is none. */
export type FeedPage = { readonly events: readonly EventRecord[]; readonly from: number }
type Asked = { readonly workspaceId: string; readonly signal: AbortSignal }

/** How many numbers a page looks through: more where only some of them are shown. */
const spanOf = (kind: string | undefined): number => (kind === undefined ? 100 : 1_000)
const perCall = 200

/** `before`: the last number of the page; null for the end of the feed. */
export async function readBefore(before: number | null, kind: string | undefined, asked: Asked): Promise<FeedPage> {
  const end = before ?? (await endOfFeed(asked))
  const from = Math.max(0, end - spanOf(kind))
  try {
    return { events: await readBetween(from, end, kind, asked), from }
  } catch (error) {
    const gap = gapIn(error)
    // The page then begins behind the gap, and the one before it ends in front.
    if (gap !== null) return { events: await readBetween(gap.continuesAfter, end, kind, asked), from: gap.restoredAt }
    // Older events are no longer kept. The page then begins with the oldest one.
    if (codeOf(error) !== 'cursor_expired') throw error
    return { events: await readBetween(null, end, kind, asked), from: 0 }
  }
}

type Gap = { readonly restoredAt: number; readonly continuesAfter: number }

function gapIn(error: unknown): Gap | null {
  if (!(error instanceof ApiError) || codeOf(error) !== 'feed_rewound') return null
  return error.problem as unknown as Gap
}

async function endOfFeed(asked: Asked): Promise<number> {
  const { lastSequence } = await call('events.list', { occurredAfter: new Date().toISOString(), limit: 1 }, asked)
  return lastSequence
}

async function readBetween(
  from: number | null,
  end: number,
  kind: string | undefined,
  asked: Asked,
): Promise<readonly EventRecord[]> {
  const events: EventRecord[] = []
  let after = from
  do {
    const input = { limit: perCall, ...(kind && { eventTypes: [kind] }), ...(after !== null && { after }) }
    const page = await call('events.list', input, asked)
    events.push(...page.data.filter(({ sequence }) => sequence <= end))
    after = page.lastSequence
  } while (after < end)
  return events
}
