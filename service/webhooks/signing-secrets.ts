// The secrets that sign a webhook's deliveries, and the headers sent with them. Each is sealed for its own row; the
// dispatcher opens it with the same keys and context. Background work seals them again when the first key has changed.
import { randomBytes } from 'node:crypto'
import type { Webhook } from '#contract/webhook-schema.ts'
import type { Database } from '#prisma/client.ts'
import { sealedHead, type Keyring } from '#runtime/keyring.ts'
import type { Log } from '#runtime/log.ts'
import { newId } from '#runtime/new-id.ts'
import type { Db } from '../execution/call.ts'
import { contextOfAuthenticator } from '../identity/second-factors/rows.ts'
import {
  lockBatch,
  writeSealed,
  type SealedColumn,
  type ResealPosition,
  type SealedRow,
  type ResealedRow,
} from './background-rows.ts'

export type Sealer = ReturnType<typeof webhookSealer>

/** Seals what only the dispatcher may read: signing secrets, and the values of a webhook's own headers. */
export const webhookSealer = ({ seal }: Pick<Keyring, 'seal'>) => ({
  sealSecret: (secretId: string, secret: string) => seal(secret, contextOfSecret(secretId)),
  sealHeaders: (webhookId: string, headers: Readonly<Record<string, string>>) =>
    Object.keys(headers).length === 0 ? null : seal(JSON.stringify(headers), contextOfHeaders(webhookId)),
})

/** The context binds a sealed value to its row. */
const contextOfSecret = (secretId: string): string => `webhook-secret:${secretId}`
const contextOfHeaders = (webhookId: string): string => `webhook-headers:${webhookId}`

/** Returns the plain secret, which is shown to the caller once and is not stored. */
export async function insertSecret(
  tx: Db,
  sealer: Sealer,
  workspaceId: string,
  webhookId: string,
  createdAt: Date,
): Promise<string> {
  const secret = makeSigningSecret()
  const id = newId(createdAt)
  await tx.webhookSecret.create({
    data: { workspaceId, id, webhookId, sealed: sealer.sealSecret(id, secret), createdAt },
  })
  return secret
}

/** Deletes the webhook's secrets and returns a new plain one: deliveries are signed with that alone from now on. */
export async function replaceSecrets(tx: Db, sealer: Sealer, { workspaceId, id }: Webhook, now: Date): Promise<string> {
  await tx.webhookSecret.deleteMany({ where: { workspaceId, webhookId: id } })
  return insertSecret(tx, sealer, workspaceId, id, now)
}

/** The form that Standard Webhooks receivers expect: `whsec_` and standard base64 of 32 bytes. */
const makeSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

const batchMax = 100
const pauseMs = 50
const everyMs = 600_000

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'webhook_secret', column: 'sealed', owner: 'workspace_id', contextOf: contextOfSecret },
  { table: 'webhook', column: 'sealed_headers', owner: 'workspace_id', contextOf: contextOfHeaders },
  { table: 'authenticator', column: 'sealed_secret', owner: 'account_id', contextOf: contextOfAuthenticator },
]
const nil = '00000000-0000-0000-0000-000000000000'
const startOf = (place: number): ResealPosition => ({ place, after: { ownerId: nil, id: nil } })

/**
 * Seals again, with the first key, what another key has sealed, so that the other key can be removed. Each call does
 * one batch in the order of ids, in a transaction of its own, and returns the milliseconds until the next. Locked rows
 * are left to the next walk.
 */
export function resealing(db: Database, keyring: Keyring, log: Pick<Log, 'info' | 'warn'>, max = batchMax) {
  let at = startOf(0)
  let walk = { resealed: 0, unopened: 0 }

  function report(): void {
    const { resealed, unopened } = walk
    if (resealed > 0) log.info({ resealed, key: keyring.first }, 'stored secrets were sealed anew')
    if (unopened > 0) log.warn({ unopened }, 'stored secrets open with none of the keys that are given')
  }

  return async (): Promise<number> => {
    const place = sealedColumns[at.place]
    // Without SEALING_KEYS there is one key.
    if (keyring.first === null || place === undefined) return everyMs
    const { rows, resealed } = await resealBatch(db, keyring, place, at.after, max)
    walk = { resealed: walk.resealed + resealed, unopened: walk.unopened + rows.length - resealed }
    const last = rows.length < max ? undefined : rows.at(-1)
    at = last === undefined ? startOf(at.place + 1) : { place: at.place, after: last }
    if (at.place < sealedColumns.length) return pauseMs
    report()
    at = startOf(0)
    walk = { resealed: 0, unopened: 0 }
    return everyMs
  }
}

const resealBatch = (
  db: Database,
  keyring: Keyring,
  place: SealedColumn,
  after: ResealPosition['after'],
  max: number,
) =>
  db.$transaction(async (tx) => {
    const rows = await lockBatch(tx, sealedHead(keyring.first), place, after, max)
    const resealed = rows.flatMap((row) => resealedRow(keyring, place, row) ?? [])
    if (resealed.length > 0) await writeSealed(tx, place, resealed)
    return { rows, resealed: resealed.length }
  })

/** Returns null for a value that does not open: it stays as it is, for the key that opens it. */
function resealedRow(
  keyring: Keyring,
  { contextOf }: SealedColumn,
  { ownerId, id, sealed }: SealedRow,
): ResealedRow | null {
  const context = contextOf(id)
  try {
    const again = keyring.seal(keyring.open(sealed, context), context)
    return { owner_id: ownerId, id, sealed: again.toString('base64') }
  } catch {
    return null
  }
}
