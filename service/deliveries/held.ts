// What is held since the installation was restored from a backup: shown to the operator, who has it sent or cancelled.
import { workspacesListedMax, type getHeldDeliveries, type releaseHeldDeliveries } from '#contract/held-deliveries.ts'
import type { Db, Handler } from '../execution/call.ts'
import { giveUpHeld, dropHeld, endHold, fanOutHeld, heldByWorkspace, sendHeld } from './held-rows.ts'

/** One statement changes so many rows, and holds them no longer than a moment. */
const batchMax = 5_000
/** Below the time in which a gateway must be answered. */
const worksForMs = 15_000

const sumOf = <F extends string>(rows: readonly Readonly<Record<F, number>>[], field: F): number =>
  rows.reduce((sum, row) => sum + row[field], 0)

/** All that is held. Without a hold there is nothing to look for. */
export async function heldCounts(db: Db): Promise<Readonly<Record<'deliveries' | 'events', number>>> {
  const rows = (await heldSince(db)) === null ? [] : await heldByWorkspace(db, null)
  return { deliveries: sumOf(rows, 'deliveries'), events: sumOf(rows, 'events') }
}

const heldSince = async (db: Db): Promise<Date | null> =>
  (await db.installation.findUnique({ where: { id: 1 }, select: { heldSince: true } }))?.heldSince ?? null

export const getHeld: Handler<typeof getHeldDeliveries> = async (_input, { db }) => {
  const since = await heldSince(db)
  const rows = since === null ? [] : await heldByWorkspace(db, null)
  return {
    object: 'held_deliveries',
    heldSince: since?.toISOString() ?? null,
    deliveries: sumOf(rows, 'deliveries'),
    eventsWithoutDeliveries: sumOf(rows, 'events'),
    workspaces: rows
      .slice(0, workspacesListedMax)
      .map(({ events, ...row }) => ({ ...row, eventsWithoutDeliveries: events })),
  }
}

export const releaseHeld: Handler<typeof releaseHeldDeliveries> = async (
  { action, onlyWorkspaceId = null },
  { db },
) => {
  const until = Date.now() + worksForMs
  const [ofDeliveries, ofEvents] = action === 'send' ? [sendHeld, fanOutHeld] : [giveUpHeld, dropHeld]
  const deliveries = await inBatches(db, ofDeliveries, onlyWorkspaceId, until)
  const events = await inBatches(db, ofEvents, onlyWorkspaceId, until)
  await endHold(db)
  const left = await heldByWorkspace(db, onlyWorkspaceId)
  return {
    object: 'released_deliveries',
    deliveries,
    eventsWithoutDeliveries: events,
    left: sumOf(left, 'deliveries') + sumOf(left, 'events'),
  }
}

async function inBatches(db: Db, change: typeof sendHeld, workspaceId: string | null, until: number): Promise<number> {
  let changed = 0
  for (let last = batchMax; last === batchMax && Date.now() < until; changed += last)
    last = await change(db, workspaceId, batchMax)
  return changed
}
