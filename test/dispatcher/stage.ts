// A dispatcher on a database of its own, and the rows that a service would have written.
import { pino } from 'pino'
import { v7 as uuid } from 'uuid'
import { afterAll } from 'vitest'
import { grantsBy } from '#contract/webhook-grants.ts'
import type { WebhookFilter } from '#contract/webhook-schema.ts'
import type { Database } from '#prisma/client.ts'
import { ranges } from '#runtime/ip-address.ts'
import type { ReceivedMessage } from '#runtime/broker-consumer.ts'
import { webhookKeyring } from '#prisma/sealing-rows.ts'
import { startDispatcher, type Dispatcher, type DispatcherOptions } from '../../dispatcher/dispatcher.ts'
import { freshDatabase, type DatabaseKind, type FreshDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

export const secretOfTests = 'a secret of the tests, long enough'
const keyring = webhookKeyring({ internalSecret: secretOfTests })
export const silent = pino({ level: 'silent' })

type WebhookInput = {
  url: string
  eventTypes?: string[]
  filter?: WebhookFilter
  /** Read scopes. Left out, the webhook is one of a release without grants. */
  granted?: string[]
  status?: string
  payload?: string
  order?: 'none' | 'webhook' | 'object'
  headers?: Record<string, string>
  secrets?: string[]
  statusChangedAt?: Date
}
type EventInput = {
  type?: string
  resourceId?: string
  resourceKind?: string
  projectId?: string
  changedFields?: string[]
  createdAt?: Date
  data?: unknown
}
type Running = {
  readonly notify: (...eventIds: string[]) => void
  /** Makes an event and notifies the dispatcher of it. */
  readonly happen: (input?: EventInput) => Promise<string>
  readonly acked: string[]
  readonly dispatcher: Dispatcher
}

type Delivery = NonNullable<Awaited<ReturnType<Database['delivery']['findFirst']>>>

/** The service's part: rows. */
export type Rows = {
  readonly db: Database
  readonly workspaceId: string
  webhook(input: WebhookInput): Promise<string>
  /** An event with its outbox row. Nobody is notified of it. */
  event(input?: EventInput): Promise<string>
  delivery(eventId: string, webhookId: string): Promise<Delivery | null>
  /** Resolves with the delivery once it has this status. */
  becomes(status: string, eventId: string, webhookId: string): Promise<Delivery>
  /** Resolves once so many are delivered, of all or of these. */
  delivered(count: number, where?: { readonly webhookId: string }): Promise<unknown>
}
export type Stage = Rows &
  AsyncDisposable & {
    /** Of its Postgres; empty for PGlite. */
    readonly url: string
    start(more?: Partial<DispatcherOptions>): Promise<Running>
  }

export async function openStage(kind: DatabaseKind = 'postgres'): Promise<Stage> {
  const database = await freshDatabase(kind)
  return stageIn(database, database.close)
}

/**
 * For the tests of a file: stages on one database of each kind, one after the other. What a test has left there is
 * deleted; stages that are open at the same time have a database each. A test that changes tables, reads plans or
 * writes very many rows opens one of its own.
 */
export function sharedStages(): (kind?: DatabaseKind) => Promise<Stage> {
  const free: Record<DatabaseKind, FreshDatabase[]> = { postgres: [], pglite: [] }
  afterAll(() => Promise.all(Object.values(free).flatMap((databases) => databases.map(({ close }) => close()))))
  return async (kind = 'postgres') => {
    const database = free[kind].pop() ?? (await freshDatabase(kind))
    return stageIn(database, async () => {
      await deleteAllRows(database.db)
      free[kind].push(database)
    })
  }
}

/** Of whichever table, without its triggers: some of them refuse it. */
const deleteAllRows = (db: Database) =>
  db.$executeRawUnsafe(`DO $$
    DECLARE name text; filled boolean;
    BEGIN
      PERFORM set_config('session_replication_role', 'replica', true);
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename !~ '^_' LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO filled;
        IF filled THEN EXECUTE format('DELETE FROM %I', name); END IF;
      END LOOP;
    END $$`)

async function stageIn(database: FreshDatabase, end: () => Promise<void>): Promise<Stage> {
  const rows = await stageOn(database.db)
  const started: Dispatcher[] = []
  return {
    ...rows,
    url: database.url ?? '',
    start: async (more) => {
      const running = await startWith(rows, more)
      started.push(running.dispatcher)
      return running
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(started.map((dispatcher) => dispatcher.close()))
      await end()
    },
  }
}

export async function stageOn(db: Database): Promise<Rows> {
  const workspaceId = await insertWorkspace(db)
  const delivery = (eventId: string, webhookId: string) => db.delivery.findFirst({ where: { eventId, webhookId } })
  const having = async (status: string, eventId: string, webhookId: string) => {
    const row = await delivery(eventId, webhookId)
    return row?.status === status ? row : null
  }
  return {
    db,
    workspaceId,
    delivery,
    webhook: (input) => insertWebhook(db, workspaceId, input),
    event: (input = {}) => insertEvent(db, workspaceId, input),
    becomes: (status, eventId, webhookId) =>
      eventually(() => having(status, eventId, webhookId), `a delivery that is ${status}`),
    delivered: (count, where) =>
      eventually(
        async () => (await db.delivery.count({ where: { ...where, status: 'delivered' } })) === count,
        `${count} delivered`,
      ),
  }
}

async function startWith({ db, workspaceId, event }: Rows, more: Partial<DispatcherOptions> = {}): Promise<Running> {
  let take: ((message: ReceivedMessage) => void) | null = null
  const acked: string[] = []
  const dispatcher = await startDispatcher({
    db,
    subscribe: async (onMessage) => {
      take = onMessage
      return { isConnected: () => take !== null, close: async () => void (take = null) }
    },
    brand: 'service',
    keyring,
    allowed: ranges(['127.0.0.0/8']),
    allowHttp: true,
    hostRequestsPerSecond: 1_000_000,
    isOwnPort: () => false,
    egressProxy: null,
    scheduleSeconds: [0.05, 0.05],
    relievingDelayMs: 0,
    log: silent,
    ...more,
  })
  const notify = (...eventIds: string[]) =>
    eventIds.forEach((eventId) =>
      take?.({
        body: JSON.stringify([{ eventId, workspaceId }]),
        ack: () => void acked.push(eventId),
        reject: () => {},
      }),
    )
  const happen = async (input?: EventInput) => {
    const eventId = await event(input)
    notify(eventId)
    return eventId
  }
  return { notify, happen, acked, dispatcher }
}

async function insertWorkspace(db: Database): Promise<string> {
  const id = uuid()
  const now = new Date()
  const rules = { sandbox: false, requireIpAllowlist: false, requireExpiry: false, allowUnboundKeys: false }
  const named = { name: 'Acme', slug: `acme-${id.slice(-12)}`, timeZone: 'UTC', defaultCurrency: 'EUR' }
  await db.workspace.create({ data: { id, ...named, ...rules, version: 1, createdAt: now, updatedAt: now } })
  await db.eventSequence.create({ data: { workspaceId: id, last: 0 } })
  return id
}

export const testSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

async function insertWebhook(db: Database, workspaceId: string, input: WebhookInput): Promise<string> {
  const { filter, granted, headers, secrets = [testSecret], statusChangedAt = new Date(), ...given } = input
  const { eventTypes = ['*'], status = 'active', payload = 'full', order = 'none' } = given
  const id = uuid()
  const actor = { type: 'system' as const, id: 'test', name: 'Test' }
  const basics = { workspaceId, id, name: 'Receiver', url: given.url, eventTypes, payload, order, status, version: 1 }
  await db.webhook.create({
    data: {
      ...basics,
      createdAt: statusChangedAt,
      updatedAt: statusChangedAt,
      statusChangedAt,
      headerNames: Object.keys(headers ?? {}),
      createdBy: actor,
      updatedBy: actor,
      ...(filter && { filter }),
      ...(granted && { grants: grantsBy(actor, statusChangedAt, granted) }),
      ...(headers && { sealedHeaders: keyring.seal(JSON.stringify(headers), `webhook-headers:${id}`) }),
    },
  })
  for (const secret of secrets) {
    const secretId = uuid()
    const sealed = keyring.seal(secret, `webhook-secret:${secretId}`)
    await db.webhookSecret.create({ data: { workspaceId, id: secretId, webhookId: id, sealed, createdAt: new Date() } })
  }
  return id
}

async function insertEvent(db: Database, workspaceId: string, input: EventInput): Promise<string> {
  const { resourceId = uuid(), resourceKind = null, projectId = null, changedFields = ['name'] } = input
  const { type = 'projects.updated', createdAt = new Date(), data = { name: 'Fjällräven → 日本' } } = input
  const id = uuid({ msecs: createdAt.getTime() })
  const { last } = await db.eventSequence.update({ where: { workspaceId }, data: { last: { increment: 1 } } })
  const sequence = Number(last)
  const body = JSON.stringify({ id, object: 'event', type, workspaceId, sequence, data, changes: {} })
  const about = { type, resourceId, resourceKind, projectId, changedFields }
  await db.$transaction([
    db.event.create({ data: { workspaceId, id, sequence, ...about, body, occurredAt: createdAt } }),
    db.outbox.create({ data: { eventId: id, workspaceId, sequence, createdAt } }),
  ])
  return id
}
