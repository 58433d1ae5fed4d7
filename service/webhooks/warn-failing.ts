// The dispatcher records in `webhook_health` how far a failing webhook is on its way to being given up. Here, in the
// background, others are warned of it: once for each step, since a second service finds that it was told. A success
// begins anew.
import { webhookFailing } from '#contract/webhooks.ts'
import type { Database } from '#prisma/client.ts'
import type { ChangeParts } from '../execution/commit-change.ts'
import type { Call, Db } from '../execution/handler.ts'
import { attemptEach, changeAsSystem } from '../execution/system-change.ts'
import { lockAnyWebhook } from './rows.ts'
import { failingDaysMax, type warningPercents } from '#contract/webhook-schema.ts'

const batchMax = 50
const dayMs = 86_400_000

type Candidate = { readonly workspaceId: string; readonly id: string }
type Figures = {
  readonly percent: (typeof warningPercents)[number]
  readonly since: Date
  readonly failedTries: number
}

/** Returns how many warnings were given. */
export async function warnOfFailing(parts: ChangeParts): Promise<number> {
  let warned = 0
  await attemptEach(await candidates(parts.db), async ({ workspaceId, id }) => {
    warned += Number(await changeAsSystem(parts, workspaceId, null, (call) => warn(call, id)))
  })
  return warned
}

const candidates = (db: Database): Promise<Candidate[]> =>
  db.$queryRaw`
    SELECT w.workspace_id AS "workspaceId", w.id
    FROM webhook_health h JOIN webhook w ON w.workspace_id = h.workspace_id AND w.id = h.webhook_id
    WHERE h.warned_percent > h.told_percent AND h.gone_at IS NULL AND w.status = 'active' AND w.deleted_at IS NULL
    ORDER BY h.failing_since LIMIT ${batchMax}::int`

async function warn({ db, workspaceId, now, emit }: Call<typeof webhookFailing>, id: string): Promise<void> {
  const webhook = await lockAnyWebhook(db, workspaceId, id, now)
  if (webhook.status !== 'active' || webhook.deletedAt !== null) return
  const figures = await takeWarning(db, workspaceId, id)
  // It has recovered, was given up, or somebody else has told since the query.
  if (figures === null) return
  const { percent, since, failedTries } = figures
  const disabledFrom = new Date(since.getTime() + failingDaysMax * dayMs).toISOString()
  emit(webhookFailing, { ...webhook, failing: { percent, since: since.toISOString(), failedTries, disabledFrom } })
}

async function takeWarning(tx: Db, workspaceId: string, webhookId: string): Promise<Figures | null> {
  const [taken] = await tx.$queryRaw<Figures[]>`
    UPDATE webhook_health SET told_percent = warned_percent
    WHERE workspace_id = ${workspaceId}::uuid AND webhook_id = ${webhookId}::uuid
      AND warned_percent > told_percent AND gone_at IS NULL
    RETURNING warned_percent AS percent, failing_since AS since, consecutive_failures AS "failedTries"`
  return taken ?? null
}
