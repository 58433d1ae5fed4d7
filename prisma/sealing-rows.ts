// Values in the database that processes seal and open: whether this process has the secrets that they need.

import type { KeyObject } from 'node:crypto'
import { StartupError } from '#runtime/process.ts'
import { deriveKey, unseal, seal } from '#runtime/sealing-and-signing.ts'
import type { Database } from './client.ts'
import type { Log } from '#runtime/log.ts'
import {
  type InternalSecrets,
  keyIdLengthMax,
  keyring,
  sealedMarker,
  type KeyId,
  type Keyring,
  type SealingKey,
} from '#runtime/keyring.ts'
import { Prisma } from './generated/client.ts'

/**
 * All processes have the same INTERNAL_SECRET: with another one, a process could decrypt nothing that the others have
 * sealed. The database holds this text sealed under the secret, and every process must be able to open it at its start.
 */
const knownText = 'the secret of this installation'
const context = 'installation'

export const proofKey = ({ internalSecret, acceptedSecret }: InternalSecrets): KeyObject =>
  deriveKey(internalSecret, 'installation-proof', acceptedSecret)

export const wrongSecretMessage =
  'INTERNAL_SECRET is not the one that this database is used with: give this process the same as the others, or, where it was changed on purpose, start a service once with INTERNAL_SECRET_CHANGED=true.'

/**
 * Stores the proof when there is none, when it is of the accepted secret, or when `wasChanged` is set. Throws a
 * StartupError when none of the secrets matches.
 */
export async function ensureSecretProof(db: Database, secrets: InternalSecrets, wasChanged: boolean): Promise<void> {
  const key = proofKey(secrets)
  const { acceptedSecret = null } = secrets
  const isInChange = acceptedSecret !== null && (await matchesProof(db, proofKey({ internalSecret: acceptedSecret })))
  const changed = wasChanged || isInChange
  const proof = sealProof(key)
  await db.$executeRaw`
    INSERT INTO installation AS i (id, sealed_proof, created_at) VALUES (1, ${proof}, now())
    ON CONFLICT (id) DO UPDATE SET sealed_proof = excluded.sealed_proof WHERE ${changed}::boolean`
  await assertSecret(db, secrets)
}

/** For processes that only read sealed values. Throws a StartupError when the secret does not match. */
export async function assertSecret(db: Database, secrets: InternalSecrets): Promise<void> {
  if (!(await matchesProof(db, proofKey(secrets)))) throw new StartupError(wrongSecretMessage)
}

/** Also true when there is no proof yet. */
export async function matchesProof(db: Database, key: KeyObject): Promise<boolean> {
  const [row] = await db.$queryRaw<{ proof: Uint8Array }[]>`SELECT sealed_proof AS proof FROM installation WHERE id = 1`
  return row === undefined || opensProof(key, row.proof)
}

export const sealProof = (key: KeyObject): Buffer<ArrayBuffer> => seal(key, knownText, context)

/** AES-GCM's tag is compared in constant time. */
export function opensProof(key: KeyObject, proof: Uint8Array): boolean {
  try {
    return unseal(key, proof, context) === knownText
  } catch {
    return false
  }
}

type Settings = InternalSecrets & { readonly sealingKeys?: readonly SealingKey[] }

/** The service seals with it; the dispatcher opens what is of webhooks, the service what is of authenticator apps. */
export const webhookKeyring = ({ sealingKeys = [], ...secrets }: Settings): Keyring =>
  keyring(sealingKeys, secrets, 'webhook-secrets')

type KnownKeys = Pick<Keyring, 'first' | 'has'>
export type SealedCount = { readonly keyId: KeyId; readonly count: number }

const start = (from: number, length: number) => Prisma.sql`substring(sealed FROM ${from}::int FOR ${length}::int)`
const idAt = sealedMarker.length + 1

/**
 * Returns how many values need which key: secrets and headers of webhooks, and secrets of authenticator apps. Kept
 * answers to an Idempotency-Key are sealed, too, but are deleted after a day.
 */
export const countSealedValues = (db: Database): Promise<SealedCount[]> =>
  db.$queryRaw`
    SELECT CASE WHEN ${start(1, sealedMarker.length)} = convert_to(${sealedMarker}, 'UTF8')
           THEN split_part(encode(${start(idAt, keyIdLengthMax + 1)}, 'escape'), ':', 1) END AS "keyId",
           count(*)::int AS count
    FROM (
      SELECT sealed FROM webhook_secret
      UNION ALL SELECT sealed_headers FROM webhook WHERE sealed_headers IS NOT NULL
      UNION ALL SELECT sealed_secret FROM authenticator
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

/** Returns how many values in this state need which key, by its name. */
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
