// One exchange with an MCP client: who calls, what of the server it wants to see, and how its calls reach the operations.
import type { Principal } from '#contract/internal/principal.ts'
import type { Toolset } from '#contract/tools/tool.ts'
import type { Execute } from '../execution/operation-request.ts'

export type Caller = {
  readonly principal: Principal
  /** `x-mcp-readonly`: tools that change something are neither listed nor served. */
  readonly isReadonly: boolean
  /** `x-mcp-toolsets`; null: all. */
  readonly toolsets: ReadonlySet<Toolset> | null
  /** How tools are listed; calls may use either. */
  readonly naming: 'dots' | 'underscores'
  /** The client's protocol version has `structuredContent`. */
  readonly hasStructuredContent: boolean
}

/** W3C Trace Context, as the client has sent it. */
export type TraceContext = { readonly traceparent: string; readonly tracestate?: string }

export type Exchange = {
  readonly caller: Caller
  readonly execute: Execute
  /** Aborted when the client has gone, has cancelled, or the deadline has passed. */
  readonly signal: AbortSignal
  readonly trace?: TraceContext
  /** Set when the client has asked for progress and its protocol version can be sent it. */
  readonly onProgress?: (done: number, total: number) => void
}
