// The official MCP clients, each in the ways in which it can open a connection, under one type.
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

type Content = { readonly type: string; readonly text?: string }
export type ListedTool = {
  readonly name: string
  readonly inputSchema: object
  readonly outputSchema?: object | undefined
}
export type ToolResult = {
  readonly content?: unknown
  readonly structuredContent?: unknown
  readonly isError?: unknown
  /** Of servers before 2024-11-05, which the 1.x client still knows. */
  readonly toolResult?: unknown
}
type PromptArgument = { readonly name: string; readonly required?: boolean | undefined }
type CompletionRef = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }

/** What both generations of the client can do. */
export type McpClient = {
  getInstructions(): string | undefined
  listTools(): Promise<{ tools: ListedTool[] }>
  listResources(): Promise<{ resources: { uri: string }[]; nextCursor?: string | undefined }>
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>
  listPrompts(): Promise<{ prompts: { name: string; arguments?: PromptArgument[] | undefined }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<ToolResult>
  readResource(read: { uri: string }): Promise<{ contents: object[] }>
  getPrompt(get: { name: string; arguments: Record<string, string> }): Promise<{ messages: { content: unknown }[] }>
  complete(ask: {
    ref: CompletionRef
    argument: { name: string; value: string }
  }): Promise<{ completion: { values: string[] } }>
  close(): Promise<void>
}
type Headers = Record<string, string>
type Connect = (url: string, headers: Headers) => Promise<McpClient>

const info = { name: 'test', version: '1' }

const connectCurrent =
  (mode: VersionNegotiationMode): Connect =>
  async (url, headers) => {
    const client = new Client(info, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
    return client
  }

const connectFirst: Connect = async (url, headers) => {
  const client = new FirstClient(info)
  await client.connect(new FirstTransport(new URL(url), { requestInit: { headers } }))
  return client
}

export const officialClients: readonly (readonly [string, Connect])[] = [
  ['the 2.x client by default', connectCurrent('legacy')],
  ['the 2.x client that probes for the version', connectCurrent('auto')],
  ['the 2.x client of 2026-07-28 alone', connectCurrent({ pin: '2026-07-28' })],
  ['the 1.x client', connectFirst],
]

/** What a model is shown first. */
export const textOf = ({ content }: ToolResult): string => (content as Content[])[0]?.text ?? ''
