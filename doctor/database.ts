// The database: whether it is reached, of which version it is and whether its clock agrees, what it lacks of
// migrations, whether its secrets are those of this process, and whether it was restored.
import { FolderInUse } from '#prisma/pglite.ts'
import { openDatabase, type Database, type OpenedDatabase, type Where } from '#prisma/client.ts'
import { assertCurrent } from '#prisma/installation-clock.ts'
import { assertNotImporting, readInstallation } from '#prisma/installation-rows.ts'
import { assertMigrated } from '#prisma/migrate.ts'
import { lookAtPrimary, lookAtReplica } from '#prisma/replica-rows.ts'
import { stateOf } from '#prisma/replica.ts'
import { oldestPostgres } from '#prisma/route.ts'
import {
  assertSecret,
  countSealedValues,
  countsByKey,
  missingKeysMessage,
  webhookKeyring,
} from '#prisma/sealing-rows.ts'
import { heldCounts } from '../service/deliveries/held.ts'
import { found, lookAt, type Check, type Finding } from './finding.ts'

/** Signatures between gateway and service are accepted for 30 seconds. */
const clockOffMaxMs = { warning: 2_000, failure: 30_000 }

type Secrets = Parameters<typeof webhookKeyring>[0]
export type DatabaseSettings = Secrets & {
  readonly where: () => Promise<Where>
  readonly redisUrl: string | null
  readonly brand: string
}

export const database = (settings: DatabaseSettings): Check => ({
  about: 'Database',
  look: async () => {
    const where = await settings.where().catch(inUse)
    if ('level' in where) return [where]
    const opened = await openDatabase(where)
    try {
      return await lookInto(opened, settings)
    } finally {
      await opened.close()
    }
  },
})

/** One process at a time has the embedded database, which is well where standalone runs. */
function inUse(error: unknown): Finding {
  if (!(error instanceof FolderInUse)) throw error
  return found('warning', 'Database', `${error.message} To look into it, stop that process and run this again.`)
}

async function lookInto({ db }: OpenedDatabase, settings: DatabaseSettings): Promise<readonly Finding[]> {
  const checks: Check[] = [
    { about: 'Database', look: () => version(db) },
    { about: 'Clock', look: () => clock(db) },
    { about: 'Migrations', look: () => migrations(db) },
  ]
  const first = (await Promise.all(checks.map(lookAt))).flat()
  // What the others read may not be there.
  if (first.some(({ about, level }) => about === 'Migrations' && level === 'failure')) return first
  const others: Check[] = [
    { about: 'INTERNAL_SECRET', look: () => secret(db, settings) },
    { about: 'SEALING_KEYS', look: () => sealing(db, settings) },
    { about: 'Restore', look: () => restore(db, settings) },
  ]
  return [...first, ...(await Promise.all(others.map(lookAt))).flat()]
}

async function version(db: Database): Promise<Finding[]> {
  const [row] = await db.$queryRaw<{ version: string }[]>`SELECT current_setting('server_version') AS version`
  return [found('ok', 'Database', `Postgres ${row?.version}; ${oldestPostgres} or newer is needed.`)]
}

/** A warning at most: without the replica the database serves all reads. */
export const replica = (primary: Where, url: string): Check => ({
  about: 'Replica',
  look: async () => {
    await using opened = new AsyncDisposableStack()
    const open = async (where: Where): Promise<Database> => {
      const { db, close } = await openDatabase(where)
      opened.defer(close)
      return db
    }
    const [now] = await lookAtPrimary(await open(primary))
    try {
      const [there] = await lookAtReplica(await open({ url, connections: 2, application: 'doctor' }))
      return [replicaFound(now!, there!)]
    } catch (error) {
      return [found('warning', 'Replica', `No read goes to it: ${(error as Error).message}`)]
    }
  },
})

type Primary = Awaited<ReturnType<typeof lookAtPrimary>>[number]
type Other = Awaited<ReturnType<typeof lookAtReplica>>[number]

const wrongReplica: Readonly<Record<'promoted' | 'foreign', string>> = {
  promoted: 'It is none: it takes writes.',
  foreign: 'It is one of another database than DATABASE_URL, or follows an earlier primary.',
}

function replicaFound(primary: Primary, other: Other): Finding {
  const state = stateOf(primary, other, 0)
  if (state === 'promoted' || state === 'foreign')
    return found('warning', 'Replica', `${wrongReplica[state]} No read goes to it.`)
  const bytes = Math.max(0, Number(primary.written - (other.replayed ?? 0n)))
  return found('ok', 'Replica', `It is one of this database, and ${bytes} bytes behind.`)
}

async function clock(db: Database): Promise<Finding[]> {
  const askedAt = Date.now()
  const [row] = await db.$queryRaw<{ ms: number }[]>`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`
  return [clockFound((row?.ms ?? 0) - (askedAt + Date.now()) / 2)]
}

export function clockFound(offMs: number): Finding {
  const off = Math.abs(offMs)
  const level = off > clockOffMaxMs.failure ? 'failure' : off > clockOffMaxMs.warning ? 'warning' : 'ok'
  const advice = level === 'ok' ? '' : ' Keep the clocks of all machines in step (NTP).'
  const where = offMs < 0 ? 'ahead of' : 'behind'
  return found(level, 'Clock', `This machine is ${(off / 1_000).toFixed(1)} seconds ${where} the database.${advice}`)
}

async function migrations(db: Database): Promise<Finding[]> {
  await assertMigrated(db)
  await assertNotImporting(db)
  return [found('ok', 'Migrations', 'The database has all that this version needs.')]
}

async function secret(db: Database, settings: Secrets): Promise<Finding[]> {
  await assertSecret(db, settings)
  return [found('ok', 'INTERNAL_SECRET', 'It is the one that the database is used with, or the first.')]
}

async function sealing(db: Database, settings: Secrets): Promise<Finding[]> {
  const counts = await countSealedValues(db)
  const keyring = webhookKeyring(settings)
  const missing = Object.entries(countsByKey(counts, keyring, 'unknown'))
  const list = missing.map(([key, count]) => `${key} (${count})`).join(', ')
  if (missing.length > 0) return [found('failure', 'SEALING_KEYS', `${missingKeysMessage}: ${list}.`)]
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  return [found('ok', 'SEALING_KEYS', `Each of the ${total} stored secrets has its key.`)]
}

async function restore(db: Database, { redisUrl, brand }: DatabaseSettings): Promise<Finding[]> {
  await assertCurrent(db, { redisUrl, brand })
  const installation = await readInstallation(db)
  if (installation?.rewoundAt)
    return [
      found(
        'failure',
        'Restore',
        `The database went back to an earlier state, which was noticed at ${installation.rewoundAt.toISOString()}. Start one service with RESTORED=true: docs/operating/restoring.md.`,
      ),
    ]
  const { deliveries, events } = await heldCounts(db)
  if (deliveries + events === 0) return [found('ok', 'Restore', 'Nothing is held since a restore.')]
  const held = `${deliveries} deliveries and ${events} events without deliveries`
  return [found('warning', 'Restore', `Held since a restore: ${held}. See npm run cli -- held-deliveries.get.`)]
}
