// A stream of deliveries as they change, for one caller: reads the changes since its position when the watch reports
// any.
import type { KeyObject } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Delivery, streamDeliveries } from '#contract/deliveries.ts'
import { sign, verify } from '#runtime/sealing-and-signing.ts'
import { pageEveryMs, type StreamCall, type StreamPage, type StreamSource } from '../http/stream-source.ts'
import { changesIn, isKept, positionNow, type ChangePosition, type ChangeSpan } from './change-rows.ts'
import { shownTo } from './operations.ts'
import { toDeliveries } from './rows.ts'
import type { DeliveryWatch } from './watch.ts'

type Watch = Pick<DeliveryWatch, 'join' | 'changeNumber' | 'untilChanged'>
type FollowInput = Parameters<StreamSource<typeof streamDeliveries>>[0]

const pageMax = 200
const settleEveryMs = 50

export const followDeliveries = (watch: Watch, key: KeyObject): StreamSource<typeof streamDeliveries> =>
  async function* follow(input, call) {
    const { workspaceId, signal } = call
    // Checks the caller's rights before anything is watched.
    await call.read((db) => shownTo({ ...call, db }, input))
    const { leave } = await watch.join(workspaceId)
    const textOf = (position: ChangePosition): string => sign(key, position, workspaceId)
    try {
      const kept = await keptPosition(call, key)
      const start = kept ?? (await settled(call))
      await call.opened(kept !== null, textOf(start))
      let span: ChangeSpan = { from: start.snapshot, to: null, after: null }
      while (!signal.aborted) {
        const changeNumber = watch.changeNumber(workspaceId)
        const { page, next } = await readPage(call, input, span, textOf)
        span = next
        yield page
        if (page.position !== null) await watch.untilChanged(workspaceId, changeNumber, pageEveryMs, signal)
      }
    } finally {
      leave()
    }
  }

/** Returns null when the caller sends no position, or changes since then are missing. */
async function keptPosition(
  { lastEventId, workspaceId, read }: StreamCall,
  key: KeyObject,
): Promise<ChangePosition | null> {
  const position = lastEventId === null ? null : verify(key, lastEventId, workspaceId)
  if (!isPosition(position)) return null
  return (await read((db) => isKept(db, workspaceId, position))) ? position : null
}

/** The signature proves the origin; another release may have had another form. */
function isPosition(claim: unknown): claim is ChangePosition {
  const { snapshot, at, ...rest } = (claim ?? {}) as Readonly<Record<string, unknown>>
  return typeof snapshot === 'string' && typeof at === 'number' && Object.keys(rest).length === 0
}

/** Transactions that began before the watch write no changes down, so the first position waits for their end. */
async function settled({ read, signal }: StreamCall): Promise<ChangePosition> {
  const { next } = await read(positionNow)
  for (;;) {
    const { oldest, snapshot, at } = await read(positionNow)
    if (oldest >= next || signal.aborted) return { snapshot, at }
    await pause(settleEveryMs)
  }
}

async function readPage(
  call: StreamCall,
  input: FollowInput,
  span: ChangeSpan,
  textOf: (position: ChangePosition) => string,
): Promise<{ readonly page: StreamPage<Delivery>; readonly next: ChangeSpan }> {
  return call.read(async (db) => {
    const { rows, to } = await changesIn(db, call.workspaceId, span, pageMax)
    // A delivery that changed twice is at the place of its last change.
    const ids = [...new Set(rows.map(({ deliveryId }) => deliveryId).toReversed())].toReversed()
    const where = { AND: [await shownTo({ ...call, db }, input), { id: { in: ids } }] }
    const found = ids.length === 0 ? [] : await db.delivery.findMany({ where })
    const byId = new Map((await toDeliveries(db, call.workspaceId, found)).map((each) => [each.id, each]))
    const items = ids.flatMap((id) => byId.get(id) ?? [])
    const last = rows.length < pageMax ? undefined : rows.at(-1)
    return last === undefined
      ? { page: { items, position: textOf(to) }, next: { from: to.snapshot, to: null, after: null } }
      : { page: { items, position: null }, next: { from: span.from, to: to.snapshot, after: last } }
  })
}
