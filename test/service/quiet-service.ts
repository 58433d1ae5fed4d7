// The service alone, on a database of its own: no gateway before it, and nothing that it does without being asked.
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll } from 'vitest'
import type { Principal } from '#contract/internal/principal.ts'
import type { Method } from '#contract/operation.ts'
import { scopes } from '#contract/scopes.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { startChain } from '../../service/audit/rows.ts'
import { openDatabaseSlots } from '../../service/execution/database-slots.ts'
import { buildService, type ServiceDeps } from '../../service/server.ts'
import { secretOfTests, silent, stageOn } from '../dispatcher/stage.ts'
import { connectionsOfTests, freshDatabase, type DatabaseKind, type FreshDatabase } from '../support/database.ts'
import { allDependenciesUp } from '../support/reached.ts'
import { principalHeaders, principalWith } from '../support/principal-headers.ts'
import { unusedStore } from '../support/file-store.ts'

export { keyId } from '../support/principal-headers.ts'

// A test states by its assertions what it expects of a body.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { readonly status: number; readonly body: any }
type Headers = Readonly<Record<string, string>>

/** A workspace of the service, and the calls that a gateway would pass on. */
export type WorkspaceInService = Awaited<ReturnType<typeof workspaceIn>>
export type QuietService = Awaited<ReturnType<typeof quietService>>

const noNotifier: Omit<ServiceDeps['eventNotifier'], 'closing' | 'unpublished'> = {
  waitForEvents: () => Promise.resolve(false),
  notifyEvents: () => {},
}

type Options = Parameters<typeof freshDatabase>[1] & Partial<Pick<ServiceDeps, 'log' | 'notifyKeyChange' | 'publicUrl'>>

export async function quietService(
  kind: DatabaseKind,
  eventNotifier = noNotifier,
  { log = silent, notifyKeyChange = () => {}, publicUrl = null, ...options }: Options = {},
) {
  const database = await freshDatabase(kind, options)
  const nothingWaits = { closing: new AbortController().signal, unpublished: () => ({ waiting: 0, lost: 0 }) }
  const service = buildService({
    db: database.db,
    internalSecret: secretOfTests,
    allowedTargets: { ranges: [], http: false },
    slots: openDatabaseSlots(connectionsOfTests),
    poolUsage: database.poolUsage,
    eventNotifier: { ...eventNotifier, ...nothingWaits },
    notifyKeyChange,
    log,
    publicUrl,
    dependencies: allDependenciesUp,
    fileStore: unusedStore(),
  })
  const newWorkspace = () => workspaceIn(service, database)
  return {
    ...(await newWorkspace()),
    newWorkspace,
    [Symbol.asyncDispose]: async () => {
      await service.app.close()
      await database.close()
    },
  }
}

/** One service for all tests of a block. Each asks for a workspace of its own, by what is returned. */
export function sharedService(...given: Parameters<typeof quietService>): QuietService['newWorkspace'] {
  let service: QuietService | undefined
  beforeAll(async () => {
    service = await quietService(...given)
  })
  afterAll(() => service?.[Symbol.asyncDispose]())
  return async () => {
    if (service === undefined) throw new Error('The service is not there before the first hook has run')
    return service.newWorkspace()
  }
}

const key = deriveKey(secretOfTests, 'principal')

async function workspaceIn({ app, metrics }: ReturnType<typeof buildService>, { db, url = '' }: FreshDatabase) {
  const rows = await stageOn(db)
  const { workspaceId } = rows
  await startChain(db, workspaceId)
  const signed = (method: string, url: string, who: Partial<Principal>) =>
    principalHeaders(key, principalWith({ workspaceId, scopes: [...scopes], ...who }), method, url)
  const operator = { kind: 'operator', id: 'operator', name: 'operator', surface: 'settings' } as const
  const headersFor = (method: string, url: string, held: readonly string[] = scopes, surface?: Principal['surface']) =>
    signed(method, url, { scopes: [...held], ...(surface && { surface }) })
  const send = async (method: Method, url: string, body: object | undefined, headers: Headers): Promise<Answer> => {
    const answer = await app.inject({ method, url, headers, ...(body && { body }) })
    return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() }
  }
  return {
    ...rows,
    app,
    metrics,
    /** Of its Postgres; empty for PGlite. */
    url,
    /** What the gateway would add to a request of a key that holds all scopes, or these. */
    headersFor,
    /** With a key that holds `held`; all scopes, if left out. */
    call: (method: Method, path: string, body?: object, held?: readonly string[], headers?: Headers) => {
      const url = `/api/v1${path}`
      return send(method, url, body, { ...headersFor(method, url, held), ...headers })
    },
    /** As the operator; the path follows the workspace's. */
    settings: (method: Method, path: string, body?: object, headers?: Headers) => {
      const url = `/settings/api/workspaces/${workspaceId}${path}`
      return send(method, url, body, { ...signed(method, url, operator), ...headers })
    },
    /** A delivery of a new event that was given up. Returns its id. */
    deadLetter: async (webhookId: string, { eventType = 'projects.updated', createdAt = new Date() } = {}) => {
      const eventId = await rows.event({ type: eventType, createdAt })
      const id = uuid({ msecs: createdAt.getTime() })
      const of = { workspaceId, id, eventId, eventType, webhookId, origin: 'live', createdAt }
      const ended = { status: 'dead_letter', attemptCount: 3, tries: 3, maxAttempts: 3, deadLetteredAt: createdAt }
      return (await db.delivery.create({ data: { ...of, ...ended } })).id
    },
  }
}
