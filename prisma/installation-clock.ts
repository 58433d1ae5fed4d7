// The clock of the installation (prisma/restore.ts), kept in Redis beside the database: by it a process notices at its
// start that the database was restored to an earlier state without RESTORED=true, and a service notices it later on.
import type { Cluster, Redis } from 'ioredis'
import { type Log, throttledLog } from '#runtime/log.ts'
import { loop } from '#runtime/loop.ts'
import type { Part } from '#runtime/process.ts'
import { openRedis } from '#runtime/redis.ts'
import { waitAtMost } from '#runtime/timeouts.ts'
import type { Database, Where } from './client.ts'
import { assertNotRewound, moveClock, readInstallation, rewoundMessage } from './installation-rows.ts'
import { declareRestored } from './restore.ts'

const everyMs = 10_000
const redisWithinMs = 2_000
const keptDays = 365
/** While no restore is declared. */
const toldAgainMs = 600_000

type Place = { readonly redisUrl: string | null; readonly brand: string }

const keyOf = (brand: string, identity: string): string => `${brand}.installation.${identity}`

const readKept = async (redis: Redis | Cluster, key: string): Promise<number> => Number((await redis.get(key)) ?? 0)

/** Throws a StartupError where the database is behind what Redis has heard of. Without an answer nothing is known. */
export async function assertCurrent(db: Database, { redisUrl, brand }: Place): Promise<void> {
  const found = await readInstallation(db)
  if (found === null || redisUrl === null) return
  const redis = openRedis(redisUrl, { commandTimeout: redisWithinMs })
  redis.on('error', () => {})
  try {
    let seen = 0
    const asked = new Promise((resolve) => redis.once('ready', resolve))
      .then(async () => {
        seen = await readKept(redis, keyOf(brand, found.identity))
      })
      .catch(() => {})
    await waitAtMost(redisWithinMs, asked)
    // Read once more: while Redis was asked, another service may have moved the clock on in both.
    assertNotRewound((await readInstallation(db)) ?? found, seen)
  } finally {
    redis.disconnect()
  }
}

type Given = Place & { readonly where: Where; readonly restored: boolean }

/** For the process that may begin a new epoch, before it does anything else. Returns whether it has. */
export async function declareOrAssert(db: Database, { where, restored, ...place }: Given, log: Log): Promise<boolean> {
  if (!restored) {
    await assertCurrent(db, place)
    return false
  }
  const { deliveries, events } = await declareRestored(where)
  log.warn(
    { deliveries, events },
    'RESTORED: a new epoch has begun. Positions of the feed after the backup are refused, and what was waiting to be sent is held until it is released (npm run cli -- held-deliveries.get). Start the next process without RESTORED',
  )
  return true
}

/** Moves the clock on while Redis is reached, and tells of a database that has gone back under this process. */
export function keepClock(db: Database, { redisUrl, brand }: Place, log: Log): Part & { isRewound(): boolean } {
  let rewound = false
  if (redisUrl === null) return { isRewound: () => rewound, close: async () => {} }
  const redis = openRedis(redisUrl, { commandTimeout: redisWithinMs })
  redis.on('error', () => {})
  const rarely = throttledLog(toldAgainMs)
  let key: string | null = null

  async function move(): Promise<number> {
    if (redis.status !== 'ready') return everyMs / 10
    key ??= await readInstallation(db).then((found) => found && keyOf(brand, found.identity))
    if (key === null) return everyMs
    // Asked first: what Redis has heard of was in the database before.
    const seen = await readKept(redis, key)
    const [moved] = await moveClock(db, seen)
    if (moved === undefined) return everyMs
    rewound = moved.rewoundAt !== null
    const { rewoundAt } = moved
    if (rewound) rarely('rewound', 1, () => log.error({ rewoundAt }, rewoundMessage(Number(moved.before), seen)))
    await redis.set(key, String(moved.beat), 'EX', keptDays * 86_400)
    return everyMs
  }
  const moving = loop(move, (err) => log.warn({ err }, 'the clock of the installation was not moved, trying again'))
  const close = async (): Promise<void> => {
    await moving.close()
    redis.disconnect()
  }
  return { isRewound: () => rewound, close }
}
