// The service alone, on a database of its own: no gateway before it, and nothing that it does without being asked.
import type { FastifyInstance } from 'fastify'
import type { Principal } from '#contract/internal/principal.ts'
import type { Method } from '#contract/operation.ts'
import { scopes } from '#contract/scopes.ts'
import type { MetricSource } from '#runtime/metrics/metric.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { startChain } from '../../service/audit/rows.ts'
import { openDatabaseSlots } from '../../service/execution/database-slots.ts'
import { buildService, type ServiceDeps } from '../../service/server.ts'
import { secretOfTests, silent, stageOn, type Rows } from '../dispatcher/stage.ts'
import { connectionsOfTests, freshDatabase, type DatabaseKind } from '../support/database.ts'
import { allDependenciesUp } from '../support/reached.ts'
import { principalHeaders } from '../support/principal-headers.ts'

// A test states by its assertions what it expects of a body.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { readonly status: number; readonly body: any }
export type QuietService = AsyncDisposable &
  Rows & {
    readonly app: FastifyInstance
    readonly metrics: MetricSource
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
type Headers = Readonly<Record<string, string>>

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
  const rows = await stageOn(database.db)
  await startChain(database.db, rows.workspaceId)
  const { app, metrics } = buildService({
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
  const key = deriveKey(secretOfTests, 'principal')
  const headersFor: QuietService['headersFor'] = (method, url, held = scopes, surface = 'http') =>
    principalHeaders(key, principalIn(rows.workspaceId, held, surface), method, url)
  const send = async (method: Method, url: string, body: object | undefined, headers: Headers): Promise<Answer> => {
    const answer = await app.inject({ method, url, headers, ...(body && { body }) })
    return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() }
  }
  return {
    ...rows,
    app,
    metrics,
    headersFor,
    call: (method, path, body, held, headers) => {
      const url = `/api/v1${path}`
      return send(method, url, body, { ...headersFor(method, url, held), ...headers })
    },
    settings: (method, path, body, headers) => {
      const url = `/settings/api/workspaces/${rows.workspaceId}${path}`
      return send(method, url, body, {
        ...principalHeaders(key, operatorIn(rows.workspaceId), method, url),
        ...headers,
      })
    },
    [Symbol.asyncDispose]: async () => {
      await app.close()
      await database.close()
    },
  }
}

/** No row of its own, but of the form that ids of keys have. */
export const keyId = '0190b000-0000-7000-8000-000000000001'

const principalIn = (
  workspaceId: string,
  held: readonly string[],
  surface: Principal['surface'] = 'http',
): Principal => ({
  kind: 'api_key',
  id: keyId,
  name: 'Test',
  workspaceId,
  scopes: [...held],
  surface,
  requestId: 'r',
  clientAddress: '127.0.0.1',
  quota: null,
})

const operatorIn = (workspaceId: string): Principal => ({
  ...principalIn(workspaceId, scopes),
  kind: 'operator',
  id: 'operator',
  name: 'operator',
  surface: 'settings',
})
