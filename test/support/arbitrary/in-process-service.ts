// The service’s HTTP server in this process, on a database of its own, without the gateway and its rate limits.
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
import { principalHeaders, principalWith } from '../principal-headers.ts'
import { allDependenciesUp } from '../reached.ts'
import { unusedStore } from '../file-store.ts'

export type Reply = { readonly status: number; readonly type: string; readonly body: unknown }
export type InProcess = AsyncDisposable & {
  call(operation: Operation, input: Readonly<Record<string, unknown>>): Promise<Reply>
  /** Makes a dead-lettered delivery as the dispatcher would; returns its id. */
  makeDelivery(): Promise<string>
  /** Brings a file into this state, as its upload would: nothing receives bytes here. */
  setFileStatus(id: string, status: 'held' | 'available'): Promise<void>
  /** Nothing runs them here, and a workspace may have only one at a time. */
  endJobs(): Promise<void>
}

const connections = 5

export async function startService(): Promise<InProcess> {
  const database = await hastyDatabase()
  const { db } = database
  const internalSecret = randomUUID() + randomUUID()
  const { app } = buildService({
    db,
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
    fileStore: unusedStore(),
    slots: openDatabaseSlots(connections),
    log: logger(process.env['LOG_LEVEL'] ?? 'fatal', 'test'),
  })
  const key = deriveKey(internalSecret, 'principal')
  const inject = async (request: Request, principal: Principal): Promise<Reply> => {
    const { method, url, payload } = request
    const content = payload === undefined ? {} : { 'content-type': 'application/json' }
    const signed = principalHeaders(key, principal, method, url)
    const sent = { ...content, ...request.headers, 'x-request-id': principal.requestId, ...signed }
    const bytes = payload !== undefined && { payload: JSON.stringify(payload) }
    const { statusCode, headers, body } = await app.inject({ method, url, headers: sent, ...bytes })
    const type = headers['content-type'] ?? ''
    const isText = !type.includes('json') || type.includes('ndjson')
    return { status: statusCode, type, body: body === '' ? null : isText ? body : JSON.parse(body) }
  }
  const made = async (path: string, payload: object, workspaceId: string | null): Promise<string> => {
    const request: Request = { method: 'POST', url: `/settings/api/workspaces${path}`, headers: {}, payload }
    const { status, body } = await inject(request, operator(workspaceId))
    if (status !== 201) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`)
    return (body as { id: string }).id
  }
  const workspaceId = await made('', { name: 'Acme', owner: { name: 'Ada', email: 'ada@example.com' } }, null)
  const keyId = await made(`/${workspaceId}/api-keys`, { name: 'Test', scopes }, workspaceId)
  const settings = operator(workspaceId)
  const who: Record<Audience, Principal> = {
    settings,
    api: { ...settings, kind: 'api_key', id: keyId, name: 'Test', surface: 'http' },
  }
  return {
    call: (operation, input) => {
      const audience = operation.audiences.includes('api') ? 'api' : 'settings'
      return inject(requestOf(operation, input, audience, workspaceId), who[audience])
    },
    endJobs: async () => {
      const data = { status: 'cancelled', endedAt: new Date() }
      await db.job.updateMany({ where: { workspaceId, endedAt: null }, data })
      await db.replayJob.updateMany({ where: { workspaceId, endedAt: null }, data })
    },
    setFileStatus: async (id, status) => {
      const data = {
        status,
        uploadedAt: new Date(),
        sha256: '0'.repeat(64),
        blobId: uuid(),
        detectedType: 'text/plain',
      }
      await db.file.update({ where: { workspaceId_id: { workspaceId, id } }, data })
    },
    makeDelivery: () => insertDeadLetter(db, workspaceId),
    [Symbol.asyncDispose]: async () => {
      await app.close()
      await database.close()
    },
  }
}

/** Without waiting for the disk at commits: the database need not survive a crash. */
async function hastyDatabase(): Promise<{ db: Database; close(): Promise<void> }> {
  const { url, drop } = await freshPostgres()
  const hasty = new URL(url)
  hasty.searchParams.set('options', '-c synchronous_commit=off')
  const { db, close } = await openDatabase({ url: hasty.href, connections })
  return { db, close: () => close().then(drop) }
}

const operator = (workspaceId: string | null): Principal =>
  principalWith({ ...byOperator, surface: 'settings', scopes: [...scopes], workspaceId, requestId: 'test' })
const byOperator = { kind: 'operator', id: 'operator', name: 'operator' } as const

/** For the newest event without a delivery to the webhook, which is made active with all grants again. */
async function insertDeadLetter(db: Database, workspaceId: string): Promise<string> {
  const { id: webhookId } = await db.webhook.findFirstOrThrow({ where: { workspaceId }, orderBy: { createdAt: 'asc' } })
  const now = new Date()
  const grants = grantsBy({ type: 'system', id: 'test', name: 'Test' }, now, scopesOf(['*']))
  await db.webhook.update({
    where: { workspaceId_id: { workspaceId, id: webhookId } },
    data: { status: 'active', deletedAt: null, eventTypes: ['*'], grants },
  })
  const delivered = await db.delivery.findMany({ where: { workspaceId, webhookId }, select: { eventId: true } })
  const event = await db.event.findFirstOrThrow({
    where: { workspaceId, id: { notIn: delivered.map(({ eventId }) => eventId) } },
    orderBy: { sequence: 'desc' },
  })
  const counts = { attemptCount: 3, tries: 3, maxAttempts: 3 }
  const of = { workspaceId, webhookId, eventId: event.id, eventType: event.type, origin: 'live' }
  const ended = { status: 'dead_letter', createdAt: now, deadLetteredAt: now }
  const { id } = await db.delivery.create({ data: { id: uuid(), ...of, ...counts, ...ended } })
  return id
}
