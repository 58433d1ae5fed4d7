// Strict order. The deliveries of an ordered webhook stand in lines: all of the webhook in one, or those of each object in
// one of their own (`order_key`), in the order of their events (`place`). They wait without a time of their next attempt,
// so claims never read them. The first of a line gets its turn, which is that time, and keeps it over retries, crashes and
// pauses until it is delivered, dead-lettered or cancelled.
// A turn is given when no other of the line has it, and no earlier event of the workspace waits in the outbox. Events of a
// workspace are committed in the order of their numbers, and an outbox row goes in the transaction that brings its
// deliveries: what is in neither place, and earlier, is not there at all. Turns are given by one dispatcher at a time.

import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { loop } from '#runtime/loop.ts'

export type Line = { readonly webhookId: string; readonly orderKey: string }
export type Turns = {
  /** How many lines were looked at, and the last of them. */
  readonly looked: number
  readonly last: Line | null
  /** The webhooks of which a delivery got its turn. */
  readonly webhookIds: readonly string[]
  /** Lines whose first delivery waits for an earlier event to be fanned out. */
  readonly early: readonly Line[]
}

/** How many lines are looked at in one statement. */
export const linesMax = 500
/** Of advisory locks: any number that nobody else has. */
const turnsLock = 7_239_001

export const giveTurns = (db: Database, lines: readonly Line[]): Promise<Turns> =>
  give(
    db,
    Prisma.sql`
      SELECT l."webhookId" AS webhook_id, l."orderKey" AS order_key, 0 AS n
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS l("webhookId" uuid, "orderKey" uuid)`,
  )

/** Looks at the lines that come after this one. */
export const giveTurnsAfter = (db: Database, { webhookId, orderKey }: Line): Promise<Turns> =>
  give(
    db,
    Prisma.sql`
      (SELECT webhook_id, order_key, 1 AS n FROM delivery
       WHERE (webhook_id, order_key) > (${webhookId}::uuid, ${orderKey}::uuid) AND ${inLine}
       ORDER BY webhook_id, order_key LIMIT 1)
      UNION ALL
      SELECT next.*, l.n + 1 FROM line l CROSS JOIN LATERAL (
        SELECT webhook_id, order_key FROM delivery
        WHERE (webhook_id, order_key) > (l.webhook_id, l.order_key) AND ${inLine}
        ORDER BY webhook_id, order_key LIMIT 1
      ) next WHERE l.n < ${linesMax}::int`,
  )

const inLine = Prisma.sql`order_key IS NOT NULL AND status IN ('pending', 'retrying')`

/** What is read must be newer than the lock: hence two statements. */
const give = (db: Database, line: Prisma.Sql): Promise<Turns> =>
  db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 AS locked FROM pg_advisory_xact_lock(${turnsLock}::bigint)`
    const [turns] = await tx.$queryRaw<Turns[]>(turnsStatement(line))
    if (turns === undefined) throw new Error('A statement about turns returned no row')
    return turns
  })

/** `line` selects lines, numbered by `n`. */
export const turnsStatement = (line: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`
    WITH RECURSIVE line AS (${line}),
    first AS MATERIALIZED (
      SELECT d.*, EXISTS (
        SELECT FROM outbox o WHERE o.workspace_id = d.workspace_id AND o.sequence < ceil(d.place)::bigint
      ) OR EXISTS (
        SELECT FROM outbox o WHERE o.workspace_id = d.workspace_id AND o.sequence IS NULL
      ) AS early
      FROM line l CROSS JOIN LATERAL (
        SELECT workspace_id, id, webhook_id, order_key, place, next_attempt_at FROM delivery
        WHERE webhook_id = l.webhook_id AND order_key = l.order_key AND ${inLine}
        ORDER BY place LIMIT 1
      ) d
      WHERE d.next_attempt_at IS NULL
        AND NOT EXISTS (
          SELECT FROM delivery t
          WHERE t.webhook_id = l.webhook_id AND t.order_key = l.order_key AND t.order_key IS NOT NULL
            AND t.next_attempt_at IS NOT NULL OFFSET 0
        )
        AND EXISTS (
          SELECT FROM webhook w WHERE w.workspace_id = d.workspace_id AND w.id = d.webhook_id AND w.status = 'active' OFFSET 0
        )
    ),
    given AS (
      UPDATE delivery d SET next_attempt_at = now() FROM first f
      WHERE d.workspace_id = f.workspace_id AND d.id = f.id AND NOT f.early
        AND d.next_attempt_at IS NULL AND d.status IN ('pending', 'retrying')
      RETURNING d.webhook_id
    )
    SELECT
      (SELECT count(*)::int FROM line) AS looked,
      (SELECT jsonb_build_object('webhookId', webhook_id, 'orderKey', order_key) FROM line ORDER BY n DESC LIMIT 1) AS last,
      (SELECT coalesce(jsonb_agg(DISTINCT webhook_id), '[]') FROM given) AS "webhookIds",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('webhookId', webhook_id, 'orderKey', order_key)), '[]')
       FROM first WHERE early) AS early`

// Gives turns in the lines of ordered webhooks: at once where a delivery was fanned out or has ended here, and once a
// second in all lines, for what else moves them (replays, webhooks that are enabled, dispatchers that are gone).

export type TurnLoop = {
  /** A delivery was added to these lines, or has ended there. */
  moved(lines: readonly Line[]): void
  close(): Promise<void>
}

const beforeAll: Line = {
  webhookId: '00000000-0000-0000-0000-000000000000',
  orderKey: '00000000-0000-0000-0000-000000000000',
}
const roundMs = 1_000
/** An earlier event that is still to be fanned out is in the hands of another dispatcher, as a rule. */
const earlyMs = 20
/** Going round takes at most a tenth of the time, however many lines there are. */
const restPerWork = 9
/** Lines beyond these are found on the next round. */
const movedMax = 10_000

export function startTurns(
  db: Database,
  onTurn: (webhookId: string) => void,
  onError: (error: unknown) => void,
): TurnLoop {
  const movedLines = new Map<string, Line>()
  let [after, nextRoundAt] = [beforeAll, 0]

  function add(lines: readonly Line[]): void {
    for (const line of lines) if (movedLines.size < movedMax) movedLines.set(`${line.webhookId}:${line.orderKey}`, line)
  }

  async function giveOnce(): Promise<number> {
    const turns = performance.now() < nextRoundAt ? await giveMoved() : await goRound()
    turns.webhookIds.forEach(onTurn)
    const isOnlyEarly = movedLines.size === 0 && turns.early.length > 0
    add(turns.early)
    if (movedLines.size > 0) return isOnlyEarly ? earlyMs : 0
    return Math.max(0, nextRoundAt - performance.now())
  }

  function giveMoved(): Promise<Turns> {
    const batch = [...movedLines].slice(0, linesMax)
    batch.forEach(([key]) => movedLines.delete(key))
    return giveTurns(
      db,
      batch.map(([, line]) => line),
    )
  }

  async function goRound(): Promise<Turns> {
    const startedAt = performance.now()
    const turns = await giveTurnsAfter(db, after)
    const now = performance.now()
    const isOver = turns.last === null || turns.looked < linesMax
    after = isOver ? beforeAll : (turns.last ?? beforeAll)
    nextRoundAt = now + (isOver ? roundMs : (now - startedAt) * restPerWork)
    return turns
  }

  const turns = loop(giveOnce, onError)
  const moved = (lines: readonly Line[]): void => {
    if (lines.length === 0) return
    add(lines)
    turns.wake()
  }
  return { moved, close: turns.close }
}
