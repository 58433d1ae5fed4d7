// Webhooks and their form in the contract, their health and rate, and their pending deliveries.
import type { DeliveryStatus } from '#contract/deliveries.ts'
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import type { Actor } from '#contract/shared-fields.ts'
import { grantedScopes, grantsBy, isGranted, typesOf } from '#contract/webhook-grants.ts'
import type { Grants, Health, Webhook, WebhookFilter } from '#contract/webhook-schema.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { heldUntil } from '#prisma/restore.ts'
import { command } from '#prisma/statements.ts'
import type { Call, Db } from '../execution/call.ts'
import { notFoundById } from '../faults/shared-faults.ts'
import { assertAccess, circuitOf, healthOf } from './rules.ts'
import { figuresAfter, figuresOf, noFigures, type Figures } from './statistics-rows.ts'

const includedRows = (now: Date) =>
  ({
    secrets: { where: { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }, orderBy: { createdAt: 'desc' } },
    health: {
      select: {
        consecutiveFailures: true,
        failingSince: true,
        lastStatusCode: true,
        lastErrorCode: true,
        circuitOpenUntil: true,
        circuitSeconds: true,
      },
    },
    rate: { select: { perMinute: true } },
  }) as const satisfies Prisma.WebhookInclude
type WebhookRow = Prisma.WebhookGetPayload<{ include: ReturnType<typeof includedRows> }>

export const findWebhooks = (db: Db, where: Prisma.WebhookWhereInput, page: object, now: Date): Promise<WebhookRow[]> =>
  db.webhook.findMany({ where, include: includedRows(now), ...page })

/** Deleted or not. Throws `not_found` for an id of another workspace as for one that does not exist. */
async function findAny(db: Db, workspaceId: string, id: string, now: Date): Promise<WebhookRow> {
  const row = await db.webhook.findUnique({
    where: { workspaceId_id: { workspaceId, id } },
    include: includedRows(now),
  })
  if (row === null) throw notFoundById('webhook')
  return row
}

export type WebhookCall = Pick<Call, 'db' | 'workspaceId' | 'principal' | 'now'>

/** Throws `insufficient_scope` for a webhook that the caller has no access to, as `lockWebhook` does. */
export async function findWebhook({ db, workspaceId, principal, now }: WebhookCall, id: string): Promise<Webhook> {
  const row = await findAny(db, workspaceId, id, now)
  if (row.deletedAt !== null) throw notFoundById('webhook')
  assertAccess(row, principal)
  return withFigures(db, row, now)
}

async function withFigures(db: Db, row: WebhookRow, now: Date): Promise<Webhook> {
  const [figures] = await figuresOf(db, row.workspaceId, [row.id], now)
  return toWebhook(row, figures, now)
}

const lockRow = command(
  (workspaceId: string, id: string) =>
    Prisma.sql`SELECT 1 FROM webhook WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`,
)

/** Locks the row until the transaction ends, deleted or not, without a check of the caller's access. */
export async function lockAnyWebhook(tx: Db, workspaceId: string, id: string, now: Date): Promise<Webhook> {
  await lockRow(tx, workspaceId, id)
  return withFigures(tx, await findAny(tx, workspaceId, id, now), now)
}

export async function lockWebhook({ db, workspaceId, principal, now }: WebhookCall, id: string): Promise<Webhook> {
  const webhook = await lockAnyWebhook(db, workspaceId, id, now)
  if (webhook.deletedAt !== null) throw notFoundById('webhook')
  assertAccess(webhook, principal)
  return webhook
}

/** Enabling a webhook vouches for its receiver: recorded failures no longer count. */
export async function resetHealth(tx: Db, workspaceId: string, webhookId: string): Promise<void> {
  await tx.webhookHealth.updateMany({
    where: { workspaceId, webhookId },
    data: {
      consecutiveFailures: 0,
      failingSince: null,
      goneAt: null,
      goneReason: null,
      lastStatusCode: null,
      lastErrorCode: null,
      warnedPercent: 0,
      toldPercent: 0,
      ...closedCircuit,
    },
  })
}

/** A replay or a new URL implies that the receiver works again: the next delivery is the probe. */
export async function endOpenCircuit(tx: Db, workspaceId: string, webhookId: string, now: Date): Promise<void> {
  await tx.webhookHealth.updateMany({
    where: { workspaceId, webhookId, circuitOpenUntil: { gt: now } },
    data: { circuitOpenUntil: now },
  })
}

/** The receiver works again, says the caller. Its failures count until it takes something. */
export async function closeCircuit(tx: Db, workspaceId: string, webhookId: string): Promise<void> {
  await tx.webhookHealth.updateMany({ where: { workspaceId, webhookId }, data: closedCircuit })
}

const closedCircuit = { unwell: 0, circuitOpenUntil: null, circuitSeconds: null, probeId: null }

/** Deliveries that were sent before count towards the new rate. */
export async function setRate(tx: Db, workspaceId: string, webhookId: string, perMinute: number | null): Promise<void> {
  const key = { workspaceId, webhookId }
  if (perMinute === null) await tx.webhookRate.deleteMany({ where: key })
  else
    await tx.webhookRate.upsert({
      where: { workspaceId_webhookId: key },
      create: { ...key, perMinute },
      update: { perMinute },
    })
}

type Change = { readonly data: Prisma.WebhookUpdateInput; readonly actor: Actor; readonly now: Date }

/** Writes and returns the next version. */
export async function updateWebhookRow(tx: Db, before: Webhook, { data, actor, now }: Change): Promise<Webhook> {
  const { workspaceId, id, version } = before
  const row = await tx.webhook.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { ...data, version: version + 1, updatedAt: now, updatedBy: actor },
    include: includedRows(now),
  })
  return toWebhook(row, await figuresAfter(tx, before), now)
}

/** In a JSON column Prisma writes NULL for `DbNull` only. */
export const filterColumn = (filter: WebhookFilter | null) => filter ?? Prisma.DbNull

export function toWebhook(
  { sealedHeaders: _sealed, statusChangedAt: _since, health, rate, secrets, ...row }: WebhookRow,
  { stats24h, nextDueAt }: Figures = noFigures,
  now: Date,
): Webhook {
  const isActive = row.status === 'active' && row.deletedAt === null
  return {
    ...row,
    object: 'webhook',
    // The table's checks allow no other values.
    payload: row.payload as Webhook['payload'],
    order: row.order as Webhook['order'],
    status: row.status as Webhook['status'],
    filter: row.filter as WebhookFilter | null,
    grants: (row.grants as Grants | null) ?? grantsBy(row.createdBy as Actor, row.createdAt, grantedScopes(row)),
    maxPerMinute: rate?.perMinute ?? null,
    secrets: secrets.map(({ id, createdAt, expiresAt }) => ({
      id,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
    })),
    consecutiveFailures: health?.consecutiveFailures ?? 0,
    circuit: circuitOf(health, now),
    health: healthOf(health, stats24h, isActive ? nextDueAt : null),
    stats24h,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
    createdBy: row.createdBy as Actor,
    updatedBy: row.updatedBy as Actor,
  }
}

/** Conditions for a state of health: `healthOf` decides the same of one row. */
export const withHealth = (state: Health['state']): Prisma.WebhookWhereInput => {
  const failing = { health: { is: { OR: [{ consecutiveFailures: { gt: 0 } }, { circuitOpenUntil: { not: null } }] } } }
  return state === 'failing' ? failing : { NOT: failing }
}

/**
 * Deliveries that are still to be sent are held while their webhook is paused or disabled, released when it is enabled,
 * and cancelled when it is deleted or loses a grant, in the transaction that changes the webhook.
 */
const pending = ['pending', 'retrying'] satisfies DeliveryStatus[]

export async function cancelPending(
  tx: Db,
  workspaceId: string,
  webhookId: string,
  which: Prisma.DeliveryWhereInput = {},
): Promise<void> {
  await tx.delivery.updateMany({
    where: { workspaceId, webhookId, status: { in: pending }, ...which },
    data: { status: 'cancelled', nextAttemptAt: null, leaseOwner: null, leaseUntil: null },
  })
}

/** Cancels the deliveries of event types that the webhook is no longer granted. */
export async function cancelUngranted(tx: Db, { workspaceId, id, grants }: Webhook): Promise<void> {
  const granted = typesOf(['*']).filter((type) => isGranted(grants.scopes, type))
  await cancelPending(tx, workspaceId, id, { eventType: { notIn: granted } })
}

/**
 * Held deliveries have no time of their next attempt. Ordered ones stay: a paused webhook is sent nothing. So do those
 * that are held since a restore, which the operator releases.
 */
export async function holdPending(tx: Db, workspaceId: string, webhookId: string): Promise<void> {
  await tx.delivery.updateMany({
    where: { workspaceId, webhookId, status: { in: pending }, orderKey: null, nextAttemptAt: { lt: heldUntil } },
    data: { nextAttemptAt: null },
  })
}

export async function releasePending(tx: Db, workspaceId: string, webhookId: string, now: Date): Promise<void> {
  const where = { workspaceId, webhookId, status: { in: pending }, nextAttemptAt: null, orderKey: null }
  await tx.delivery.updateMany({ where, data: { nextAttemptAt: now } })
}

/**
 * Makes the next waiting deliveries of a webhook due, whatever their retry schedule says. Those that are leased are due
 * already.
 */
export const hurryRetries = command(
  (workspaceId: string, webhookId: string, now: Date, max: number) => Prisma.sql`
    UPDATE delivery d SET next_attempt_at = ${now}
    FROM (
      SELECT id FROM delivery
      WHERE workspace_id = ${workspaceId}::uuid AND webhook_id = ${webhookId}::uuid
        AND next_attempt_at > ${now} AND next_attempt_at < ${heldUntil} AND status IN ('pending', 'retrying')
      ORDER BY next_attempt_at LIMIT ${max}::int FOR UPDATE SKIP LOCKED
    ) waiting
    WHERE d.workspace_id = ${workspaceId}::uuid AND d.id = waiting.id`,
)

/**
 * The keys whose changes a webhook ignores must be of the workspace, or act in it; revoked ones count. `named`: keys
 * that the webhook names already, which may stay. Throws `reference_not_found` for any other.
 */
export async function assertKeys(
  { db, workspaceId, principal }: Omit<WebhookCall, 'now'>,
  ids: readonly string[],
  named: readonly string[] = [],
): Promise<void> {
  const isCaller = (id: string) => principal.kind === 'api_key' && id === principal.id
  const asked = ids.filter((id) => !isCaller(id) && !named.includes(id))
  if (asked.length === 0) return
  const found = await db.apiKey.findMany({
    where: { id: { in: asked }, OR: [{ workspaceId }, { grants: { some: { workspaceId } } }] },
    select: { id: true },
  })
  const errors = ids.flatMap((id, at) =>
    !asked.includes(id) || found.some((key) => key.id === id) ? [] : [missingAt(at)],
  )
  if (errors.length === 0) return
  throw new Fault('reference_not_found', '`ignoredKeyIds` names a key that this workspace does not have.', { errors })
}

const missingAt = (at: number): FieldError => ({
  pointer: `/ignoredKeyIds/${at}`,
  code: 'not_found',
  detail: 'Does not exist in this workspace.',
})
