// Statements of the call path: the workspace lock, the quotas that are counted or kept beside it, and the rows of
// idempotency keys.
import { quotaNames, standardQuotas, type QuotaName } from '#contract/quotas.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query, type Column } from '#prisma/statements.ts'

/** Quotas whose use is kept in the row that is the workspace lock. */
export type StoredQuota = 'objects' | 'documentBytes' | 'fileBytes' | 'eventsPerDay'
/** Quotas of so few rows that these are counted when one more is made. */
export type CountedQuota = Exclude<QuotaName, StoredQuota>

const eventsToday = Prisma.sql`CASE WHEN s.day = (now() AT TIME ZONE 'UTC')::date THEN s.last - s.before_day ELSE 0 END`

/**
 * Waits until no other change of the workspace is in progress, and holds its row until the transaction ends. Every
 * value but `set`, what the operator has set, is one of the locked row: after waiting, those of other tables would
 * still be as they were when the statement began.
 */
export const lockWorkspace = query(
  {
    now: column.time,
    hasCustomFields: column.bool,
    used: column.json.of<Readonly<Record<StoredQuota, number>>>(),
    set: column.json.orNull,
  },
  (workspaceId: string) => Prisma.sql`
    SELECT greatest(date_trunc('milliseconds', clock_timestamp()), last_at + interval '1 millisecond') AS now,
      has_custom_fields AS "hasCustomFields",
      jsonb_build_object('objects', s.objects, 'documentBytes', s.document_bytes, 'fileBytes', s.file_bytes,
        'eventsPerDay', ${eventsToday}) AS used,
      (SELECT quotas FROM workspace w WHERE w.id = s.workspace_id) AS set
    FROM event_sequence s WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE`,
)

/**
 * Writes the row of a change that has recorded no event: by the row a replica of the database shows that it has the
 * change (prisma/replica.ts).
 */
export const markChanged = command(
  (workspaceId: string) => Prisma.sql`
    UPDATE event_sequence SET last = last WHERE workspace_id = ${workspaceId}::uuid`,
)

const counts: Readonly<Record<CountedQuota, Prisma.Sql>> = {
  apiKeys: Prisma.sql`(SELECT count(*) FROM api_key c WHERE c.workspace_id = w.id AND c.revoked_at IS NULL
    AND (c.expires_at IS NULL OR c.expires_at > now()))`,
  webhooks: Prisma.sql`(SELECT count(*) FROM webhook c WHERE c.workspace_id = w.id AND c.deleted_at IS NULL)`,
  members: Prisma.sql`(SELECT count(*) FROM member c WHERE c.workspace_id = w.id AND c.deleted_at IS NULL)`,
  invitations: Prisma.sql`(SELECT count(*) FROM invitation c WHERE c.workspace_id = w.id AND c.expires_at > now())`,
  customFields: Prisma.sql`(SELECT count(*) FROM custom_field c WHERE c.workspace_id = w.id AND c.archived_at IS NULL)`,
  sandboxes: Prisma.sql`(SELECT count(*) FROM workspace c WHERE c.sandbox_of = w.id)`,
}

export const countedUse = query(
  { used: column.float, set: column.json.orNull },
  (workspaceId: string, name: CountedQuota) => Prisma.sql`
    SELECT ${counts[name]}::float8 AS used, w.quotas AS set FROM workspace w WHERE w.id = ${workspaceId}::uuid`,
  [['', 'apiKeys']],
)

const everyAmount = Prisma.sql`
  s.objects::float8 AS objects, s.document_bytes::float8 AS "documentBytes",
  s.file_bytes::float8 AS "fileBytes", (${eventsToday})::float8 AS "eventsPerDay",
  ${Prisma.join(
    Object.entries(counts).map(([name, count]) => Prisma.sql`${count}::float8 AS ${Prisma.raw(`"${name}"`)}`),
    ', ',
  )}`

const amounts = Object.fromEntries(quotaNames.map((name) => [name, column.float])) as Record<QuotaName, Column<number>>

/** How much of each quota the workspace uses. */
export const usedQuotas = query(
  amounts,
  (workspaceId: string) => Prisma.sql`SELECT ${everyAmount}
    FROM event_sequence s JOIN workspace w ON w.id = s.workspace_id WHERE s.workspace_id = ${workspaceId}::uuid`,
)

/** The part of each quota that the workspace that uses most of it uses: 1 where one is used up. */
export const highestUse = query(amounts, () => {
  const parts = quotaNames.map((name) => {
    const amount = Prisma.raw(`"${name}"`)
    const quota = Prisma.sql`coalesce((set ->> ${name})::float8, ${standardQuotas[name]}::float8)`
    return Prisma.sql`coalesce(max(${amount} / greatest(1, ${quota})), 0) AS ${amount}`
  })
  return Prisma.sql`SELECT ${Prisma.join(parts, ', ')}
    FROM (SELECT ${everyAmount}, w.quotas AS set FROM event_sequence s JOIN workspace w ON w.id = s.workspace_id) all_used`
})

type IdempotencyRow = {
  readonly callerId: string
  readonly workspaceId: string
  readonly operation: string
  readonly key: string
}

/** Inserts the row of a key, or takes over an outdated one. Changes nothing when an earlier request has it. */
export const takeIdempotencyKey = command(
  ({ callerId, workspaceId, operation, key }: IdempotencyRow, fingerprint: Uint8Array, now: Date, outdated: Date) =>
    Prisma.sql`
      INSERT INTO idempotency_record (caller_id, workspace_id, operation, key, fingerprint, created_at)
      VALUES (${callerId}, ${workspaceId}, ${operation}, ${key}, ${fingerprint}, ${now})
      ON CONFLICT (caller_id, workspace_id, operation, key) DO UPDATE
        SET fingerprint = excluded.fingerprint, sealed_body = NULL, created_at = excluded.created_at
        WHERE idempotency_record.created_at < ${outdated}`,
)

export const deleteAnswers = command(
  (outdated: Date, max: number) => Prisma.sql`
    DELETE FROM idempotency_record WHERE (caller_id, workspace_id, operation, key) IN (
      SELECT caller_id, workspace_id, operation, key FROM idempotency_record
      WHERE created_at < ${outdated} ORDER BY created_at LIMIT ${max}::int FOR UPDATE SKIP LOCKED
    )`,
)
