// Fetches what has come due, as much as there are places for, and sleeps until the next is. Retries, replays, released
// pauses and what a dead dispatcher had leased all come this way.
import type { Database } from '#prisma/client.ts'
import type { Lanes } from './lanes.ts'
import { claimDue, giveBack, untilNextDue } from './leases.ts'
import { loop, type Loop } from '#runtime/loop.ts'

const batchMax = 200
const sleepMaxMs = 1_000

export const openClaimer = (db: Database, owner: string, lanes: Lanes, onError: (error: unknown) => void): Loop =>
  loop(async () => {
    const { free, fullWebhooks } = lanes.room()
    const max = Math.min(free, batchMax)
    if (max === 0) return sleepMaxMs
    const claimed = await claimDue(db, owner, max, fullWebhooks)
    const left = lanes.offer(claimed)
    await giveBack(db, owner, left)
    if (claimed.length === max) return 0
    return Math.min((await untilNextDue(db)) ?? sleepMaxMs, sleepMaxMs)
  }, onError)
