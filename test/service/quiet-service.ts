// The service alone, on a database of its own: no gateway before it, and nothing that it does without being asked.
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import type { Principal } from '#contract/internal/principal.ts'
import type { Method } from '#contract/operation.ts'
import { scopes } from '#contract/scopes.ts'
import type { MetricSource } from '#runtime/metrics/metric.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { startChain } from '../../service/audit/rows.ts'
import { openDatabaseSlots } from '../../service/execution/database-slots.ts'
import { buildService, type ServiceDeps } from '../../service/server.ts'
import { secretOfTests, silent, stageOn, type Rows } from '../dispatcher/stage.ts'
import { connectionsOfTests, freshDatabase, type DatabaseKind, type FreshDatabase } from '../support/database.ts'
import { allDependenciesUp } from '../support/reached.ts'
import { principalHeaders, principalWith } from '../support/principal-headers.ts'

export { keyId } from '../support/principal-headers.ts'

// A test states by its assertions what it expects of a body.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { readonly status: number; readonly body: any }
type Headers = Readonly<Record<string, string>>

/** A workspace of the service, and the calls that a gateway would pass on. */
export type WorkspaceInService = Rows & {
  readonly app: FastifyInstance
  readonly metrics: MetricSource
  /** Of its Postgres; empty for PGlite. */
  readonly url: string
  /** What the gateway would add to a request of a key that holds all scopes, or these. */
  headersFor(
    method: string,
    url: string,
    held?: readonly string[],
    surface?: Principal['surface'],
  ): Record<string, string>
  /** With a key that holds `held`; all scopes, if left out. */
  call(method: Method, path: string, body?: object, held?: readonly string[], headers?: Headers): Promise<Answer>
  /** As the operator; the path follows the workspace's. */
  settings(method: Method, path: string, body?: object, headers?: Headers): Promise<Answer>
}
export type QuietService = WorkspaceInService &
  AsyncDisposable & {
    /** Another one. */
    newWorkspace(): Promise<WorkspaceInService>
  }

type Notifier = Omit<ServiceDeps['eventNotifier'], 'closing' | 'unpublished'>
const noNotifier: Notifier = {
  waitForEvents: () => Promise.resolve(false),
  notifyEvents: () => {},
}

type Options = Parameters<typeof freshDatabase>[1] & Partial<Pick<ServiceDeps, 'log' | 'notifyKeyChange' | 'publicUrl'>>

export async function quietService(
  kind: DatabaseKind,
  eventNotifier = noNotifier,
  { log = silent, notifyKeyChange = () => {}, publicUrl = null, ...options }: Options = {},
): Promise<QuietService> {
  const database = await freshDatabase(kind, options)
  const service = buildService({
    db: database.db,
    internalSecret: secretOfTests,
    allowedTargets: { ranges: [], http: false },
    slots: openDatabaseSlots(connectionsOfTests),
    poolUsage: database.poolUsage,
    eventNotifier: {
      ...eventNotifier,
      closing: new AbortController().signal,
      unpublished: () => ({ waiting: 0, lost: 0 }),
    },
    notifyKeyChange,
    log,
    publicUrl,
    dependencies: allDependenciesUp,
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

async function workspaceIn(
  { app, metrics }: ReturnType<typeof buildService>,
  { db, url = '' }: FreshDatabase,
): Promise<WorkspaceInService> {
  const rows = await stageOn(db)
  const { workspaceId } = rows
  await startChain(db, workspaceId)
  const headersFor: WorkspaceInService['headersFor'] = (method, url, held = scopes, surface = 'http') =>
    principalHeaders(key, principalWith({ workspaceId, scopes: [...held], surface }), method, url)
  const operator = principalWith({
    kind: 'operator',
    id: 'operator',
    name: 'operator',
    workspaceId,
    scopes: [...scopes],
    surface: 'settings',
  })
  const send = async (method: Method, url: string, body: object | undefined, headers: Headers): Promise<Answer> => {
    const answer = await app.inject({ method, url, headers, ...(body && { body }) })
    return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() }
  }
  return {
    ...rows,
    app,
    metrics,
    url,
    headersFor,
    call: (method, path, body, held, headers) => {
      const url = `/api/v1${path}`
      return send(method, url, body, { ...headersFor(method, url, held), ...headers })
    },
    settings: (method, path, body, headers) => {
      const url = `/settings/api/workspaces/${workspaceId}${path}`
      return send(method, url, body, { ...principalHeaders(key, operator, method, url), ...headers })
    },
  }
}
