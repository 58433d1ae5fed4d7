// Statements of the background work on webhooks: those given up, failing, with dead letters to report, or sealed by
// another key than the first.
import { namedDeadLettersMax } from '#contract/deliveries.ts'
import type { warningPercents } from '#contract/webhook-schema.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../execution/call.ts'

const webhooksPerRound = 50

export const givenUpWebhooks = query(
  { workspaceId: column.uuid, id: column.uuid },
  () => Prisma.sql`
    SELECT w.workspace_id AS "workspaceId", w.id
    FROM webhook_health h JOIN webhook w ON w.workspace_id = h.workspace_id AND w.id = h.webhook_id
    WHERE h.gone_at IS NOT NULL AND w.status = 'active' AND w.deleted_at IS NULL
    ORDER BY h.gone_at LIMIT ${webhooksPerRound}::int`,
)

type Figures = {
  readonly percent: (typeof warningPercents)[number]
  readonly since: Date
  readonly failedTries: number
}

export const failingWebhooks = query(
  { workspaceId: column.uuid, id: column.uuid },
  () => Prisma.sql`
    SELECT w.workspace_id AS "workspaceId", w.id
    FROM webhook_health h JOIN webhook w ON w.workspace_id = h.workspace_id AND w.id = h.webhook_id
    WHERE h.warned_percent > h.told_percent AND h.gone_at IS NULL AND w.status = 'active' AND w.deleted_at IS NULL
    ORDER BY h.failing_since LIMIT ${webhooksPerRound}::int`,
)

const takeFigures = query(
  { percent: column.int.of<(typeof warningPercents)[number]>(), since: column.time.present, failedTries: column.int },
  (workspaceId: string, webhookId: string) => Prisma.sql`
    UPDATE webhook_health SET told_percent = warned_percent
    WHERE workspace_id = ${workspaceId}::uuid AND webhook_id = ${webhookId}::uuid
      AND warned_percent > told_percent AND gone_at IS NULL
    RETURNING warned_percent AS percent, failing_since AS since, consecutive_failures AS "failedTries"`,
)

export async function takeWarning(tx: Db, workspaceId: string, webhookId: string): Promise<Figures | null> {
  const [taken] = await takeFigures(tx, workspaceId, webhookId)
  return taken ?? null
}

const tellEverySeconds = 60

/** The next event reports what is beyond it. */
const deadLettersMax = 10_000

type DeadLetterNotes = {
  readonly count: number
  readonly first: Date
  readonly last: Date
  readonly errorCodes: readonly string[]
  readonly deliveryIds: readonly string[]
}

/** Steps from one webhook to the next by the key, so that the number of notes of each makes no difference. */
export const notedWebhooks = query(
  { workspaceId: column.uuid, webhookId: column.uuid },
  () => Prisma.sql`
    WITH RECURSIVE noted AS (
      (SELECT workspace_id, webhook_id FROM untold_dead_letter ORDER BY workspace_id, webhook_id LIMIT 1)
      UNION ALL
      SELECT next.workspace_id, next.webhook_id FROM noted CROSS JOIN LATERAL (
        SELECT u.workspace_id, u.webhook_id FROM untold_dead_letter u
        WHERE (u.workspace_id, u.webhook_id) > (noted.workspace_id, noted.webhook_id)
        ORDER BY u.workspace_id, u.webhook_id LIMIT 1
      ) next
    )
    SELECT n.workspace_id AS "workspaceId", n.webhook_id AS "webhookId" FROM noted n
    LEFT JOIN webhook_health h ON h.workspace_id = n.workspace_id AND h.webhook_id = n.webhook_id
    WHERE h.dead_letters_told_at IS NULL OR h.dead_letters_told_at <= now() - ${tellEverySeconds}::int * interval '1 second'
    ORDER BY h.dead_letters_told_at NULLS FIRST LIMIT ${webhooksPerRound}::int`,
)

const lockName = query(
  { deletedAt: column.time.orNull, name: column.text },
  (workspaceId: string, webhookId: string) => Prisma.sql`
    SELECT deleted_at AS "deletedAt", name FROM webhook
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${webhookId}::uuid FOR UPDATE`,
)

export async function lockWebhookName(
  tx: Db,
  workspaceId: string,
  webhookId: string,
): Promise<{ readonly deletedAt: Date | null; readonly name: string } | undefined> {
  const [webhook] = await lockName(tx, workspaceId, webhookId)
  return webhook
}

const markTold = command(
  (workspaceId: string, webhookId: string, now: Date) => Prisma.sql`
    INSERT INTO webhook_health AS h (workspace_id, webhook_id, consecutive_failures, dead_letters_told_at)
    VALUES (${workspaceId}::uuid, ${webhookId}::uuid, 0, ${now})
    ON CONFLICT (workspace_id, webhook_id) DO UPDATE SET dead_letters_told_at = excluded.dead_letters_told_at
    WHERE h.dead_letters_told_at IS NULL
       OR h.dead_letters_told_at <= ${now}::timestamptz - ${tellEverySeconds}::int * interval '1 second'`,
)

/** Returns false when an event has reported this webhook within the minute; else marks that one does now. */
export async function isDueToTell(tx: Db, workspaceId: string, webhookId: string, now: Date): Promise<boolean> {
  const taken = await markTold(tx, workspaceId, webhookId, now)
  return taken > 0
}

const takeOldestNotes = query(
  {
    count: column.int,
    first: column.time.orNull,
    last: column.time.orNull,
    errorCodes: column.text.list,
    deliveryIds: column.uuid.list.orNull,
  },
  (workspaceId: string, webhookId: string) => Prisma.sql`
    WITH taken AS (
      DELETE FROM untold_dead_letter WHERE workspace_id = ${workspaceId}::uuid AND webhook_id = ${webhookId}::uuid
        AND id = ANY (ARRAY(
          SELECT u.id FROM untold_dead_letter u
          WHERE u.workspace_id = ${workspaceId}::uuid AND u.webhook_id = ${webhookId}::uuid
          ORDER BY u.at LIMIT ${deadLettersMax}::int))
      RETURNING delivery_id, error_code, at
    )
    SELECT count(*)::int AS count, min(at) AS first, max(at) AS last,
      coalesce(array_agg(DISTINCT error_code) FILTER (WHERE error_code IS NOT NULL), '{}') AS "errorCodes",
      (SELECT array_agg(delivery_id) FROM (
        SELECT delivery_id FROM taken ORDER BY at DESC, delivery_id LIMIT ${namedDeadLettersMax}::int) newest) AS "deliveryIds"
    FROM taken`,
)

/** Deletes and returns the notes for the event, the oldest first. */
export async function takeNotes(tx: Db, workspaceId: string, webhookId: string): Promise<DeadLetterNotes | null> {
  const [told] = await takeOldestNotes(tx, workspaceId, webhookId)
  if (told === undefined) return null
  const { count, first, last, errorCodes, deliveryIds } = told
  return first === null || last === null || deliveryIds === null
    ? null
    : { count, first, last, errorCodes, deliveryIds }
}

export type SealedColumn = {
  readonly table: string
  readonly column: string
  /** The column before the id in the order of the walk. */
  readonly owner: 'workspace_id' | 'account_id'
  readonly contextOf: (id: string) => string
}

export type SealedRow = { readonly ownerId: string; readonly id: string; readonly sealed: Uint8Array }

export type ResealPosition = { readonly place: number; readonly after: Pick<SealedRow, 'ownerId' | 'id'> }

const anySealed: SealedColumn = {
  table: 'webhook_secret',
  column: 'sealed',
  owner: 'workspace_id',
  contextOf: () => '',
}

/** Rows that another key than this one has sealed. The weaker lock lets deliveries refer to the webhook meanwhile. */
export const lockBatch = query(
  { ownerId: column.uuid, id: column.uuid, sealed: column.bytes.present },
  (head: string, place: SealedColumn, { ownerId, id }: ResealPosition['after'], max: number) => {
    const [table, sealed, owner] = [Prisma.raw(place.table), Prisma.raw(place.column), Prisma.raw(place.owner)]
    return Prisma.sql`
      SELECT ${owner} AS "ownerId", id, ${sealed} AS sealed FROM ${table}
      WHERE (${owner}, id) > (${ownerId}::uuid, ${id}::uuid)
        AND substring(${sealed} FROM 1 FOR ${head.length}::int) <> convert_to(${head}, 'UTF8')
      ORDER BY ${owner}, id LIMIT ${max}::int FOR NO KEY UPDATE SKIP LOCKED`
  },
  [['', anySealed, { ownerId: '', id: '' }, 1]],
)

export type ResealedRow = { readonly owner_id: string; readonly id: string; readonly sealed: string }

export const writeSealed = command(
  ({ table, column: sealed, owner }: SealedColumn, rows: readonly ResealedRow[]) => Prisma.sql`
    UPDATE ${Prisma.raw(table)} t SET ${Prisma.raw(sealed)} = decode(r.sealed, 'base64')
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(owner_id uuid, id uuid, sealed text)
    WHERE t.${Prisma.raw(owner)} = r.owner_id AND t.id = r.id`,
  [[anySealed, []]],
)
