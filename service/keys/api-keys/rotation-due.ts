// Emits `api-keys.rotation-due` in the background for a key whose secret has reached its maximum age, once for each
// secret. The gateway refuses such a key.

import { apiKeyRotationDue } from '#contract/api-keys.ts'
import type { Database } from '#prisma/client.ts'
import type { Call } from '../../execution/handler.ts'
import type { ChangeParts } from '../../execution/commit-change.ts'
import { attemptEach, changeAsSystem } from '../../execution/system-change.ts'
import { lockKey, toApiKey } from './rows.ts'

const batchMax = 100

type DueKey = { readonly workspaceId: string; readonly id: string }

/** Returns how many events were emitted. */
export async function emitRotationDue(deps: ChangeParts): Promise<number> {
  let emitted = 0
  await attemptEach(await dueKeys(deps.db), async ({ workspaceId, id }) => {
    const done = await changeAsSystem(deps, workspaceId, apiKeyRotationDue.type, (call) => emitDue(call, id))
    emitted += Number(done)
  })
  return emitted
}

/** Only the newest secret of each key counts. The condition is `rotateBy` of `key-policy/violations.ts` in SQL. */
const dueKeys = (db: Database): Promise<DueKey[]> =>
  db.$queryRaw`
    SELECT k.workspace_id AS "workspaceId", k.id
    FROM api_key k
    CROSS JOIN LATERAL (
      SELECT created_at, due_told_at FROM api_key_secret
      WHERE workspace_id = k.workspace_id AND api_key_id = k.id ORDER BY created_at DESC LIMIT 1
    ) s
    WHERE s.due_told_at IS NULL AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
      AND least(s.created_at + k.max_age_days * interval '1 day', (
        SELECT min(CASE
          WHEN s.created_at < w.max_key_age_set_at THEN least(
            greatest(s.created_at + w.max_key_age_days * interval '1 day', w.max_key_age_from),
            CASE WHEN w.max_key_age_days_before IS NOT NULL
              THEN s.created_at + greatest(w.max_key_age_days, w.max_key_age_days_before) * interval '1 day' END)
          ELSE s.created_at + w.max_key_age_days * interval '1 day'
        END)
        FROM (
          SELECT k.workspace_id AS id WHERE k.bound
          UNION ALL
          SELECT workspace_id FROM api_key_workspace WHERE api_key_id = k.id AND NOT k.bound
        ) reached
        JOIN workspace w ON w.id = reached.id AND w.max_key_age_days IS NOT NULL
      )) <= now()
    ORDER BY s.created_at LIMIT ${batchMax}::int`

async function emitDue({ db, workspaceId, now, emit }: Call<typeof apiKeyRotationDue>, id: string): Promise<void> {
  const row = await lockKey(db, workspaceId, id, now)
  const key = toApiKey(row, now)
  const [newest] = row.secrets
  // Rotated, revoked or emitted since the query.
  if (key.status !== 'rotation_due' || newest === undefined || newest.dueToldAt !== null) return
  await db.apiKeySecret.update({ where: { hash: newest.hash, workspaceId }, data: { dueToldAt: now } })
  emit(apiKeyRotationDue, key)
}
