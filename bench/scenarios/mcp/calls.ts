// The requests that are compared: a page of projects by HTTP and by MCP, one at a time and in batches.
import { mcpPath, pathFor } from '#contract/route-paths.ts'
import { listProjects } from '#contract/projects.ts'
import type { Sender } from '../../product/principal.ts'
import type { Target } from '../../programs/load.ts'
import { mcpBatchCallsMax } from '#contract/faults/json-rpc.ts'

export const pageItems = 20
const version = '2026-07-28'
const tool = 'projects.list'

type Arguments = Readonly<Record<string, unknown>>

/** As models call it, and with as many fields as HTTP answers. */
const concise: Arguments = { limit: pageItems }
const full: Arguments = { limit: pageItems, detail: 'full', maxTokens: 100_000 }

export const byHttp = (sender: Sender): Target => ({
  ...sender,
  method: 'GET',
  path: `${pathFor(listProjects, 'api')}?limit=${pageItems}`,
})

/** Calls as clients of the current version make them. */
export const byTool = (sender: Sender): Target => current(sender, concise)
export const byFullTool = (sender: Sender): Target => current(sender, full)

/** A call as older clients make it, and as many of them in one body. */
export const byOlderTool = (sender: Sender): Target => posted(sender, {}, concise)
export const byBatch = (sender: Sender): Target => posted(sender, {}, concise, mcpBatchCallsMax)

const current = (sender: Sender, args: Arguments): Target => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': tool }
  return posted(sender, headers, args, null, _meta)
}

/** `batchSize`: null for a call that is no batch. */
function posted(
  sender: Sender,
  named: Readonly<Record<string, string>>,
  args: Arguments,
  batchSize: number | null = null,
  _meta?: object,
): Target {
  const call = (_: unknown, at: number) => ({
    jsonrpc: '2.0',
    id: at,
    method: 'tools/call',
    params: { name: tool, arguments: args, ...(_meta && { _meta }) },
  })
  const accept = 'application/json, text/event-stream'
  return {
    ...sender,
    method: 'POST',
    path: mcpPath,
    headers: { 'content-type': 'application/json', accept, ...named, ...sender.headers },
    body: JSON.stringify(batchSize === null ? call(null, 0) : Array.from({ length: batchSize }, call)),
  }
}
