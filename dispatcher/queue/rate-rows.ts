// The rate of a webhook: a token bucket in its row of webhook_rate, which all dispatchers take from under the row's
// lock, so the rate holds over all of them. `free_at` is when the next delivery may be sent; the further it lies in the
// past, the more may be sent at once. Tokens are taken when a delivery is leased. Between that and its start it waits
// at most for the slots of its webhook, so in any minute no more are sent than the rate, the bucket, and what had been
// leased and still waited when it began (ten for each slot). What is leased and not sent costs its token.
import { Prisma } from '#prisma/generated/client.ts'

/** How long a webhook that is idle saves tokens; it saves at least one. Longer than the claimer needs to come round. */
const bucketSeconds = 10

const interval = Prisma.sql`(interval '1 minute' / per_minute)`
const bucket = Prisma.sql`greatest(1, per_minute * ${bucketSeconds}::int / 60)`

/** Locks the buckets of `served`. One that another dispatcher is taking from is left out. */
export const freeTokens: Prisma.Sql = Prisma.sql`
  SELECT r.workspace_id, r.webhook_id, r.oldest, r.every,
         CASE WHEN r.oldest <= now() THEN 1 + floor(extract(epoch FROM now() - r.oldest) / extract(epoch FROM r.every))::int
              ELSE 0 END AS count
  FROM served s CROSS JOIN LATERAL (
    SELECT workspace_id, webhook_id, ${interval} AS every,
           greatest(free_at, now() - ${interval} * (${bucket} - 1)) AS oldest
    FROM webhook_rate WHERE workspace_id = s.workspace_id AND webhook_id = s.webhook_id
    FOR NO KEY UPDATE SKIP LOCKED
  ) r WHERE s.limited`

/** Takes a token for each row of `due`. */
export const spendTokens: Prisma.Sql = Prisma.sql`
  UPDATE webhook_rate r SET free_at = t.oldest + t.every * taken.count
  FROM tokens t JOIN (SELECT webhook_id, count(*) FROM due GROUP BY webhook_id) taken USING (webhook_id)
  WHERE r.workspace_id = t.workspace_id AND r.webhook_id = t.webhook_id`
