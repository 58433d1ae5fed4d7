// What frameworks that are not installed here have sent to an MCP server, one of each generation, as its requests were
// recorded. Both sent `content-type: application/json`, `accept: application/json, text/event-stream` and
// `user-agent: node` besides.
import { modernMeta, modernVersion } from '../support/messages.ts'

type Message = { readonly method: string; readonly id?: string | number; readonly params?: object }
export type Recorded = {
  /** With the version that the requests were recorded from. */
  readonly client: string
  /** Its headers, where the session of an answer is yet to be put in, and its message. */
  readonly posts: readonly (readonly [headers: Readonly<Record<string, string>>, message: Message])[]
}

const called = { name: 'projects_list', arguments: { limit: 1 } }

const clientInfo = {
  name: 'mcp-use',
  title: 'mcp-use',
  version: '1.34.6',
  description: 'mcp-use is a complete TypeScript framework for building and using MCP',
  icons: [{ src: 'https://mcp-use.com/logo.png' }],
  websiteUrl: 'https://mcp-use.com',
}
const begun = { protocolVersion: '2025-11-25', capabilities: { roots: { listChanged: true } }, clientInfo }
const inSession = { 'mcp-session-id': 'as answered', 'mcp-protocol-version': '2025-11-25' }

const headersOf = (method: string) => ({ 'mcp-protocol-version': modernVersion, 'mcp-method': method })
const _meta = {
  ...modernMeta,
  'io.modelcontextprotocol/clientInfo': { name: 'workspace', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/ui': {} } },
}
const later = { ..._meta, 'io.modelcontextprotocol/logLevel': 'info' }

export const recorded: readonly Recorded[] = [
  {
    client: 'mcp-use 1.34.6',
    posts: [
      [{}, { method: 'initialize', params: begun, id: 0 }],
      [inSession, { method: 'notifications/initialized' }],
      [inSession, { method: 'tools/list', id: 1 }],
      [inSession, { method: 'tools/call', params: called, id: 3 }],
    ],
  },
  {
    client: '@mastra/mcp 2.0.0',
    posts: [
      [headersOf('server/discover'), { id: 'server-discover-probe-1', method: 'server/discover', params: { _meta } }],
      [headersOf('tools/list'), { method: 'tools/list', params: { _meta: later }, id: 0 }],
      [
        { ...headersOf('tools/call'), 'mcp-name': 'projects_list' },
        { method: 'tools/call', params: { ...called, _meta: later }, id: 1 },
      ],
    ],
  },
]
