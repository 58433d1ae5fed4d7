// The service's HTTP server in this process, on a database of its own, called as the gateway calls it but without the
// gateway's rate limits.
import { randomUUID } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { grantsBy, scopesOf } from '#contract/webhook-grants.ts'
import type { Audience, Operation } from '#contract/operation.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { scopes } from '#contract/scopes.ts'
import { openDatabase, type Database } from '#prisma/client.ts'
import { logger } from '#runtime/log.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { openDatabaseSlots } from '../../../service/execution/database-slots.ts'
import { buildService } from '../../../service/server.ts'
import { requestOf, type Request } from './http-request.ts'
import { freshPostgres } from '../database.ts'
import { principalHeaders } from '../principal-headers.ts'
import { allDependenciesUp } from '../reached.ts'

export type Reply = { readonly status: number; readonly type: string; readonly body: unknown }
export type InProcess = AsyncDisposable & {
  call(operation: Operation, input: Readonly<Record<string, unknown>>): Promise<Reply>
  /** Makes a dead-lettered delivery as the dispatcher would; returns its id. */
  makeDelivery(): Promise<string>
  endReplayJobs(): Promise<unknown>
}

const audienceOf = ({ audiences }: Operation): Audience => (audiences.includes('api') ? 'api' : 'settings')

export async function startService(): Promise<InProcess> {
  const database = await hastyDatabase()
  const internalSecret = randomUUID() + randomUUID()
  const { app } = buildService({
    db: database.db,
    poolUsage: () => null,
    internalSecret,
    allowedTargets: { ranges: [], http: false },
    eventNotifier: {
      waitForEvents: () => Promise.resolve(false),
      notifyEvents: () => undefined,
      closing: new AbortController().signal,
      unpublished: () => ({ waiting: 0, lost: 0 }),
    },
    notifyKeyChange: () => undefined,
    dependencies: allDependenciesUp,
    slots: openDatabaseSlots(connections),
    log: logger(process.env['LOG_LEVEL'] ?? 'fatal', 'test'),
  })
  const key = deriveKey(internalSecret, 'principal')
  const inject = async (request: Request, principal: Principal): Promise<Reply> => {
    const { method, url, payload } = request
    const signed = principalHeaders(key, principal, method, url)
    const headers = { ...request.headers, 'x-request-id': principal.requestId, ...signed }
    const answer = await app.inject({
      method,
      url,
      headers: payload === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(payload !== undefined && { payload: JSON.stringify(payload) }),
    })
    const { statusCode: status, body: text } = answer
    return { status, type: answer.headers['content-type'] ?? '', body: text === '' ? null : JSON.parse(text) }
  }
  const workspaceId = idIn(await inject(post('/workspaces', { name: 'Acme', owner }), operator(null)))
  const settings = `/workspaces/${workspaceId}`
  const keyId = idIn(await inject(post(`${settings}/api-keys`, { name: 'Test', scopes }), operator(workspaceId)))
  const who = { api: holder(keyId, workspaceId), settings: operator(workspaceId) }
  return {
    call: (operation, input) => {
      const audience = audienceOf(operation)
      return inject(requestOf(operation, input, audience, workspaceId), who[audience])
    },
    endReplayJobs: () =>
      database.db.replayJob.updateMany({
        where: { workspaceId, endedAt: null },
        data: { status: 'cancelled', endedAt: new Date() },
      }),
    makeDelivery: () => insertDeadLetter(database.db, workspaceId),
    [Symbol.asyncDispose]: async () => {
      await app.close()
      await database.close()
    },
  }
}

const connections = 5

/** Without waiting for the disk at commits: the database need not survive a crash. */
async function hastyDatabase(): Promise<{ db: Database; close(): Promise<void> }> {
  const { url, drop } = await freshPostgres()
  const hasty = new URL(url)
  hasty.searchParams.set('options', '-c synchronous_commit=off')
  const { db, close } = await openDatabase({ url: hasty.href, connections })
  return { db, close: () => close().then(drop) }
}

const owner = { name: 'Ada', email: 'ada@example.com' }
const post = (path: string, payload: object): Request => ({
  method: 'POST',
  url: `/settings/api${path}`,
  headers: {},
  payload,
})

function idIn({ status, body }: Reply): string {
  if (status === 201) return (body as { id: string }).id
  throw new Error(`Answered ${status}: ${JSON.stringify(body)}`)
}

const seen = { requestId: 'test', clientAddress: '127.0.0.1', quota: null }

const operator = (workspaceId: string | null): Principal => ({
  kind: 'operator',
  id: 'operator',
  name: 'operator',
  surface: 'settings',
  scopes: [...scopes],
  workspaceId,
  ...seen,
})

const holder = (id: string, workspaceId: string): Principal => ({
  kind: 'api_key',
  id,
  name: 'Test',
  surface: 'http',
  scopes: [...scopes],
  workspaceId,
  ...seen,
})

/** For the newest event without a delivery to the webhook, which is made active with all grants again. */
async function insertDeadLetter(db: Database, workspaceId: string): Promise<string> {
  const webhook = await db.webhook.findFirstOrThrow({ where: { workspaceId }, orderBy: { createdAt: 'asc' } })
  const now = new Date()
  const grants = grantsBy({ type: 'system', id: 'test', name: 'Test' }, now, scopesOf(['*']))
  await db.webhook.update({
    where: { workspaceId_id: { workspaceId, id: webhook.id } },
    data: { status: 'active', deletedAt: null, eventTypes: ['*'], grants },
  })
  const delivered = await db.delivery.findMany({
    where: { workspaceId, webhookId: webhook.id },
    select: { eventId: true },
  })
  const event = await db.event.findFirstOrThrow({
    where: { workspaceId, id: { notIn: delivered.map(({ eventId }) => eventId) } },
    orderBy: { sequence: 'desc' },
  })
  const id = uuid()
  await db.delivery.create({
    data: {
      workspaceId,
      id,
      eventId: event.id,
      eventType: event.type,
      webhookId: webhook.id,
      origin: 'live',
      status: 'dead_letter',
      attemptCount: 3,
      tries: 3,
      maxAttempts: 3,
      createdAt: now,
      deadLetteredAt: now,
    },
  })
  return id
}
