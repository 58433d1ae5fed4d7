// The circuit of a webhook, kept in its row of webhook_health: all dispatchers see the same, and a restart forgets
// nothing. Each answer of an unhealthy receiver counts one (column `unwell`), each other answer takes one off. At five
// the circuit opens: nothing is sent for a while, and no delivery loses a try. Then the first dispatcher to claim sends
// one delivery, the probe. Answered, it closes the circuit; else the circuit stays open for twice as long.
import { Prisma } from '#prisma/generated/client.ts'

/** Five in a row at once, and sooner or later a receiver that is unhealthy at every second request. */
export const opensAt = 5
const openSecondsFirst = 30
export const openSecondsMax = 900
/** A probe of which nothing was heard for so long is lost, and another may be sent. Longer than any attempt. */
const probeSeconds = 30

/**
 * Part of a claim: of the dispatchers that find the same circuit at the end of its open time, the first to lock the row
 * sends the probe, a delivery of `due`. The others leave what they have locked.
 */
export const takeProbes = Prisma.sql`
  UPDATE webhook_health h SET circuit_open_until = now() + ${probeSeconds}::int * interval '1 second', probe_id = p.id
  FROM (
    SELECT g.workspace_id, g.webhook_id, due.id FROM due CROSS JOIN LATERAL (
      SELECT workspace_id, webhook_id FROM webhook_health
      WHERE workspace_id = due.workspace_id AND webhook_id = due.webhook_id AND circuit_open_until <= now()
      FOR NO KEY UPDATE SKIP LOCKED
    ) g WHERE due.probes
  ) p
  WHERE h.workspace_id = p.workspace_id AND h.webhook_id = p.webhook_id
  RETURNING h.webhook_id`

/**
 * Opens and closes circuits after results. `changes` are the rows `r` (results/health-rows.ts), and their rows of
 * webhook_health are locked already. While a circuit is open, requests that were on their way change nothing unless one
 * is answered: only the probe makes the open time longer.
 */
export const circuitUpdate = (changes: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`
    UPDATE webhook_health h SET
      unwell = CASE WHEN c.change = 'count' THEN c.unwell ELSE h.unwell END,
      circuit_seconds = CASE WHEN c.change = 'keep' THEN h.circuit_seconds ELSE c.seconds END,
      circuit_open_until = CASE WHEN c.change = 'keep' THEN h.circuit_open_until
                                ELSE now() + c.seconds * (0.8 + 0.4 * random()) * interval '1 second' END,
      probe_id = CASE WHEN c.change = 'keep' THEN h.probe_id END
    FROM (
      SELECT workspace_id, webhook_id, change, unwell,
             CASE WHEN change = 'longer' THEN least(2 * circuit_seconds, ${openSecondsMax}::int)
                  WHEN unwell >= ${opensAt}::int THEN ${openSecondsFirst}::int END AS seconds
      FROM (
        SELECT b.workspace_id, b.webhook_id, b.circuit_seconds,
               greatest(r.unhealthy_least, r.unhealthy_more + CASE WHEN b.circuit_seconds IS NULL THEN b.unwell ELSE 0 END) AS unwell,
               CASE WHEN b.circuit_seconds IS NULL OR r.answered THEN 'count'
                    WHEN b.probe_id = ANY (r.unhealthy_ids) THEN 'longer' ELSE 'keep' END AS change
        FROM webhook_health b JOIN ${changes} ON r.workspace_id = b.workspace_id AND r.webhook_id = b.webhook_id
      ) judged
    ) c
    WHERE h.workspace_id = c.workspace_id AND h.webhook_id = c.webhook_id
      AND (h.unwell > 0 OR c.unwell > 0 OR h.circuit_seconds IS NOT NULL)
    RETURNING h.webhook_id AS id, h.circuit_seconds IS NOT NULL AS "isOpen"`
