// How tools are named where a message says it itself, and where the gateway has decided.

import { expect, test } from 'vitest'
import type { Exchange } from '../../../service/mcp/tools/runner.ts'
import { mcpStage, type Stage } from './stage.ts'

const initialize = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: '1' } },
})
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

function namingStage(): { stage: Stage; seen: string[] } {
  const seen: string[] = []
  const note = ({ caller }: Exchange) => void seen.push(caller.naming)
  const stage = mcpStage({
    listTools: (exchange) => (note(exchange), []),
    instructions: async (exchange) => (note(exchange), ''),
  })
  return { stage, seen }
}

test.each(['claude-ai (via mcp-remote 0.1.37)', 'Anthropic/ClaudeAI', 'my-app'])(
  '%s is known by a session id that any replica understands',
  async (name) => {
    const one = namingStage()
    const other = namingStage()

    const { headers } = await one.stage.post(initialize(name))
    await other.stage.post(list, { 'mcp-session-id': String(headers['mcp-session-id']) })

    expect(headers['mcp-session-id']).toMatch(/^[\u{21}-\u{7e}]+$/u)
    expect([...one.seen, ...other.seen]).toEqual(['underscores', 'underscores'])
  },
)

test('a program that takes dots is known by its session too; a caller that names no client is listed dots', async () => {
  const { stage, seen } = namingStage()

  const { headers } = await stage.post(initialize('mcp-inspector'))
  await stage.post(list, { 'mcp-session-id': String(headers['mcp-session-id']) })
  await stage.post(list)
  await stage.post(list, { 'mcp-session-id': 'somebody-elses' })

  expect(seen).toEqual(['dots', 'dots', 'dots', 'dots'])
})

test('in 2026-07-28 each message tells its client, and there are no sessions', async () => {
  const { stage, seen } = namingStage()
  const from = (name: string) => ({ _meta: { 'io.modelcontextprotocol/clientInfo': { name, version: '1' } } })

  await stage.postModern('tools/list', from('cursor-vscode'))
  await stage.postModern('tools/list', from('mcp-inspector'))
  const { headers } = await stage.postModern('tools/list')

  expect(seen).toEqual(['underscores', 'dots', 'dots'])
  expect(headers['mcp-session-id']).toBeUndefined()
})

test('what the gateway has decided wins, and a header of the caller where it has not', async () => {
  const { stage, seen } = namingStage()

  await stage.post(initialize('cursor-vscode'), { 'x-internal-tool-names': 'dots', 'x-mcp-tool-names': 'underscore' })
  await stage.post(initialize('cursor-vscode'), { 'x-mcp-tool-names': 'dot' })

  expect(seen).toEqual(['dots', 'dots'])
})
