// Statements of the ledger: how events are written, how the feed reads them, and how their partitions come and go.
import { eventsKeptDays } from '#contract/events.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { heldUntil } from '#prisma/restore.ts'
import { column, command, query } from '#prisma/statements.ts'
import { isNotHeld } from '../execution/legal-hold-rows.ts'

/** Lists of one length, with a value for each event. */
type EventColumns = {
  readonly id: readonly string[]
  readonly type: readonly string[]
  readonly resourceId: readonly string[]
  readonly kind: readonly (string | null)[]
  readonly projectId: readonly (string | null)[]
  /** The project that is named in the body. */
  readonly relatedProjectId: readonly (string | null)[]
  readonly related: readonly string[]
  readonly changed: readonly string[]
  readonly head: readonly string[]
  readonly tail: readonly string[]
  readonly at: readonly Date[]
  readonly origin: readonly (string | null)[]
  /** The only webhook that the event goes to; null where it goes to all that subscribe. */
  readonly onlyWebhookId: readonly (string | null)[]
}
type EventBatch = {
  readonly workspaceId: string
  readonly count: number
  readonly lastAt: Date
  /** The day of `lastAt`, in UTC. */
  readonly today: string
  readonly requestId: string
  readonly keyId: string | null
  readonly memberId: string | null
  /** In hexadecimal digits. */
  readonly trace: string
  readonly each: EventColumns
}

/** The body's member `related`, with a comma before it; empty where there is nothing to tell. */
const relatedOf = Prisma.sql`coalesce(',"related":{' || nullif(concat_ws(',', nullif(e.related, ''),
  '"project":{"id":"' || p.id || '","key":' || to_json(p.key) || ',"name":' || to_json(p.name) || '}'), '') || '}', '')`

/** By the ids of their events: hardly any event has one. */
const onlyWebhooks = ({ id, onlyWebhookId }: EventColumns): string =>
  JSON.stringify(Object.fromEntries(id.flatMap((each, n) => (onlyWebhookId[n] ? [[each, onlyWebhookId[n]]] : []))))

/** The sequence number is known only inside of the statement, which puts it between the two parts of the body. */
export const insertEvents = command(
  ({ workspaceId, count, lastAt, today, requestId, keyId, memberId, trace, each }: EventBatch) => Prisma.sql`
    WITH sequence AS (
      UPDATE event_sequence SET last = last + ${count}::int, last_at = greatest(last_at, ${lastAt}),
        before_day = CASE WHEN day = ${today}::date THEN before_day ELSE last END, day = ${today}::date
      WHERE workspace_id = ${workspaceId}::uuid RETURNING last - ${count}::int AS before
    ), written AS (
      INSERT INTO event (workspace_id, id, sequence, type, resource_id, resource_kind, project_id, changed_fields, body, occurred_at,
                         request_id, key_id, member_id, origin, trace)
      SELECT ${workspaceId}::uuid, e.id, before + position, e.type, resource_id, kind, e.project_id, changed::text[],
             head || (before + position) || tail || ${relatedOf} || '}', at, ${requestId}, ${keyId}::uuid, ${memberId}::uuid, e.origin,
             decode(${trace}, 'hex')
      FROM sequence, unnest(${each.id}::uuid[], ${each.type}::text[], ${each.resourceId}::uuid[], ${each.kind}::text[],
        ${each.projectId}::uuid[], ${each.relatedProjectId}::uuid[], ${each.related}::text[], ${each.changed}::text[],
        ${each.head}::text[], ${each.tail}::text[], ${each.at}::timestamptz[],
        ${each.origin}::text[]) WITH ORDINALITY
        AS e (id, type, resource_id, kind, project_id, related_project_id, related, changed, head, tail, at, origin, position)
      LEFT JOIN project p ON p.workspace_id = ${workspaceId}::uuid AND p.id = e.related_project_id
      RETURNING id, workspace_id, sequence, occurred_at
    )
    INSERT INTO outbox (event_id, workspace_id, sequence, created_at, only_webhook_id)
    SELECT id, workspace_id, sequence, occurred_at, (${onlyWebhooks(each)}::jsonb ->> id::text)::uuid FROM written`,
)

export const oldestInOutbox = query(
  { rows: column.int, oldestSeconds: column.float },
  (countedMax: number) => Prisma.sql`
    SELECT count(*)::int AS rows,
           coalesce(greatest(extract(epoch FROM now() - min(created_at)), 0), 0)::float8 AS "oldestSeconds"
    FROM (SELECT created_at FROM outbox WHERE created_at < ${heldUntil} ORDER BY created_at LIMIT ${countedMax}::int) oldest`,
)

type FeedSlice = {
  readonly after: number | null
  readonly types: readonly string[]
  /** Null: of all objects. */
  readonly resourceId: string | null
  /** Null: of all keys and members. */
  readonly actorId: string | null
  /** As JSON writes it between quotation marks; null: whatever the event says. */
  readonly text: string | null
  readonly rows: number
  readonly scannedMax: number
}

/**
 * Each selection of one actor's events: a key has an index, and a member has another. Of all actors there is one
 * selection.
 */
const byActor = (actorId: string | null): readonly Prisma.Sql[] =>
  actorId === null
    ? [Prisma.empty]
    : [Prisma.sql`AND key_id = ${actorId}::uuid`, Prisma.sql`AND member_id = ${actorId}::uuid`]

const containing = (text: string | null): Prisma.Sql =>
  text === null ? Prisma.empty : Prisma.sql`AND strpos(lower(body), lower(${text})) > 0`

/** One selection is in its order already. */
const together = (selections: readonly Prisma.Sql[], ordered: Prisma.Sql): Prisma.Sql =>
  selections.length === 1 ? Prisma.join(selections) : Prisma.sql`${Prisma.join(selections, ' UNION ALL ')} ${ordered}`

/**
 * The end of the feed, and its next events beside it: one statement, so that both are of the same moment. If there is
 * no next event, one row without an event.
 */
export const feedRows = query(
  {
    last: column.bigint,
    expired: column.bigint,
    gaps: column.bigint.list,
    sequence: column.bigint.orNull,
    body: column.text.orNull,
  },
  (workspaceId: string, { after, types, resourceId, actorId, text, rows, scannedMax }: FeedSlice) => {
    const selections = byActor(actorId).map(
      (ofActor) => Prisma.sql`
        (SELECT sequence, body FROM event
        WHERE workspace_id = s.workspace_id AND type = ANY (${types}::text[])
          ${resourceId === null ? Prisma.empty : Prisma.sql`AND resource_id = ${resourceId}::uuid`} ${ofActor}
          ${containing(text)}
          AND sequence > coalesce(${after}::bigint, s.expired)
          AND sequence <= coalesce(${after}::bigint, s.expired) + ${scannedMax}::int
        ORDER BY sequence LIMIT ${rows}::int)`,
    )
    return Prisma.sql`
      SELECT s.last, s.expired, s.gaps, e.sequence, e.body
      FROM event_sequence s LEFT JOIN LATERAL (
        ${together(selections, Prisma.sql`ORDER BY sequence LIMIT ${rows}::int`)}
      ) e ON true
      WHERE s.workspace_id = ${workspaceId}::uuid
      ORDER BY e.sequence`
  },
)
export type FeedRow = Awaited<ReturnType<typeof feedRows>>[number]

/** The last sequence of the feed, and that of the last event that is no longer kept. */
export const feedEnds = query(
  { last: column.bigint, expired: column.bigint },
  (workspaceId: string) =>
    Prisma.sql`SELECT last, expired FROM event_sequence WHERE workspace_id = ${workspaceId}::uuid`,
)

type BackwardsSlice = {
  /** Neither is part of it. */
  readonly above: number
  readonly below: number
  readonly types: readonly string[]
  readonly resourceId: string | null
  readonly actorId: string | null
  readonly requestId: string | null
  /** As JSON writes it between quotation marks; null: whatever the event says. */
  readonly text: string | null
  readonly rows: number
}

/** Newest first. */
export const eventsBackwards = query(
  { id: column.uuid, sequence: column.bigint, body: column.text },
  (workspaceId: string, slice: BackwardsSlice) => {
    const { above, below, types, resourceId, actorId, requestId, text, rows } = slice
    const selections = byActor(actorId).map(
      (ofActor) => Prisma.sql`
        (SELECT id, sequence, body FROM event
        WHERE workspace_id = ${workspaceId}::uuid AND type = ANY (${types}::text[]) ${ofActor}
          AND sequence > ${above}::bigint AND sequence < ${below}::bigint
          ${resourceId === null ? Prisma.empty : Prisma.sql`AND resource_id = ${resourceId}::uuid`}
          ${requestId === null ? Prisma.empty : Prisma.sql`AND request_id = ${requestId}`}
          ${containing(text)}
        ORDER BY sequence DESC LIMIT ${rows}::int)`,
    )
    return together(selections, Prisma.sql`ORDER BY sequence DESC LIMIT ${rows}::int`)
  },
)

/** The position before the first event with an id from `firstId` on. */
export const positionBefore = query(
  { position: column.bigint },
  (workspaceId: string, firstId: string) => Prisma.sql`
    SELECT greatest(s.expired, coalesce(
      (SELECT sequence - 1 FROM event
        WHERE workspace_id = s.workspace_id AND id >= ${firstId}::uuid ORDER BY id LIMIT 1),
      s.last)) AS position
    FROM event_sequence s WHERE s.workspace_id = ${workspaceId}::uuid`,
)

/** `end`: the id at which the partition ends. */
export const partitionBounds = query(
  { name: column.text, end: column.text },
  () => Prisma.sql`
    SELECT substr(c.relname, length('event_') + 1) AS name,
           substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO [(]''([0-9a-f-]*)''[)]') AS end
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'event'::regclass AND pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'`,
)

export const newestStray = query(
  { id: column.uuid },
  (before: string) => Prisma.sql`
    SELECT id FROM event_default WHERE id < ${before}::uuid ORDER BY id DESC LIMIT 1`,
)

export const addPartition = query(
  { added: column.int },
  (name: string, bounds: string) => Prisma.sql`SELECT 1 AS added FROM add_ledger_partition(${name}, ${bounds})`,
)

/** Foreign keys lead to the first two. All are locked in the order in which others lock them. */
export const lockLedger = command(
  () => Prisma.sql`
    LOCK TABLE ONLY workspace, ONLY webhook, ONLY event, ONLY delivery, ONLY attempt IN ACCESS EXCLUSIVE MODE`,
)

export const dropPartition = query(
  { dropped: column.int },
  (name: string) => Prisma.sql`SELECT 1 AS dropped FROM drop_ledger_partition(${name})`,
)

/**
 * Read from indexes alone. A delivery that waits has a time of its next attempt, or stands in a line, or waits for a
 * webhook that is not active: looked for are webhooks that left the active state after `since`. Events of a workspace
 * with a legal hold keep their partition.
 */
export const unsettledIn = query(
  { unsettled: column.bool },
  (name: string, endId: string, since: Date) => {
    const deliveries = Prisma.raw(`delivery_${name}`)
    return Prisma.sql`
      SELECT EXISTS (SELECT FROM ${deliveries} WHERE next_attempt_at IS NOT NULL)
          OR EXISTS (SELECT FROM ${deliveries} WHERE order_key IS NOT NULL AND status IN ('pending', 'retrying'))
          OR EXISTS (SELECT FROM outbox o JOIN ${Prisma.raw(`event_${name}`)} e ON e.workspace_id = o.workspace_id AND e.id = o.event_id
                     WHERE o.event_id < ${endId}::uuid)
          OR EXISTS (
            SELECT FROM webhook w CROSS JOIN LATERAL (
              SELECT FROM ${deliveries}
              WHERE workspace_id = w.workspace_id AND webhook_id = w.id AND status IN ('pending', 'retrying') LIMIT 1
            ) d
            WHERE w.status <> 'active' AND w.status_changed_at > ${since}
          )
          OR EXISTS (
            SELECT FROM legal_hold h CROSS JOIN LATERAL (
              SELECT FROM ${Prisma.raw(`event_${name}`)} WHERE workspace_id = h.workspace_id LIMIT 1
            ) e
          ) AS unsettled`
  },
  [['default', '00000000-0000-0000-0000-000000000000', new Date(0)]],
)

/** Gives the turn to one service at a time, until its transaction ends, which waits for no lock for long. */
export const takeTurn = query(
  { isOurs: column.bool, lockTimeout: column.text },
  (lock: number) => Prisma.sql`
    SELECT pg_try_advisory_xact_lock(${lock}::bigint) AS "isOurs", set_config('lock_timeout', '200ms', true) AS "lockTimeout"`,
)

/** The workspaces whose feed still has events with ids below `endId`, and the last of these. */
export const endedFeeds = query(
  { workspaceId: column.uuid, sequence: column.bigint },
  (endId: string) => Prisma.sql`
    SELECT s.workspace_id AS "workspaceId", last.sequence
    FROM event_sequence s CROSS JOIN LATERAL (
      SELECT sequence FROM event WHERE workspace_id = s.workspace_id AND id < ${endId}::uuid
      ORDER BY id DESC LIMIT 1
    ) last
    WHERE last.sequence > s.expired AND ${isNotHeld('s')}`,
)

export const endFeed = command(
  (workspaceId: string, sequence: bigint) => Prisma.sql`
    UPDATE event_sequence SET expired = greatest(expired, ${sequence}) WHERE workspace_id = ${workspaceId}::uuid`,
)

/** Events that no partition has taken along in its time, and that nothing waits for. Those of a legal hold are kept. */
const outdated = (keptDays: number) => Prisma.sql`
  e.occurred_at < now() - ${keptDays}::int * interval '1 day' AND ${isNotHeld('e')}
  AND NOT EXISTS (SELECT FROM outbox o WHERE o.workspace_id = e.workspace_id AND o.event_id = e.id)
  AND NOT EXISTS (
    SELECT FROM delivery d
    WHERE d.workspace_id = e.workspace_id AND d.event_id = e.id AND d.status IN ('pending', 'retrying')
  )`

export const oldestOutdated = query(
  { workspaceId: column.uuid },
  (partitionDays: number) => Prisma.sql`
    SELECT e.workspace_id AS "workspaceId" FROM event e WHERE ${outdated(eventsKeptDays + partitionDays)}
    ORDER BY e.occurred_at LIMIT 1`,
)

/** Returns the last sequence of the deleted ones; null where there was none. */
export const deleteEvents = query(
  { count: column.int, last: column.bigint.orNull },
  (workspaceId: string, partitionDays: number, max: number) => Prisma.sql`
    WITH batch AS (
      SELECT e.id FROM event e
      WHERE e.workspace_id = ${workspaceId}::uuid AND ${outdated(eventsKeptDays + partitionDays)}
      ORDER BY e.sequence LIMIT ${max}::int
    ), deleted AS (
      DELETE FROM event WHERE workspace_id = ${workspaceId}::uuid AND id IN (SELECT id FROM batch) RETURNING sequence
    )
    SELECT count(*)::int AS count, max(sequence) AS last FROM deleted`,
)
