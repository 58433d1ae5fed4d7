// Emails that wait, and the statements by which a service takes them and writes down how they fared.
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../execution/call.ts'

/** Of one workspace. What goes beyond it is not sent: the workspace settings show it anyway. */
const waitingPerWorkspaceMax = 500
/** Of all accounts together, which belong to no workspace. */
const waitingOfAccountsMax = 10_000

export type NewMail = {
  readonly id: string
  readonly workspaceId: string | null
  readonly kind: string
  readonly sealedContent: Uint8Array<ArrayBuffer>
  readonly createdAt: Date
}

/** Returns false when too many wait already. */
export async function insertMail(tx: Db, mail: NewMail): Promise<boolean> {
  const { workspaceId, createdAt } = mail
  const max = workspaceId === null ? waitingOfAccountsMax : waitingPerWorkspaceMax
  const waiting = await tx.mail.count({ where: { workspaceId, failedAt: null }, take: max })
  if (waiting >= max) return false
  await tx.mail.create({ data: { ...mail, nextAttemptAt: createdAt } })
  return true
}

/** Longer than an attempt may take. A process that ends in between leaves the email to another. */
const leaseSeconds = 120

/**
 * Takes emails that are due for one attempt. Those of accounts come first: a person waits for them, and no workspace
 * can hold them up.
 */
export const takeDueMails = query(
  {
    id: column.uuid,
    workspaceId: column.uuid.orNull,
    kind: column.text,
    sealedContent: column.bytes,
    createdAt: column.time,
    attempts: column.int,
  },
  (max: number) => Prisma.sql`
    UPDATE mail SET attempts = attempts + 1, next_attempt_at = now() + ${leaseSeconds}::int * interval '1 second'
    WHERE id IN (
      SELECT id FROM mail WHERE failed_at IS NULL AND next_attempt_at <= now()
      ORDER BY (workspace_id IS NOT NULL), next_attempt_at LIMIT ${max}::int FOR UPDATE SKIP LOCKED)
    RETURNING id, workspace_id AS "workspaceId", kind, sealed_content AS "sealedContent", created_at AS "createdAt",
      attempts`,
)

export const deleteMail = command((id: string) => Prisma.sql`DELETE FROM mail WHERE id = ${id}::uuid`)

export const postponeMail = command(
  (id: string, waitMs: number, failure: string) => Prisma.sql`
    UPDATE mail SET next_attempt_at = now() + ${waitMs}::int * interval '1 millisecond', failure = ${failure}
    WHERE id = ${id}::uuid`,
)

/** What it was made of is gone. The row stays for a while, to be counted. */
export const giveUpMail = command(
  (id: string, failure: string) => Prisma.sql`
    UPDATE mail SET failed_at = now(), failure = ${failure}, sealed_content = ''::bytea WHERE id = ${id}::uuid`,
)

const givenUpKeptDays = 7

export const deleteOutdatedMails = command(
  () => Prisma.sql`DELETE FROM mail WHERE failed_at <= now() - ${givenUpKeptDays}::int * interval '1 day'`,
)

export const mailFigures = query(
  { waiting: column.int, oldestSeconds: column.float },
  () => Prisma.sql`
    SELECT count(*)::int AS waiting,
      coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestSeconds"
    FROM mail WHERE failed_at IS NULL`,
)
