// A dispatcher that gives up a delivery leaves a note of it. Here, in the background, events tell of them: gathered by
// webhook, the first at once and then one a minute at most, however many there are. Nothing is told of dead letters of
// these events themselves, and none goes to the webhook that it is about: no receiver that is away feeds itself or another.

import { deliveriesDeadLettered, namedDeadLettersMax } from '#contract/deliveries.ts'
import type { Database } from '#prisma/client.ts'
import type { ChangeParts } from '../execution/commit-change.ts'
import type { Call, Db } from '../execution/handler.ts'
import { attemptEach, changeAsSystem } from '../execution/system-change.ts'

const batchMax = 50
const tellEverySeconds = 60
/** What is beyond it is told of by the next event. */
const deadLettersMax = 10_000

type NotedWebhook = { readonly workspaceId: string; readonly webhookId: string }
type Told = {
  readonly count: number
  readonly first: Date
  readonly last: Date
  readonly errorCodes: readonly string[]
  readonly deliveryIds: readonly string[]
}

/** Returns how many events tell of dead letters now. */
export async function tellDeadLetters(deps: ChangeParts): Promise<number> {
  let told = 0
  await attemptEach(await notedWebhooks(deps.db), async ({ workspaceId, webhookId }) => {
    told += Number(await changeAsSystem(deps, workspaceId, null, (call) => tell(call, webhookId)))
  })
  return told
}

/** Steps from one webhook to the next by the key: how many notes each has makes no difference. */
const notedWebhooks = (db: Database): Promise<NotedWebhook[]> =>
  db.$queryRaw`
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
    ORDER BY h.dead_letters_told_at NULLS FIRST LIMIT ${batchMax}::int`

async function tell(call: Call<typeof deliveriesDeadLettered>, webhookId: string): Promise<void> {
  const { db, workspaceId, now, emit } = call
  const [webhook] = await db.$queryRaw<{ deletedAt: Date | null; name: string }[]>`
    SELECT deleted_at AS "deletedAt", name FROM webhook
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${webhookId}::uuid FOR UPDATE`
  if (webhook !== undefined && !(await takeTurn(db, workspaceId, webhookId, now))) return
  const told = await take(db, workspaceId, webhookId)
  // Another service has told since the query, or nobody needs to know: the webhook is deleted.
  if (told === null || webhook === undefined || webhook.deletedAt !== null) return
  const { count, first, last, errorCodes, deliveryIds } = told
  const data = {
    id: webhookId,
    object: 'dead_letters' as const,
    workspaceId,
    webhookId,
    webhookName: webhook.name,
    count,
    firstAt: first.toISOString(),
    lastAt: last.toISOString(),
    errorCodes: [...errorCodes],
    deliveryIds: [...deliveryIds],
  }
  emit(deliveriesDeadLettered, data, undefined, { id: webhookId, kind: null, projectId: null })
}

/** False where somebody else has had it within the minute. */
async function takeTurn(tx: Db, workspaceId: string, webhookId: string, now: Date): Promise<boolean> {
  const taken = await tx.$executeRaw`
    INSERT INTO webhook_health AS h (workspace_id, webhook_id, consecutive_failures, dead_letters_told_at)
    VALUES (${workspaceId}::uuid, ${webhookId}::uuid, 0, ${now})
    ON CONFLICT (workspace_id, webhook_id) DO UPDATE SET dead_letters_told_at = excluded.dead_letters_told_at
    WHERE h.dead_letters_told_at IS NULL
       OR h.dead_letters_told_at <= ${now}::timestamptz - ${tellEverySeconds}::int * interval '1 second'`
  return taken > 0
}

/** Takes the notes away that the event will tell of, the oldest first. */
async function take(tx: Db, workspaceId: string, webhookId: string): Promise<Told | null> {
  const [told] = await tx.$queryRaw<Told[]>`
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
    FROM taken`
  return told === undefined || told.count === 0 ? null : told
}
