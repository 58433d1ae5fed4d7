// A dispatcher on a database of its own, and the rows that a service would have written.
import { pino } from 'pino'
import { v7 as uuid } from 'uuid'
import { afterAll, onTestFinished } from 'vitest'
import { grantsBy } from '#contract/webhook-grants.ts'
import type { WebhookFilter } from '#contract/webhook-schema.ts'
import type { Database } from '#prisma/client.ts'
import { ranges } from '#runtime/ip-address.ts'
import type { ReceivedMessage } from '#runtime/broker-consumer.ts'
import { newTraceparent, storedTrace } from '#runtime/tracing/trace-context.ts'
import { webhookKeyring } from '#prisma/sealing-rows.ts'
import { startDispatcher, type Dispatcher, type DispatcherOptions } from '../../dispatcher/dispatcher.ts'
import { maintainPartitions } from '../../service/ledger/partition-maintenance.ts'
import { freshDatabase, type DatabaseKind, type FreshDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'

export const secretOfTests = 'a secret of the tests, long enough'
const keyring = webhookKeyring({ internalSecret: secretOfTests })
export const silent = pino({ level: 'silent' })
export const testSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
/** Where nobody listens. */
export const noReceiver = 'http://127.0.0.1:1/'

type WebhookInput = Parameters<typeof insertWebhook>[2]
type EventInput = Parameters<typeof insertEvent>[2]
type Answers = Parameters<typeof startReceiver>[0]
type Given = WebhookInput & {
  readonly kind?: DatabaseKind
  readonly answers?: Answers
  readonly as?: Partial<DispatcherOptions>
}

/** The service's part: rows. */
export type Rows = Awaited<ReturnType<typeof stageOn>>
export type Stage = Awaited<ReturnType<typeof openStage>>

export async function openStage(kind: DatabaseKind = 'postgres') {
  const database = await freshDatabase(kind)
  return stageIn(database, database.close)
}

/**
 * For the tests of a file: stages on one database of each kind, one after the other. What a test has left there is
 * deleted; stages that are open at the same time have a database each. A test that changes tables, reads plans or
 * writes very many rows opens one of its own.
 */
export function sharedStages() {
  const free: Record<DatabaseKind, FreshDatabase[]> = { postgres: [], pglite: [] }
  afterAll(() => Promise.all(Object.values(free).flatMap((databases) => databases.map(({ close }) => close()))))

  async function openShared(kind: DatabaseKind = 'postgres'): Promise<Stage> {
    const database = free[kind].pop() ?? (await freshDatabase(kind))
    return stageIn(database, async () => {
      await deleteAllRows(database.db)
      free[kind].push(database)
    })
  }
  /** A dispatcher `as` it is started, a receiver that answers so, and its webhook. All end with the test. */
  async function delivering({ kind, answers, as, ...input }: Given = {}) {
    const stage = await openShared(kind)
    onTestFinished(() => stage[Symbol.asyncDispose]())
    return { stage, ...(await stage.receiving(answers, input)), ...(await stage.start(as)) }
  }
  return { openStage: openShared, delivering }
}

/** Partitions as they are at that time. Whoever reads at that moment may be in its way: then it is tried again. */
export const keepPartitions = (db: Database, at: number): Promise<boolean> =>
  eventually(
    async () => (await Promise.allSettled([maintainPartitions(db, at)]))[0].status === 'fulfilled',
    'the locks of the ledger',
  )

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

async function stageIn({ db, url = '' }: FreshDatabase, end: () => Promise<void>) {
  const rows = await stageOn(db)
  const started: Dispatcher[] = []
  return {
    ...rows,
    /** Of its Postgres; empty for PGlite. */
    url,
    start: async (more?: Partial<DispatcherOptions>) => {
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

export async function stageOn(db: Database) {
  const workspaceId = await insertWorkspace(db)
  const webhook = (input?: WebhookInput) => insertWebhook(db, workspaceId, input)
  const delivery = (eventId: string, webhookId: string) => db.delivery.findFirst({ where: { eventId, webhookId } })
  return {
    db,
    workspaceId,
    webhook,
    delivery,
    /** A receiver that ends with the test, and its webhook. */
    receiving: async (answers?: Answers, input: WebhookInput = {}) => {
      const receiver = await startReceiver(answers)
      onTestFinished(() => receiver[Symbol.asyncDispose]())
      return { receiver, webhook: await webhook({ url: receiver.url, ...input }) }
    },
    /** An event with its outbox row. Nobody is notified of it. */
    event: (input?: EventInput) => insertEvent(db, workspaceId, input),
    /** Resolves with the delivery once it has this status, or this was the last that went wrong. */
    becomes: (state: string, eventId: string, webhookId: string) =>
      eventually(async () => {
        const row = await delivery(eventId, webhookId)
        return row !== null && [row.status, row.lastErrorCode].includes(state) ? row : null
      }, `a delivery that is ${state}`),
    /** Resolves once so many are delivered, of all or of these. */
    delivered: (count: number, where: { readonly webhookId?: string } = {}) =>
      eventually(
        async () => (await db.delivery.count({ where: { ...where, status: 'delivered' } })) === count,
        `${count} delivered`,
      ),
  }
}

async function startWith({ db, workspaceId, event }: Rows, more: Partial<DispatcherOptions> = {}) {
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
    eventIds.forEach((eventId) => {
      const body = JSON.stringify([{ eventId, workspaceId }])
      take?.({ body, headers: {}, ack: () => void acked.push(eventId), reject: () => {} })
    })
  /** Makes an event and notifies the dispatcher of it. */
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

/** With `granted` read scopes; without, it is one of a release without grants. */
async function insertWebhook(
  db: Database,
  workspaceId: string,
  {
    url = noReceiver,
    eventTypes = ['*'],
    filter = null as WebhookFilter | null,
    granted = null as string[] | null,
    status = 'active',
    payload = 'full',
    order = 'none',
    headers = null as Record<string, string> | null,
    secrets = [testSecret],
    statusChangedAt: at = new Date(),
  } = {},
): Promise<string> {
  const id = uuid()
  const actor = { type: 'system' as const, id: 'test', name: 'Test' }
  const basics = { workspaceId, id, name: 'Receiver', url, eventTypes, payload, order, status, version: 1 }
  const times = { createdAt: at, updatedAt: at, statusChangedAt: at }
  await db.webhook.create({
    data: {
      ...basics,
      ...times,
      headerNames: Object.keys(headers ?? {}),
      createdBy: actor,
      updatedBy: actor,
      ...(filter && { filter }),
      ...(granted && { grants: grantsBy(actor, at, granted) }),
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

async function insertEvent(
  db: Database,
  workspaceId: string,
  {
    type = 'projects.updated',
    resourceId = uuid(),
    resourceKind = null as string | null,
    projectId = null as string | null,
    changedFields = ['name'],
    createdAt = new Date(),
    data = { name: 'Fjällräven → 日本' },
  } = {},
): Promise<string> {
  const id = uuid({ msecs: createdAt.getTime() })
  const { last } = await db.eventSequence.update({ where: { workspaceId }, data: { last: { increment: 1 } } })
  const sequence = Number(last)
  const body = JSON.stringify({ id, object: 'event', type, workspaceId, sequence, data, changes: {} })
  const about = { type, resourceId, resourceKind, projectId, changedFields }
  const trace = Buffer.from(storedTrace(newTraceparent()), 'hex')
  await db.$transaction([
    db.event.create({ data: { workspaceId, id, sequence, ...about, body, occurredAt: createdAt, trace } }),
    db.outbox.create({ data: { eventId: id, workspaceId, sequence, createdAt } }),
  ])
  return id
}
