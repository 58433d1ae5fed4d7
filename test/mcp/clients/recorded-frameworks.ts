// What frameworks that are not installed here have sent to an MCP server, each as its requests were recorded. All sent
// `content-type: application/json`, `accept: application/json, text/event-stream` and `user-agent: node` besides.
import { modernMeta, modernVersion } from '../support/messages.ts'

type Message = { readonly method: string; readonly id?: string | number; readonly params?: object }
export type Recorded = {
  readonly client: string
  /** With the version that the requests were recorded from. */
  readonly package: string
  readonly posts: readonly {
    /** The session of an answer is yet to be put in. */
    readonly headers: Readonly<Record<string, string>>
    readonly message: Message
  }[]
}

const called = { name: 'projects_list', arguments: { limit: 1 } }

const ofSession = { 'mcp-session-id': 'as answered', 'mcp-protocol-version': '2025-11-25' }
const inSession = (capabilities: object, clientInfo: object, list: object, callId: number): Recorded['posts'] => [
  {
    headers: {},
    message: { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities, clientInfo }, id: 0 },
  },
  { headers: ofSession, message: { method: 'notifications/initialized' } },
  { headers: ofSession, message: { method: 'tools/list', ...list, id: 1 } },
  { headers: ofSession, message: { method: 'tools/call', params: called, id: callId } },
]

const headersOf = (method: string) => ({ 'mcp-protocol-version': modernVersion, 'mcp-method': method })
/** `more`: in the envelope of all but the first request. */
function withEnvelopes(name: string, capabilities: object, more: object, callId: number): Recorded['posts'] {
  const _meta = {
    ...modernMeta,
    'io.modelcontextprotocol/clientInfo': { name, version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  const later = { ..._meta, ...more }
  return [
    {
      headers: headersOf('server/discover'),
      message: { id: 'server-discover-probe-1', method: 'server/discover', params: { _meta } },
    },
    { headers: headersOf('tools/list'), message: { method: 'tools/list', params: { _meta: later }, id: 0 } },
    {
      headers: { ...headersOf('tools/call'), 'mcp-name': 'projects_list' },
      message: { method: 'tools/call', params: { ...called, _meta: later }, id: callId },
    },
  ]
}

const mcpUse = (name: string, version: string): Recorded['posts'] => {
  const clientInfo = {
    name,
    title: 'mcp-use',
    version,
    description: 'mcp-use is a complete TypeScript framework for building and using MCP',
    icons: [{ src: 'https://mcp-use.com/logo.png' }],
    websiteUrl: 'https://mcp-use.com',
  }
  return inSession({ roots: { listChanged: true } }, clientInfo, {}, 3)
}

const withUi = { extensions: { 'io.modelcontextprotocol/ui': {} } }

export const recorded: readonly Recorded[] = [
  {
    client: 'Google’s mcpToTool, in a program called my-app',
    package: '@google/genai 3.3.0 with @modelcontextprotocol/client 2.0.0',
    posts: inSession({}, { name: 'my-app', version: '1.0.0' }, { params: {} }, 2),
  },
  {
    client: 'Mastra',
    package: '@mastra/mcp 2.0.0',
    posts: withEnvelopes('workspace', withUi, { 'io.modelcontextprotocol/logLevel': 'info' }, 1),
  },
  {
    client: 'OpenAI Agents, unnamed',
    package: '@openai/agents 0.20.0',
    posts: withEnvelopes('streamable-http: https://workspace.example/api/mcp', {}, {}, 2),
  },
  { client: 'mcp-use', package: 'mcp-use 1.34.6', posts: mcpUse('mcp-use', '1.34.6') },
  { client: 'mcp-use, in a program called my-app', package: 'mcp-use 1.34.6', posts: mcpUse('my-app', '1') },
]
