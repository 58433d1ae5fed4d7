// The MCP endpoint alone, over features that a test makes up: no database and no gateway.
import fastify, { type FastifyInstance } from 'fastify'
import type { Principal } from '#contract/internal/principal.ts'
import { scopes as allScopes } from '#contract/scopes.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import type { Execute } from '../../../service/execution/call.ts'
import { acceptJson } from '../../../service/http/request-input.ts'
import { serveMcp, type McpDeps } from '../../../service/mcp/endpoint.ts'
import type { McpFeatures } from '../../../service/mcp/features.ts'
import type { Caller, Exchange } from '../../../service/mcp/tools/runner.ts'
import { principalHeaders, principalWith } from '../../support/principal-headers.ts'
import { modernRequest } from './messages.ts'

const workspaceId = '0190b000-0000-7000-8000-000000000002'
const principal = principalWith({ workspaceId, surface: 'mcp', requestId: 'request-1' })

type OfKey = Partial<Pick<Principal, 'workspaceId' | 'quota'>> & { readonly scopes?: readonly string[] }
type Change = OfKey & Partial<Omit<Caller, 'principal'>> & { readonly execute?: Execute }

const noOperation: Execute = () => Promise.reject(new Error('No operation is expected.'))

const noFile: Exchange['readFile'] = () => Promise.reject(new Error('No file is expected.'))

/** With a key that has all scopes, and operations that are not to be called. */
export function exchangeOf({ scopes = allScopes, execute = noOperation, ...change }: Change = {}): Exchange {
  const { workspaceId: of = workspaceId, quota = null, ...caller } = change
  const own = { ...principal, scopes: [...scopes], workspaceId: of, quota }
  const plain = { isReadonly: false, toolsets: null, naming: 'dots', hasStructuredContent: true } as const
  return {
    caller: { principal: own, ...plain, ...caller },
    execute,
    readFile: noFile,
    signal: new AbortController().signal,
  }
}

// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { readonly status: number; readonly body: any; readonly headers: Record<string, unknown> }
export type Stage = AsyncDisposable & {
  readonly app: FastifyInstance
  headers(): Record<string, string>
  post(body: unknown, headers?: object): Promise<Answer>
  /** The same as a request of 2026-07-28. */
  postModern(...request: Parameters<typeof modernRequest>): Promise<Answer>
}

const idle: McpFeatures = {
  instructions: async () => 'How to.',
  listTools: () => [],
  callTool: async (name) => ({ content: [{ type: 'text', text: name }] }),
  listResources: async () => ({ resources: [] }),
  listResourceTemplates: () => ({ resourceTemplates: [] }),
  readResource: async (uri) => ({ contents: [{ uri, text: '' }] }),
  listPrompts: () => ({ prompts: [] }),
  getPrompt: async () => ({ messages: [] }),
  complete: async () => ({ completion: { values: [] } }),
}

export function mcpStage(features: Partial<McpFeatures>, parts: Partial<McpDeps> = {}): Stage {
  const principalKey = deriveKey('internal-secret-of-these-tests-alone', 'principal')
  const app = fastify()
  acceptJson(app)
  const closing = new AbortController().signal
  serveMcp(app, {
    features: { ...idle, ...features },
    execute: noOperation,
    readFile: noFile,
    principalKey,
    closing,
    ...parts,
  })
  const headers = () => principalHeaders(principalKey, principal, 'POST', '/api/mcp')
  const post: Stage['post'] = async (body, more = {}) => {
    const sent = { 'content-type': 'application/json', ...headers(), ...more }
    const answer = await app.inject({ method: 'POST', url: '/api/mcp', payload: JSON.stringify(body), headers: sent })
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body, headers: answer.headers }
  }
  return {
    app,
    headers,
    post,
    postModern: (...given) => {
      const modern = modernRequest(...given)
      return post(modern.body, modern.headers)
    },
    [Symbol.asyncDispose]: async () => void (await app.close()),
  }
}
