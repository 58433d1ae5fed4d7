// Progress of a tool call, for the clients that ask for it by a token and take a stream of events. Versions before
// 2026-07-28 are answered with JSON alone.
import type { IncomingHttpHeaders } from 'node:http'
import type { ServerContext } from '@modelcontextprotocol/server'
import type { Exchange } from '../mcp-tools/exchange.ts'

/** Callers that name no type take any. */
export function takesEventStream({ accept }: IncomingHttpHeaders): boolean {
  return accept === undefined || /text\/event-stream|text\/\*|\*\/\*/i.test(accept)
}

/** Undefined where nobody asks for progress. */
export function progressOf({ mcpReq }: ServerContext): Exchange['onProgress'] {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  let last = Number.NEGATIVE_INFINITY
  return (progress, total) => {
    // Clients may rely on it that progress never stands still or goes back.
    if (progress <= last) return
    last = progress
    const params = { progressToken, progress, total }
    // Refused when the result is out or the client has gone: nobody is interested any more.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}
