// Deliveries in the hands of a dispatcher, what may come of them, and very many rows, written by the database itself.
import { v7 as uuid } from 'uuid'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { newId } from '#runtime/new-id.ts'
import type { AttemptResult } from '../../dispatcher/attempt/deliver.ts'
import { fanOut } from '../../dispatcher/fan-out/fan-out.ts'
import { waitingByIds } from '../../dispatcher/fan-out/rows.ts'
import { beforeAllWebhooks, claimForWebhooks, claimSpan } from '../../dispatcher/queue/claim-rows.ts'
import { deliveryLoader } from '../../dispatcher/queue/load-delivery.ts'
import { type LoadedDelivery } from '../../dispatcher/queue/delivery-rows.ts'
import { noReceiver, type Rows } from './stage.ts'

export const me = uuid()
export const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000)

type FanOutOptions = Parameters<typeof fanOut>[2]

/** As a dispatcher that has room for everything, and starts nothing at once. */
export function fanOutAs(db: Database, owner: string, eventIds: readonly string[], more: Partial<FanOutOptions> = {}) {
  const roomy = { maxAttempts: 3, hasCapacity: () => true, hasSlot: () => false, traced: null }
  return fanOut(db, waitingByIds(eventIds), { owner, ...roomy, ...more })
}

export const claimAs = (db: Database, owner: string, webhookIds: readonly string[]) =>
  claimForWebhooks(db, { owner, takesOver: false }, { free: 100, perWebhook: 100, known: new Map() }, webhookIds)

export const claimAll = async (db: Database, owner: string, { takesOver = false, perWebhook = 100 } = {}) => {
  const capacity = { free: 100, perWebhook, known: new Map() }
  return (await claimSpan(db, { owner, takesOver }, capacity, beforeAllWebhooks)).claimed
}

/** Leased to `me`, with all that an attempt needs. */
export async function leased(stage: Rows): Promise<LoadedDelivery> {
  await stage.webhook({ url: noReceiver })
  return leasedAgain(stage)
}

export async function leasedAgain(stage: Rows): Promise<LoadedDelivery> {
  const [row] = (await fanOutAs(stage.db, me, [await stage.event()])).leased
  const delivery = row === undefined ? null : await deliveryLoader(stage.db, me).load(row)
  if (delivery === null) throw new Error('Nothing was leased')
  return delivery
}

/** As the service replays all that there are. */
export const replay = ({ db }: Rows, restartedAt: Date | null = null) => {
  const anew = { status: 'pending', origin: 'replay', tries: 0, nextAttemptAt: new Date(), deadLetteredAt: null }
  return db.delivery.updateMany({ data: { ...anew, restartedAt } })
}

/** `act` is done with each answer to a statement that reads, before it comes; where it throws, the answer is lost. */
export function beforeAnswers(db: Database, act: (rows: readonly Record<string, unknown>[]) => unknown): Database {
  async function $queryRaw(...statement: Parameters<Database['$queryRaw']>) {
    const rows = await db.$queryRaw<Record<string, unknown>[]>(...statement)
    await act(rows)
    return rows
  }
  return new Proxy(db, { get: (target, name) => (name === '$queryRaw' ? $queryRaw : Reflect.get(target, name)) })
}

export function result(delivery: LoadedDelivery, kind: 'delivered' | 'retry' | 'dead'): AttemptResult {
  const answer = {
    kind: 'answered',
    status: kind === 'delivered' ? 200 : 500,
    headers: { 'x-a': '\u00e9"' },
    body: '\uFFFD',
    truncated: false,
    timings: { dns: null, connect: 2, tls: null, firstByte: 1 },
  } as const
  const outcome = kind === 'retry' ? { kind, delayMs: 5_000 } : { kind }
  const errorCode = kind === 'delivered' ? null : 'http_status'
  const began = { traceId: '', trigger: 'automatic', startedAt: new Date(), durationMs: 3, requestHeaders: {} } as const
  return { delivery, ...began, answer, errorCode, command: null, outcome }
}

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
