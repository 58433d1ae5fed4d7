// The peer of MCP: the SDK's own handler with one tool, which runs the same statement and answers the same page. No key,
// no scope, no limit, no log, nothing validated but by the SDK.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { Pool } from 'pg'
import { readPlan, report } from '../measure/plan.ts'
import { listProjects, poolSize } from '../peers/project-rows.ts'

export type Plan = { readonly database: string }

const { database } = readPlan() as Plan
const pool = new Pool({ connectionString: database, max: poolSize })

function serverFor(workspaceId: string): Server {
  const server = new Server({ name: 'peer', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/call', async ({ params }) => {
    const page = await listProjects(pool, workspaceId, Number(params.arguments?.['limit']))
    return { content: [{ type: 'text', text: JSON.stringify(page) }] }
  })
  return server
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
