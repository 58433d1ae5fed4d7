// The official MCP clients, each in the ways in which it can open a connection, under one type.
import type { CallToolResult, Client as OfficialClient, VersionNegotiationMode } from '@modelcontextprotocol/client'
import { foreign } from '../../support/foreign.ts'

const { Client, StreamableHTTPClientTransport } = await foreign(() => import('@modelcontextprotocol/client'))
const { Client: FirstClient } = await foreign(() => import('@modelcontextprotocol/sdk/client/index.js'))
const { StreamableHTTPClientTransport: FirstTransport } = await foreign(
  () => import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
)

type Server = { readonly url: string }
type Key = { readonly secret: string }

const info = { name: 'test', version: '1' }
const sending = ({ secret }: Key) => ({ requestInit: { headers: { authorization: `Bearer ${secret}` } } })
const closing = <T extends { close(): Promise<void> }>(client: T): T & AsyncDisposable =>
  Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })

export async function connect({ url }: Server, key: Key, mode: VersionNegotiationMode = 'legacy') {
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), sending(key)))
  return closing(client)
}

async function connectFirst({ url }: Server, key: Key) {
  const client = new FirstClient(info)
  await client.connect(new FirstTransport(new URL(`${url}/api/mcp`), sending(key)))
  // What tests call of it has the same names and forms in both generations.
  return closing(client as unknown as OfficialClient)
}

export const officialClients: readonly (readonly [string, typeof connectFirst])[] = [
  ['the 2.x client by default', connect],
  ['the 2.x client that probes for the version', (system, key) => connect(system, key, 'auto')],
  ['the 2.x client of 2026-07-28 alone', (system, key) => connect(system, key, { pin: '2026-07-28' })],
  ['the 1.x client', connectFirst],
]

/** What a model is shown first. */
export const textOf = ({ content }: Pick<CallToolResult, 'content'>): string =>
  content[0]?.type === 'text' ? content[0].text : ''
