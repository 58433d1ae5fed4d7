// What is stored for long under a sealing key: secrets and headers of webhooks. Kept answers to an Idempotency-Key are
// sealed, too, but go by themselves after a day.
import type { Log } from '#runtime/log.ts'
import { keyIdLengthMax, keyring, sealedMarker, type KeyId, type Keyring, type SealingKey } from '#runtime/keyring.ts'
import type { Database } from './client.ts'
import { Prisma } from './generated/client.ts'

type Settings = { readonly sealingKeys?: readonly SealingKey[]; readonly internalSecret: string }

/** The service seals with it, the dispatcher opens. */
export const webhookKeyring = ({ sealingKeys = [], internalSecret }: Settings): Keyring =>
  keyring(sealingKeys, internalSecret, 'webhook-secrets')

type KnownKeys = Pick<Keyring, 'first' | 'has'>
export type SealedCount = { readonly keyId: KeyId; readonly count: number }

const start = (from: number, length: number) => Prisma.sql`substring(sealed FROM ${from}::int FOR ${length}::int)`
const idAt = sealedMarker.length + 1

/** How many values need which key. */
export const countSealedValues = (db: Database): Promise<SealedCount[]> =>
  db.$queryRaw`
    SELECT CASE WHEN ${start(1, sealedMarker.length)} = convert_to(${sealedMarker}, 'UTF8')
           THEN split_part(encode(${start(idAt, keyIdLengthMax + 1)}, 'escape'), ':', 1) END AS "keyId",
           count(*)::int AS count
    FROM (
      SELECT sealed FROM webhook_secret
      UNION ALL SELECT sealed_headers FROM webhook WHERE sealed_headers IS NOT NULL
    ) stored
    GROUP BY 1 ORDER BY 1`

/** Logs which keys stored values need beside the first, and warns of those that this process was not given. */
export async function reportSealingKeys(
  db: Database,
  keyring: Keyring,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<void> {
  const counts = await countSealedValues(db)
  const missing = countsByKey(counts, keyring, 'unknown')
  if (Object.keys(missing).length > 0) log.warn({ missing }, missingKeysMessage)
  const older = countsByKey(counts, keyring, 'older')
  if (Object.keys(older).length > 0) log.info({ older }, 'stored secrets need other sealing keys than the first')
}

export const missingKeysMessage =
  'SEALING_KEYS lacks keys that stored secrets need: what they sign waits until this process is given them'

/** `older`: not sealed with the first key. `unknown`: with one that is none of the keyring's. */
export type SealedState = 'current' | 'older' | 'unknown'

export async function countSealedStates(db: Database, keyring: Keyring): Promise<Record<SealedState, number>> {
  return sumByState(await countSealedValues(db), keyring)
}

export function sumByState(counts: readonly SealedCount[], keyring: KnownKeys): Record<SealedState, number> {
  const states = { current: 0, older: 0, unknown: 0 }
  for (const { keyId, count } of counts) states[stateOf(keyring, keyId)] += count
  return states
}

const stateOf = ({ first, has }: KnownKeys, keyId: KeyId): SealedState =>
  keyId === first ? 'current' : has(keyId) ? 'older' : 'unknown'

/** How many values in this state need which key, by its name. */
export const countsByKey = (
  counts: readonly SealedCount[],
  keyring: KnownKeys,
  state: SealedState,
): Record<string, number> =>
  Object.fromEntries(
    counts
      .filter(({ keyId }) => stateOf(keyring, keyId) === state)
      .map(({ keyId, count }) => [keyId ?? 'INTERNAL_SECRET', count]),
  )
