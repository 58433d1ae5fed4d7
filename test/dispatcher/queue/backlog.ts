// Very many rows, written by the database itself.
import { Prisma } from '#prisma/generated/client.ts'
import { newId } from '#runtime/new-id.ts'
import type { Rows } from '../stage.ts'

/** An id of now, and one of the time of another. */
const idOfNow = () => idLike(Prisma.sql`${newId()}::text`)
const idLike = (other: Prisma.Sql) =>
  Prisma.sql`overlay(gen_random_uuid()::text PLACING left(${other}, 13) FROM 1 FOR 13)::uuid`
const idOfDelivery = (eventId: string) => idLike(Prisma.raw(`${eventId}::text`))

/** Where the sequence of these begins, so that others can still be written by the stage. */
const afterOthers = 1_000_000

/** Deliveries of one webhook, each of an event of its own, that came due a millisecond after each other, long ago. */
export const insertBacklog = (stage: Rows, webhookId: string, count: number, attempt: object = {}) =>
  stage.db.$executeRaw`
    WITH written AS (
      INSERT INTO event (workspace_id, id, sequence, type, resource_id, changed_fields, body, occurred_at)
      SELECT ${stage.workspaceId}::uuid, ${idOfNow()}, next.last + n, 'projects.updated', gen_random_uuid(), '{}', '{}', now()
      FROM generate_series(1, ${count}::int) n,
           (SELECT coalesce(max(sequence), ${afterOthers}::int) AS last FROM event
            WHERE workspace_id = ${stage.workspaceId}::uuid AND sequence > ${afterOthers}::int) next
      RETURNING workspace_id, id, sequence
    )
    INSERT INTO delivery (workspace_id, id, event_id, event_type, webhook_id, status, origin, max_attempts, created_at,
                          next_attempt_at, lease_owner, lease_until, sending_since)
    SELECT workspace_id, ${idOfDelivery('id')}, id, 'projects.updated', ${webhookId}::uuid, 'pending', 'live', 3, now(),
           now() - interval '1 hour' + sequence * interval '1 millisecond', lease.owner, lease.until, lease.sending
    FROM written, jsonb_to_record(${JSON.stringify(attempt)}::jsonb) AS lease(owner text, until timestamptz, sending timestamptz)`

/** So many webhooks, each with one delivery that is due or comes due in an hour. */
export const insertWebhooks = (stage: Rows, like: string, count: number, dueInSeconds: number) =>
  stage.db.$executeRaw`
    WITH made AS (
      INSERT INTO webhook (workspace_id, id, name, url, events, payload, status, version, created_at, updated_at,
                           status_changed_at, header_names, created_by, updated_by)
      SELECT workspace_id, gen_random_uuid(), name, url, events, payload, status, version, created_at, updated_at,
             status_changed_at, header_names, created_by, updated_by
      FROM webhook, generate_series(1, ${count}::int) WHERE id = ${like}::uuid
      RETURNING workspace_id, id
    ), happened AS (
      SELECT workspace_id, id FROM event WHERE workspace_id = ${stage.workspaceId}::uuid LIMIT 1
    )
    INSERT INTO delivery (workspace_id, id, event_id, event_type, webhook_id, status, origin, max_attempts, created_at,
                          next_attempt_at)
    SELECT made.workspace_id, ${idOfDelivery('happened.id')}, happened.id, 'projects.updated', made.id, 'retrying', 'live', 3, now(),
           now() + ${dueInSeconds}::int * interval '1 second'
    FROM made, happened`
