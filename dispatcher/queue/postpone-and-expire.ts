// Deliveries that are not sent. One that we cannot sign, that our proxy does not take, or whose host has enough for
// now, is postponed: no attempt is made, so none is counted, neither against the retry schedule nor against the
// webhook's health. One that waits too long, for such a reason or for a paused webhook, is dead-lettered with all its
// attempts left; so is one whose time is over when its next try would begin.
import type { Database } from '#prisma/client.ts'
import { type Log, throttledLog } from '#runtime/log.ts'
import type { LeasedDelivery } from './leases.ts'
import { loop, type Loop } from '#runtime/loop.ts'
import { expireDelivery, expireOfInactive, postponeDelivery } from './rows.ts'

/** How long a delivery may wait for a reason that its receiver cannot mend. */
const waitHoursMax = 72
/** Keys and headers are mended by people, a proxy most often recovers by itself. */
const retrySeconds = { signing_failed: 300, proxy_error: 30, host_busy: 1, host_unproven: 60 }
/** The workspace's own doing, and nothing that the operator has to mend. */
const ofWorkspace = new Set<keyof typeof retrySeconds>(['host_busy', 'host_unproven'])
const logEveryMs = 60_000

type Postponement = {
  readonly code: keyof typeof retrySeconds
  /** For the log. */
  readonly reason: string
  readonly error?: unknown
}
export type Postpone = (item: LeasedDelivery, cause: Postponement) => Promise<void>

export function postponer(db: Database, owner: string, log: Log): Postpone {
  const throttled = throttledLog(logEveryMs)
  return async ({ workspaceId, id, webhookId }, { code, reason, error }) => {
    throttled(reason, 1, (deliveries) =>
      log[ofWorkspace.has(code) ? 'info' : 'error'](
        { err: error, workspaceId, webhookId, deliveries },
        `deliveries are postponed: ${reason}`,
      ),
    )
    await postponeDelivery(db, { workspaceId, id, owner }, code, retrySeconds[code], waitHoursMax)
  }
}

/**
 * Dead-letters a delivery whose time is over when its next try would begin: its webhook had too many waiting, or no
 * dispatcher was there to send it.
 */
export type Expire = (item: LeasedDelivery) => Promise<void>

export const expirer =
  (db: Database, owner: string): Expire =>
  async ({ workspaceId, id }) => {
    await expireDelivery(db, { workspaceId, id, owner })
  }

const expireEveryMs = 5 * 60_000
const batchMax = 500

/** Dead-letters deliveries that have waited too long for a webhook that is paused or disabled. */
export const startExpiry = (db: Database, onError: (error: unknown) => void): Loop =>
  loop(async () => ((await expireWaiting(db)) === batchMax ? 0 : expireEveryMs), onError)

/**
 * Returns the number of deliveries. Counts from the end of the active state, so that a pause does not expire old ones.
 */
export const expireWaiting = (db: Database): Promise<number> => expireOfInactive(db, waitHoursMax, batchMax)
