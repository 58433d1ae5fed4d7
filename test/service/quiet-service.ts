// The service alone, on a database of its own: no gateway before it, and nothing that it does without being asked.
import type { FastifyInstance } from 'fastify'
import type { Principal } from '#contract/principal.ts'
import type { Method } from '#contract/operation.ts'
import { scopes } from '#contract/scope.ts'
import { deriveKey } from '#runtime/sealing.ts'
import { openAccess } from '../../service/execution/access.ts'
import { buildService, type Parts } from '../../service/server.ts'
import { secretOfTests, silent, stageOn, type Rows } from '../dispatcher/stage.ts'
import { connectionsOfTests, freshDatabase, type DatabaseKind } from '../support/database.ts'
import { allReached } from '../support/reached.ts'
import { principalHeaders } from '../support/principal.ts'

// A test states by its assertions what it expects of a body.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { readonly status: number; readonly body: any }
export type QuietService = AsyncDisposable &
  Rows & {
    readonly app: FastifyInstance
    /** What the gateway would add to a request of a key that holds all scopes. */
    headersFor(method: string, url: string): Record<string, string>
    /** With a key that holds `held`; all scopes, if left out. */
    call(method: Method, path: string, body?: object, held?: readonly string[]): Promise<Answer>
  }

const idle: Parts['news'] = { more: () => Promise.resolve(false), announceEvents: () => {} }

type Options = Parameters<typeof freshDatabase>[1] & { readonly log?: Parts['log'] }

export async function quietService(
  kind: DatabaseKind,
  news = idle,
  { log = silent, ...options }: Options = {},
): Promise<QuietService> {
  const database = await freshDatabase(kind, options)
  const rows = await stageOn(database.db)
  const app = buildService({
    ...{ db: database.db, internalSecret: secretOfTests, allowedTargets: { ranges: [], http: false } },
    access: openAccess(connectionsOfTests),
    ...{ news, announceKeyChange: () => {}, log, reached: allReached },
  })
  const key = deriveKey(secretOfTests, 'principal')
  const headersFor = (method: string, url: string, held: readonly string[] = scopes) =>
    principalHeaders(key, principalIn(rows.workspaceId, held), method, url)
  return {
    ...rows,
    app,
    headersFor,
    call: async (method, path, body, held) => {
      const url = `/api/v1${path}`
      const answer = await app.inject({ method, url, headers: headersFor(method, url, held), ...(body && { body }) })
      return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() }
    },
    [Symbol.asyncDispose]: async () => {
      await app.close()
      await database.close()
    },
  }
}

const principalIn = (workspaceId: string, held: readonly string[]): Principal => ({
  ...{ kind: 'api_key', id: 'k', name: 'Test', workspaceId, scopes: [...held], surface: 'http' },
  ...{ requestId: 'r', clientAddress: '127.0.0.1', quota: null },
})
