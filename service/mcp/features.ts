// The features that the protocol serves: the product's own, around which the conformance tests add fixtures; and each
// call of a tool is recorded once it is over, for the audit log.
import {
  ProtocolError,
  type CallToolResult,
  type CompleteRequestParams,
  type CompleteResult,
  type GetPromptResult,
  type InputRequiredResult,
  type ListPromptsResult,
  type ListResourceTemplatesResult,
  type ListResourcesResult,
  type ReadResourceResult,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { asFault } from '#contract/faults/fault.ts'
import { rpcCodes } from '#contract/faults/json-rpc.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { toolNamed } from '#contract/tools/catalogue.ts'
import type { Arguments } from '#contract/tools/tool.ts'
import { activeSpan, runInSpan } from '#runtime/tracing/span.ts'
import { traceIdOf } from '#runtime/tracing/trace-context.ts'
import { canonicalHash } from '../text/json.ts'
import { complete } from './context/complete.ts'
import { getPrompt, listPrompts } from './context/prompts.ts'
import { listResources, listResourceTemplates, readResource } from './context/resources.ts'
import { instructions } from './instructions.ts'
import { faultCodeOf } from './tools/fault-result.ts'
import { callTool } from './tools/run-tool.ts'
import type { Exchange } from './tools/runner.ts'
import { toolsFor } from './tools/tool-list.ts'

export type McpFeatures = {
  /** For the model, at `initialize` and `server/discover`. */
  readonly instructions: (exchange: Exchange) => Promise<string>
  readonly listTools: (exchange: Exchange) => Tool[]
  /** The SDK’s context, and results that ask the client for input, are for fixtures alone. */
  readonly callTool: (
    name: string,
    args: Arguments,
    exchange: Exchange,
    context: ServerContext,
  ) => Promise<CallToolResult | InputRequiredResult>
  readonly listResources: (cursor: string | undefined, exchange: Exchange) => Promise<ListResourcesResult>
  readonly listResourceTemplates: (exchange: Exchange) => ListResourceTemplatesResult
  readonly readResource: (uri: string, exchange: Exchange) => Promise<ReadResourceResult>
  readonly listPrompts: (exchange: Exchange) => ListPromptsResult
  readonly getPrompt: (
    name: string,
    args: Readonly<Record<string, string>>,
    exchange: Exchange,
    context: ServerContext,
  ) => Promise<GetPromptResult | InputRequiredResult>
  readonly complete: (params: CompleteRequestParams, exchange: Exchange) => Promise<CompleteResult>
}

type ToolOutcome = { readonly outcome: 'success' | 'denied' | 'failed'; readonly code: string | null }
type ToolCallRecord = ToolOutcome & {
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
    const span = activeSpan()?.child() ?? null
    const note = (outcome: ToolOutcome) => {
      if (tool === undefined) return
      span?.end({
        name: `tools/call ${tool}`,
        kind: 'internal',
        attributes: {
          'mcp.method.name': 'tools/call',
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': tool,
        },
        error: outcome.code,
      })
      const traceId = exchange.trace === undefined ? null : traceIdOf(exchange.trace.traceparent)
      record({
        ...outcome,
        at,
        tool,
        argumentsHash: hashOf(args),
        traceId,
        principal: exchange.caller.principal,
      })
    }
    try {
      const result = await runInSpan(span, () => features.callTool(name, args, exchange, context))
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

function outcomeOf(result: CallToolResult | InputRequiredResult): ToolOutcome {
  // A result of the other kind has no content, and is no refusal.
  const code = 'content' in result ? faultCodeOf(result as CallToolResult) : null
  return { outcome: code === null ? 'success' : 'failed', code }
}

/** A scope that the tool itself needs is refused before any operation. */
function outcomeOfError(thrown: unknown): ToolOutcome {
  if (!(thrown instanceof ProtocolError)) return { outcome: 'failed', code: asFault(thrown).code }
  const { code } = (thrown.data ?? {}) as { readonly code?: string }
  return { outcome: thrown.code === rpcCodes.forbidden ? 'denied' : 'failed', code: code ?? null }
}

export const productFeatures: McpFeatures = {
  instructions,
  listTools: toolsFor,
  callTool,
  listResources,
  listResourceTemplates,
  readResource,
  listPrompts,
  getPrompt,
  complete,
}
