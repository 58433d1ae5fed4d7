// The statements that find keys which need a person, and mark that they were told of.
import { alarmDaysBefore, deniedCallsMin } from '#contract/alarms.ts'
import type { PolicyRule } from '#contract/key-policy.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import { ageLimit } from '../keys/api-keys/rows.ts'
import { everyKey, isIn, type KeyRange } from '../keys/api-keys/sweep-rows.ts'

const keysPerRound = 50

/** How long before `due` it is told: so many days, and of what lasts shorter the last quarter. */
const noticeBefore = (due: Prisma.Sql, since: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`least(${alarmDaysBefore}::int * interval '1 day', (${due} - ${since}) / 4)`

/** The index holds only keys that expire and were not told of. */
export const expiringKeys = query(
  { workspaceId: column.uuid, id: column.uuid },
  () => Prisma.sql`
    SELECT k.workspace_id AS "workspaceId", k.id FROM api_key k
    WHERE k.revoked_at IS NULL AND k.expiring_told_for IS DISTINCT FROM k.expires_at
      AND k.expires_at > now() AND k.expires_at <= now() + ${alarmDaysBefore}::int * interval '1 day'
      AND now() >= k.expires_at - ${noticeBefore(Prisma.sql`k.expires_at`, Prisma.sql`k.created_at`)}
    ORDER BY k.expires_at LIMIT ${keysPerRound}::int`,
)

/** Returns false when it was told of already. A key with another expiry is told of again. */
export const markExpiringTold = changed(
  (workspaceId: string, id: string) => Prisma.sql`
    UPDATE api_key SET expiring_told_for = expires_at
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND expiring_told_for IS DISTINCT FROM expires_at`,
)

/**
 * From when a policy first refuses the key `k`, whose newest secret was made at `s.created_at`, and by which rule: its
 * own age of a secret, and the rules of the workspaces that it reaches. This is `violationsOf` of
 * `keys/key-policy/rules.ts` in SQL.
 */
export const firstRefusal = Prisma.sql`
  SELECT refusal.at, refusal.rule FROM (
    SELECT s.created_at + k.max_age_days * interval '1 day' AS at, 'maxKeyAgeDays'::text AS rule
    UNION ALL
    SELECT each.at, each.rule
    FROM (
      SELECT k.workspace_id AS id WHERE k.bound
      UNION ALL
      SELECT workspace_id FROM api_key_workspace
      WHERE home_workspace_id = k.workspace_id AND api_key_id = k.id AND NOT k.bound
    ) reached
    JOIN workspace w ON w.id = reached.id
    CROSS JOIN LATERAL (VALUES
      (CASE WHEN NOT w.allow_unbound_keys AND NOT k.bound THEN greatest(w.refuse_unbound_keys_from, k.created_at) END,
        'allowUnboundKeys'::text),
      (CASE WHEN w.require_ip_allowlist AND cardinality(k.ip_allowlist) = 0
        THEN greatest(w.require_ip_allowlist_from, k.created_at) END, 'requireIpAllowlist'),
      (CASE WHEN w.require_expiry AND k.expires_at IS NULL THEN greatest(w.require_expiry_from, k.created_at) END,
        'requireExpiry'),
      (${ageLimit}, 'maxKeyAgeDays')
    ) each (at, rule)
  ) refusal
  WHERE refusal.at IS NOT NULL ORDER BY refusal.at LIMIT 1`

/** The newest secret of the key `k`. */
export const newestSecret = Prisma.sql`
  SELECT created_at, due_told_at FROM api_key_secret
  WHERE workspace_id = k.workspace_id AND api_key_id = k.id ORDER BY created_at DESC LIMIT 1`

/** Those of the range that a policy refuses soon, and does not yet. */
export const stoppingKeys = query(
  {
    workspaceId: column.uuid,
    id: column.uuid,
    from: column.time.present,
    rule: column.text.of<PolicyRule>().present,
  },
  (range: KeyRange, max: number) => Prisma.sql`
    SELECT k.workspace_id AS "workspaceId", k.id, r.at AS "from", r.rule
    FROM api_key k
    CROSS JOIN LATERAL (${newestSecret}) s
    CROSS JOIN LATERAL (${firstRefusal}) r
    WHERE ${isIn(range)} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > r.at)
      AND k.stopping_told_for IS DISTINCT FROM r.at
      AND r.at > now() AND now() >= r.at - ${noticeBefore(Prisma.sql`r.at`, Prisma.sql`s.created_at`)}
    ORDER BY k.workspace_id, k.id LIMIT ${max}::int`,
  [[everyKey, 1]],
)

/** Returns false when it was told of already. */
export const markStoppingTold = changed(
  (workspaceId: string, id: string, from: Date) => Prisma.sql`
    UPDATE api_key SET stopping_told_for = ${from}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND stopping_told_for IS DISTINCT FROM ${from}`,
)

/** A key is told of once a day. */
const denied = Prisma.sql`
  d.count >= ${deniedCallsMin}::int AND d.since > now() - interval '1 hour'
  AND (d.told_at IS NULL OR d.told_at <= now() - interval '1 day')`

/** The index holds only keys with so many denied calls. */
export const deniedKeys = query(
  { workspaceId: column.uuid, id: column.uuid },
  () => Prisma.sql`
    SELECT d.workspace_id AS "workspaceId", d.api_key_id AS id FROM key_denial d WHERE ${denied}
    ORDER BY d.since LIMIT ${keysPerRound}::int`,
)

export const markDeniedTold = query(
  { count: column.int, since: column.time },
  (workspaceId: string, id: string) => Prisma.sql`
    UPDATE key_denial d SET told_at = now()
    WHERE d.workspace_id = ${workspaceId}::uuid AND d.api_key_id = ${id}::uuid AND ${denied}
    RETURNING d.count, d.since`,
)

function changed<A extends readonly unknown[]>(build: (...given: A) => Prisma.Sql) {
  const run = command(build)
  return async (...given: Parameters<typeof run>): Promise<boolean> => (await run(...given)) > 0
}
