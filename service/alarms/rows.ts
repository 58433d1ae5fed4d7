// Alarms in the database: raised once for each cause, and standing until what they tell of is settled.
import { listedAlarmsMax, type Alarm, type AlarmKind } from '#contract/alarms.ts'
import type { PolicyRule } from '#contract/key-policy.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../execution/call.ts'
import { firstRefusal, newestSecret } from './due-key-rows.ts'

export type NewAlarm = {
  readonly id: string
  readonly kind: AlarmKind
  readonly subjectId: string
  readonly subjectName: string
  readonly occasion: string
  readonly dueAt: Date | null
  readonly count: number | null
  readonly rule: string | null
  readonly openedAt: Date
}

/** A first owner has nobody to be told of them. */
export const insertAlarms = command(
  (workspaceId: string, alarms: readonly NewAlarm[]) => Prisma.sql`
    INSERT INTO alarm (workspace_id, id, kind, subject_id, subject_name, occasion, due_at, count, rule, opened_at)
    SELECT ${workspaceId}::uuid, a.id, a.kind, a."subjectId", a."subjectName", a.occasion, a."dueAt", a.count, a.rule,
      a."openedAt"
    FROM jsonb_to_recordset(${JSON.stringify(alarms)}::jsonb) AS a(id uuid, kind text, "subjectId" uuid,
      "subjectName" text, occasion text, "dueAt" timestamptz, count int, rule text, "openedAt" timestamptz)
    WHERE a.kind <> 'owner_added' OR EXISTS (
      SELECT FROM member m WHERE m.workspace_id = ${workspaceId}::uuid AND m.role = 'owner' AND m.status = 'active'
        AND m.deleted_at IS NULL AND m.id <> a."subjectId")
    ON CONFLICT (workspace_id, kind, subject_id, occasion) DO NOTHING`,
  [['', []]],
)

/** Without a state of their own that could end: they end after so many days, or are dismissed. */
const shownDays = { owner_added: 7, key_denied: 1 }

/** Whether what the alarm `a` tells of is not settled yet. */
const stands = Prisma.sql`
  CASE a.kind
    WHEN 'webhook_failing' THEN EXISTS (
      SELECT FROM webhook w JOIN webhook_health h ON h.workspace_id = w.workspace_id AND h.webhook_id = w.id
      WHERE w.workspace_id = a.workspace_id AND w.id = a.subject_id AND w.status = 'active' AND w.deleted_at IS NULL
        AND h.consecutive_failures > 0)
    WHEN 'webhook_disabled' THEN EXISTS (
      SELECT FROM webhook w WHERE w.workspace_id = a.workspace_id AND w.id = a.subject_id AND w.status = 'disabled'
        AND w.deleted_at IS NULL)
    WHEN 'owner_added' THEN a.opened_at > now() - ${shownDays.owner_added}::int * interval '1 day' AND EXISTS (
      SELECT FROM member m WHERE m.workspace_id = a.workspace_id AND m.id = a.subject_id AND m.role = 'owner'
        AND m.deleted_at IS NULL)
    ELSE EXISTS (
      SELECT FROM api_key k CROSS JOIN LATERAL (${newestSecret}) s WHERE k.workspace_id = a.workspace_id AND k.id = a.subject_id AND k.revoked_at IS NULL
        AND (k.expires_at IS NULL OR k.expires_at > now())
        AND CASE a.kind
          WHEN 'key_expiring' THEN k.expires_at = a.due_at
          WHEN 'key_stopping' THEN a.due_at > now() AND a.due_at = (SELECT r.at FROM (${firstRefusal}) r)
          WHEN 'key_denied' THEN a.opened_at > now() - ${shownDays.key_denied}::int * interval '1 day'
          ELSE s.due_told_at IS NOT NULL
        END)
  END`

const alarmColumns = {
  id: column.uuid,
  kind: column.text.of<AlarmKind>(),
  subjectId: column.uuid,
  subjectName: column.text,
  dueAt: column.time.orNull,
  count: column.int.orNull,
  rule: column.text.of<PolicyRule>().orNull,
  openedAt: column.time,
}
export type AlarmRow = Awaited<ReturnType<typeof standingAlarms>>[number]

const shownColumns = Prisma.sql`a.id, a.kind, a.subject_id AS "subjectId", a.subject_name AS "subjectName",
  a.due_at AS "dueAt", a.count, a.rule, a.opened_at AS "openedAt"`

export const standingAlarms = query(
  alarmColumns,
  (workspaceId: string, kinds: readonly string[]) => Prisma.sql`
    SELECT ${shownColumns} FROM alarm a
    WHERE a.workspace_id = ${workspaceId}::uuid AND a.closed_at IS NULL AND a.kind = ANY (${kinds}::text[]) AND ${stands}
    ORDER BY a.opened_at DESC, a.id DESC LIMIT ${listedAlarmsMax}::int`,
)

/** Those of these that stand. */
export const standingAmong = query(
  alarmColumns,
  (workspaceId: string, ids: readonly string[]) => Prisma.sql`
    SELECT ${shownColumns} FROM alarm a
    WHERE a.workspace_id = ${workspaceId}::uuid AND a.id = ANY (${ids}::uuid[]) AND a.closed_at IS NULL AND ${stands}
    ORDER BY a.opened_at, a.id`,
)

const closedPerRound = 500

/** Closes alarms that are settled: each is looked at again and again until then. Returns how many. */
export const closeSettled = command(
  () => Prisma.sql`
    UPDATE alarm SET closed_at = now() WHERE (workspace_id, id) IN (
      SELECT a.workspace_id, a.id FROM alarm a WHERE a.closed_at IS NULL AND NOT ${stands}
      ORDER BY a.opened_at LIMIT ${closedPerRound}::int FOR UPDATE SKIP LOCKED)`,
)

/** Returns null when there is no such alarm. */
export async function closeAlarm(tx: Db, workspaceId: string, id: string, now: Date) {
  const alarm = await tx.alarm.findUnique({ where: { workspaceId_id: { workspaceId, id } } })
  if (alarm === null) return null
  const { count } = await tx.alarm.updateMany({ where: { workspaceId, id, closedAt: null }, data: { closedAt: now } })
  return { kind: alarm.kind, subjectName: alarm.subjectName, wasOpen: count > 0 }
}

export const toAlarm = ({ id, kind, subjectId, subjectName, openedAt, dueAt, count, rule }: AlarmRow): Alarm => ({
  id,
  object: 'alarm',
  kind,
  subject: { id: subjectId, name: subjectName },
  openedAt: openedAt.toISOString(),
  dueAt: dueAt?.toISOString() ?? null,
  count,
  rule,
})

/** Longer than any cause of an alarm lasts by itself. */
const closedKeptDays = 90

export const deleteOutdatedAlarms = command(
  () => Prisma.sql`DELETE FROM alarm WHERE closed_at <= now() - ${closedKeptDays}::int * interval '1 day'`,
)

const workspacesPerRound = 20
/** Of alarms that were raised while no email was sent, only these are sent when it is. */
const mailedWithinHours = 24

/**
 * Workspaces with alarms that no email has told of. One that had an email a moment ago waits: what comes close
 * together is told together.
 */
export const workspacesToMail = query(
  { workspaceId: column.uuid },
  (groupSeconds: number) => Prisma.sql`
    SELECT a.workspace_id AS "workspaceId" FROM alarm a
    WHERE a.mailed_at IS NULL AND NOT EXISTS (
      SELECT FROM alarm earlier WHERE earlier.workspace_id = a.workspace_id
        AND earlier.mailed_at > now() - ${groupSeconds}::int * interval '1 second')
    GROUP BY a.workspace_id ORDER BY min(a.opened_at) LIMIT ${workspacesPerRound}::int`,
)

/** Takes those that no email has told of. The answer leaves out what is too old, or closed. */
export const takeUnmailed = query(
  { id: column.uuid, kind: column.text.of<AlarmKind>(), subjectId: column.uuid },
  (workspaceId: string) => Prisma.sql`
    WITH taken AS (
      UPDATE alarm SET mailed_at = now() WHERE workspace_id = ${workspaceId}::uuid AND mailed_at IS NULL
      RETURNING id, kind, subject_id, opened_at, closed_at)
    SELECT id, kind, subject_id AS "subjectId" FROM taken
    WHERE closed_at IS NULL AND opened_at > now() - ${mailedWithinHours}::int * interval '1 hour'
    ORDER BY opened_at, id`,
)

/** No more people of a workspace get an email. */
const recipientsMax = 50

/** Members who may get emails about alarms, with the kinds that they want none about. */
export const findRecipients = query(
  { memberId: column.uuid, mutedKinds: column.text.of<AlarmKind>().list },
  (workspaceId: string) => Prisma.sql`
    SELECT m.id AS "memberId",
      coalesce(s.muted_kinds, '{}') || coalesce(p.muted_kinds, '{}') AS "mutedKinds"
    FROM member m JOIN workspace w ON w.id = m.workspace_id AND NOT w.sandbox AND w.suspended_at IS NULL
    LEFT JOIN alarm_settings s ON s.workspace_id = m.workspace_id
    LEFT JOIN alarm_preferences p ON p.workspace_id = m.workspace_id AND p.member_id = m.id
    WHERE m.workspace_id = ${workspaceId}::uuid AND m.status = 'active' AND m.deleted_at IS NULL
      AND m.account_id IS NOT NULL
      AND (m.role = 'owner' OR (m.role = 'admin' AND coalesce(s.recipients, 'admins') = 'admins'))
    ORDER BY m.created_at, m.id LIMIT ${recipientsMax}::int`,
)
