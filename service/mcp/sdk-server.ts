// The SDK's MCP server, one for each message: no session is kept, so any replica can serve any call.
import { Server, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server'
import { rpcCodes } from '#contract/json-rpc-errors.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Execute } from '../execution/operation-request.ts'
import { errorAnswer, wantsAnswer, type Message } from './json-rpc-messages.ts'
import { callTool, toolsFor } from './tools.ts'

const deadlineMs = 25_000
const listsFreshMs = 60_000

export function serverFor(principal: Principal, execute: Execute): Server {
  const server = new Server(
    { name: 'workspace-integration-api', version: '1.0.0' },
    {
      capabilities: { tools: {} },
      // Lists differ by key and workspace, so no cache may share them.
      cacheHints: {
        'tools/list': { ttlMs: listsFreshMs, cacheScope: 'private' },
        'server/discover': { ttlMs: listsFreshMs, cacheScope: 'private' },
      },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: toolsFor(principal) }))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(params.name, params.arguments ?? {}, principal, execute, mcpReq.signal),
  )
  return server
}

/** Serves one message of the older protocol versions, within 25 s. Returns null where no answer is wanted. */
export async function exchange(server: Server, message: Message): Promise<object | null> {
  if (!wantsAnswer(message)) return null
  const answer = Promise.withResolvers<object>()
  const timer = setTimeout(
    () => answer.resolve(errorAnswer(message.id ?? null, rpcCodes.internalError, 'The call took too long.')),
    deadlineMs,
  )
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: async (sent) => {
      if ('id' in sent && !('method' in sent)) answer.resolve(sent)
    },
  }
  await server.connect(transport)
  transport.onmessage?.(message as JSONRPCMessage)
  return answer.promise.finally(() => {
    clearTimeout(timer)
    void server.close()
  })
}
