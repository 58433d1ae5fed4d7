// The peer of MCP: the SDK's own handler with one equal tool. It takes the same arguments by the same schema, reads the
// same columns of the same rows, and answers them as rows of text and as structured content. No key, no scope, no
// limit, no log, no workspace that could be another's.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { Pool } from 'pg'
import { toolNamed } from '#contract/tools/catalogue.ts'
import { readPlan, report } from '../measure/plan.ts'
import { listProjectFields, poolSize } from '../peers/project-rows.ts'

export type Plan = { readonly database: string }
type Arguments = { readonly limit?: number }

/** Those that models are told when they name none. */
const fields = ['id', 'key', 'name', 'status', 'health', 'priority', 'ownerId', 'companyId', 'dueDate', 'version']

const { database } = readPlan() as Plan
const pool = new Pool({ connectionString: database, max: poolSize })
const { title, description, input } = toolNamed('projects.list')!
const config = { title, description, inputSchema: fromJsonSchema<Arguments>(input) }

function serverFor(workspaceId: string): McpServer {
  const server = new McpServer({ name: 'peer', version: '1' })
  server.registerTool('projects.list', config, async ({ limit = 20 }) => {
    const { rows, hasMore } = await listProjectFields(pool, workspaceId, fields, limit)
    const items = rows.map(present)
    const text = [`${items.length} projects.`, rowsOf(items)].join('\n')
    return {
      content: [{ type: 'text', text }],
      structuredContent: { data: items, page: { shown: items.length, hasMore } },
    }
  })
  return server
}

type Item = Readonly<Record<string, string | number | null>>

/** Each of these fields is a text, a number or null. */
const present = (row: object): Item =>
  Object.fromEntries(Object.entries(row as Item).filter(([name, value]) => value !== null && fields.includes(name)))

function rowsOf(items: readonly Item[]): string {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  const cells = items.map((item) => names.map((name) => item[name] ?? '').join(' | '))
  return [names.join(' | '), ...cells].join('\n')
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request)
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const handler = createMcpHandler(() => serverFor(headers['x-workspace-id'] ?? ''), { legacy: 'reject' })
  const answered = await handler.fetch(new Request('http://peer/mcp', { method: 'POST', headers, body }))
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  response.end(await answered.text())
}

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
report({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
process.once('SIGTERM', () => process.exit(0))
