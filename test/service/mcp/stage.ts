// The MCP endpoint alone, over features that a test makes up: no database and no gateway.
import fastify, { type FastifyInstance } from 'fastify'
import type { Principal } from '#contract/internal/principal.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import type { McpFeatures } from '../../../service/mcp/features.ts'
import { acceptJson } from '../../../service/http/request-input.ts'
import { serveMcp, type McpDeps } from '../../../service/mcp/endpoint.ts'
import { principalHeaders } from '../../support/principal-headers.ts'

export const principal: Principal = {
  kind: 'api_key',
  id: '0190b000-0000-7000-8000-000000000001',
  name: 'Test',
  workspaceId: '0190b000-0000-7000-8000-000000000002',
  scopes: [],
  surface: 'mcp',
  requestId: 'request-1',
  clientAddress: '127.0.0.1',
  quota: null,
}

// A test states by its assertions what it expects of a body.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { readonly status: number; readonly body: any; readonly headers: Record<string, unknown> }
export type Stage = AsyncDisposable & {
  readonly app: FastifyInstance
  headers(): Record<string, string>
  post(body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** The same as a request of 2026-07-28. */
  postModern(method: string, params?: object, headers?: Record<string, string>): Promise<Answer>
}

export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
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
  const execute = () => Promise.reject(new Error('No operation is served here'))
  serveMcp(app, { features: { ...idle, ...features }, execute, principalKey, closing, ...parts })
  const headers = () => principalHeaders(principalKey, principal, 'POST', '/api/mcp')
  const post: Stage['post'] = async (body, more = {}) => {
    const payload = JSON.stringify(body)
    const answer = await app.inject({
      method: 'POST',
      url: '/api/mcp',
      payload,
      headers: { 'content-type': 'application/json', ...headers(), ...more },
    })
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    return {
      status: answer.statusCode,
      body: isJson ? answer.json() : answer.body,
      headers: answer.headers,
    }
  }
  return {
    app,
    headers,
    post,
    postModern: (method, { _meta, ...params }: { _meta?: object } = {}, more = {}) =>
      post(
        { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...modernMeta, ..._meta } } },
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...nameHeader(params), ...more },
      ),
    [Symbol.asyncDispose]: async () => void (await app.close()),
  }
}

const nameHeader = ({ name, uri = name }: { name?: string; uri?: string }): Record<string, string> =>
  uri === undefined ? {} : { 'mcp-name': uri }
