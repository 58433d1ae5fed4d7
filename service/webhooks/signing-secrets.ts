// The secrets that sign a webhook's deliveries. Each is encrypted for its own row; the dispatcher decrypts it with the
// same keys and context.

import { randomBytes } from 'node:crypto'
import type { Webhook } from '#contract/webhook-schema.ts'
import { type Keyring, sealedHead } from '#runtime/keyring.ts'
import { newId } from '#runtime/new-id.ts'
import type { Db } from '../execution/handler.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Log } from '#runtime/log.ts'

export type Sealer = ReturnType<typeof webhookSealer>

/** Encrypts what only the dispatcher may read: signing secrets, and the values of a webhook's own headers. */
export const webhookSealer = ({ seal }: Pick<Keyring, 'seal'>) => ({
  sealSecret: (secretId: string, secret: string) => seal(secret, contextOfSecret(secretId)),
  sealHeaders: (webhookId: string, headers: Readonly<Record<string, string>>) =>
    Object.keys(headers).length === 0 ? null : seal(JSON.stringify(headers), contextOfHeaders(webhookId)),
})

/** What a sealed value belongs to. */
export const contextOfSecret = (secretId: string): string => `webhook-secret:${secretId}`
export const contextOfHeaders = (webhookId: string): string => `webhook-headers:${webhookId}`

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

// Background work: secrets and headers of webhooks that another key than the first has sealed are sealed anew with the
// first, so that the other one can be taken away. Batch by batch in the order of ids, each in a transaction of its own: a
// process that dies leaves some of both, and all open. Where rows are locked, somebody else is at them: they are met on
// the next walk.

const batchMax = 100
const pauseMs = 50
const everyMs = 600_000

type SealedColumn = { readonly table: string; readonly column: string; readonly contextOf: (id: string) => string }
type SealedRow = { readonly workspaceId: string; readonly id: string; readonly sealed: Uint8Array }
type ResealPosition = { readonly place: number; readonly after: Pick<SealedRow, 'workspaceId' | 'id'> }

const sealedColumns: readonly SealedColumn[] = [
  { table: 'webhook_secret', column: 'sealed', contextOf: contextOfSecret },
  { table: 'webhook', column: 'sealed_headers', contextOf: contextOfHeaders },
]
const nil = '00000000-0000-0000-0000-000000000000'
const startOf = (place: number): ResealPosition => ({ place, after: { workspaceId: nil, id: nil } })

/** Each call does one batch and returns after how many milliseconds the next may follow. */
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
    const rows = await lockBatch(tx, keyring, place, after, max)
    const resealed = rows.flatMap((row) => resealedRow(keyring, place, row) ?? [])
    if (resealed.length > 0) await write(tx, place, resealed)
    return { rows, resealed: resealed.length }
  })

/** Deliveries may refer to a webhook meanwhile. */
const lockBatch = (
  tx: Db,
  { first }: Keyring,
  { table, column }: SealedColumn,
  { workspaceId, id }: ResealPosition['after'],
  max: number,
): Promise<SealedRow[]> => {
  const [sealed, head] = [Prisma.raw(column), sealedHead(first)]
  return tx.$queryRaw`
    SELECT workspace_id AS "workspaceId", id, ${sealed} AS sealed FROM ${Prisma.raw(table)}
    WHERE (workspace_id, id) > (${workspaceId}::uuid, ${id}::uuid)
      AND substring(${sealed} FROM 1 FOR ${head.length}::int) <> convert_to(${head}, 'UTF8')
    ORDER BY workspace_id, id LIMIT ${max}::int FOR NO KEY UPDATE SKIP LOCKED`
}

type ResealedRow = { readonly workspace_id: string; readonly id: string; readonly sealed: string }

/** Null for what does not open: it stays as it is, for the key that opens it. */
function resealedRow(
  keyring: Keyring,
  { contextOf }: SealedColumn,
  { workspaceId, id, sealed }: SealedRow,
): ResealedRow | null {
  const context = contextOf(id)
  try {
    const again = keyring.seal(keyring.open(sealed, context), context)
    return { workspace_id: workspaceId, id, sealed: again.toString('base64') }
  } catch {
    return null
  }
}

const write = (tx: Db, { table, column }: SealedColumn, rows: readonly ResealedRow[]): Promise<number> =>
  tx.$executeRaw`
    UPDATE ${Prisma.raw(table)} t SET ${Prisma.raw(column)} = decode(r.sealed, 'base64')
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(workspace_id uuid, id uuid, sealed text)
    WHERE t.workspace_id = r.workspace_id AND t.id = r.id`
