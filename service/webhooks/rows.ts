// Webhooks between the contract and the tables.
import { v7 as uuid } from 'uuid'
import { Fault } from '#contract/fault.ts'
import type { Actor } from '#contract/fields.ts'
import { grantedScopes, grantsBy } from '#contract/webhook-grants.ts'
import type { Grants, Stats, Webhook, WebhookFilter } from '#contract/webhook-schema.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Call, Db } from '../execution/handler.ts'
import { assertMayCarry } from './access.ts'
import { lastDay, statsOf } from './stats.ts'
import { makeSigningSecret, type Vault } from './signing-secrets.ts'

const withParts = (now: Date) =>
  ({
    secrets: { where: { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }, orderBy: { createdAt: 'desc' } },
    health: { select: { consecutiveFailures: true } },
  }) as const satisfies Prisma.WebhookInclude
type WebhookRow = Prisma.WebhookGetPayload<{ include: ReturnType<typeof withParts> }>

export const findWebhooks = (db: Db, where: Prisma.WebhookWhereInput, page: object, now: Date): Promise<WebhookRow[]> =>
  db.webhook.findMany({ where, include: withParts(now), ...page })

/** The webhook, deleted or not. Somebody else's and none at all are the same. */
async function findAny(db: Db, workspaceId: string, id: string, now: Date): Promise<WebhookRow> {
  const row = await db.webhook.findUnique({ where: { workspaceId_id: { workspaceId, id } }, include: withParts(now) })
  if (row === null) throw new Fault('not_found', 'No webhook has this id.')
  return row
}

type Caller = Pick<Call, 'db' | 'workspaceId' | 'principal' | 'now'>

/** One that the caller may carry, as are all that are found or locked for a caller. */
export async function findWebhook({ db, workspaceId, principal, now }: Caller, id: string): Promise<Webhook> {
  const row = await findAny(db, workspaceId, id, now)
  if (row.deletedAt !== null) throw new Fault('not_found', 'No webhook has this id.')
  assertMayCarry(row, principal)
  return withStats(db, row, now)
}

async function withStats(db: Db, row: WebhookRow, now: Date): Promise<Webhook> {
  const [stats] = await statsOf(db, row.workspaceId, lastDay([row.id], now))
  return toWebhook(row, stats)
}

/** Deleted or not, whoever asks. Nobody else changes it until this transaction ends. */
export async function lockAnyWebhook(tx: Db, workspaceId: string, id: string, now: Date): Promise<Webhook> {
  await tx.$queryRaw`SELECT 1 FROM webhook WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`
  return withStats(tx, await findAny(tx, workspaceId, id, now), now)
}

export async function lockWebhook({ db, workspaceId, principal, now }: Caller, id: string): Promise<Webhook> {
  const webhook = await lockAnyWebhook(db, workspaceId, id, now)
  if (webhook.deletedAt !== null) throw new Fault('not_found', 'No webhook has this id.')
  assertMayCarry(webhook, principal)
  return webhook
}

/** The plain secret, which is shown once and then never again. */
export async function insertSecret(
  tx: Db,
  vault: Vault,
  workspaceId: string,
  webhookId: string,
  createdAt: Date,
): Promise<string> {
  const secret = makeSigningSecret()
  const id = uuid({ msecs: createdAt.getTime() })
  await tx.webhookSecret.create({
    data: { workspaceId, id, webhookId, sealed: vault.sealSecret(id, secret), createdAt },
  })
  return secret
}

/** No older one signs any more. */
export async function replaceSecrets(tx: Db, vault: Vault, { workspaceId, id }: Webhook, now: Date): Promise<string> {
  await tx.webhookSecret.deleteMany({ where: { workspaceId, webhookId: id } })
  return insertSecret(tx, vault, workspaceId, id, now)
}

/** Whoever enables a webhook vouches for its receiver: what was noted before counts no more. */
export async function forgetFailures(tx: Db, workspaceId: string, webhookId: string): Promise<void> {
  await tx.webhookHealth.updateMany({
    where: { workspaceId, webhookId },
    data: { consecutiveFailures: 0, failingSince: null, goneAt: null, goneReason: null },
  })
}

type Next = { readonly data: Prisma.WebhookUpdateInput; readonly actor: Actor; readonly now: Date }

/** Writes the next version and gives it back. */
export async function updateWebhook(tx: Db, before: Webhook, { data, actor, now }: Next): Promise<Webhook> {
  const { workspaceId, id, version } = before
  const row = await tx.webhook.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { ...data, version: version + 1, updatedAt: now, updatedBy: actor },
    include: withParts(now),
  })
  return toWebhook(row, before.stats24h)
}

/** Prisma tells a JSON null apart from no value. */
export const filterColumn = (filter: WebhookFilter | null) => filter ?? Prisma.DbNull

const noStats: Stats = { delivered: 0, failed: 0, pending: 0, p50Ms: null, p95Ms: null }

export function toWebhook(
  { sealedHeaders: _sealed, statusChangedAt: _since, health, secrets, ...row }: WebhookRow,
  stats24h: Stats = noStats,
): Webhook {
  return {
    ...row,
    object: 'webhook',
    // The table's checks allow no other values.
    payload: row.payload as Webhook['payload'],
    status: row.status as Webhook['status'],
    filter: row.filter as WebhookFilter | null,
    grants: (row.grants as Grants | null) ?? grantsBy(row.createdBy as Actor, row.createdAt, grantedScopes(row)),
    secrets: secrets.map(({ id, createdAt, expiresAt }) => ({
      id,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
    })),
    consecutiveFailures: health?.consecutiveFailures ?? 0,
    stats24h,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
    createdBy: row.createdBy as Actor,
    updatedBy: row.updatedBy as Actor,
  }
}
