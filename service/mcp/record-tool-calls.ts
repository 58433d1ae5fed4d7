// Tells of each call of a tool once it is over, for the audit log.
import { ProtocolError, type CallToolResult, type InputRequiredResult } from '@modelcontextprotocol/server'
import { asFault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { rpcCodes } from '#contract/faults/json-rpc.ts'
import { toolNamed } from '#contract/tools/catalogue.ts'
import type { Arguments } from '#contract/tools/tool.ts'
import { refusedWith } from '../mcp-tools/refusal.ts'
import { canonicalHash } from '../text/canonical-json.ts'
import type { McpFeatures } from './features.ts'
import { traceIdOf } from './trace-context.ts'

type Outcome = { readonly outcome: 'success' | 'denied' | 'failed'; readonly code: string | null }
type ToolCallRecord = Outcome & {
  readonly at: Date
  readonly principal: Principal
  readonly tool: string
  readonly argumentsHash: string
  readonly traceId: string | null
}
/** Must not throw. */
export type RecordToolCall = (call: ToolCallRecord) => void

export function withToolCallsRecorded(features: McpFeatures, record: RecordToolCall): McpFeatures {
  const callTool: McpFeatures['callTool'] = async (name, args, exchange, context) => {
    const at = new Date()
    const tool = toolNamed(name)?.name
    const note = (outcome: Outcome) => {
      if (tool === undefined) return
      const traceId = exchange.trace === undefined ? null : traceIdOf(exchange.trace)
      record({
        ...outcome,
        ...{ at, tool, argumentsHash: hashOf(args), traceId },
        principal: exchange.caller.principal,
      })
    }
    try {
      const result = await features.callTool(name, args, exchange, context)
      note(outcomeOf(result))
      return result
    } catch (thrown) {
      note(outcomeOfError(thrown))
      throw thrown
    }
  }
  return { ...features, callTool }
}

const hashOf = (args: Arguments): string => canonicalHash(args).toString('hex')

function outcomeOf(result: CallToolResult | InputRequiredResult): Outcome {
  // A result of the other kind has no content, and is no refusal.
  const code = 'content' in result ? refusedWith(result as CallToolResult) : null
  return { outcome: code === null ? 'success' : 'failed', code }
}

/** A scope that the tool itself needs is refused before any operation. */
function outcomeOfError(thrown: unknown): Outcome {
  if (!(thrown instanceof ProtocolError)) return { outcome: 'failed', code: asFault(thrown).code }
  const { code } = (thrown.data ?? {}) as { readonly code?: string }
  return { outcome: thrown.code === rpcCodes.forbidden ? 'denied' : 'failed', code: code ?? null }
}
