// The work of a tool: its runner is given the exchange with an MCP client (who calls, what of the server it wants to
// see, and how its calls reach the operations), calls operations, and returns their answer for a model.
import type { Principal } from '#contract/internal/principal.ts'
import type { Input, Operation, Output } from '#contract/operation.ts'
import type { Toolset, Arguments } from '#contract/tools/tool.ts'
import type { Execute, Answer, OperationRequest } from '../../execution/call.ts'

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

/**
 * The bytes of a file, and the type that they are answered as. The caller has been shown the file, and it is small
 * enough. Throws `not_found` and `file_not_available`.
 */
export type ReadFile = (
  id: string,
  reader: { readonly caller: Pick<Caller, 'principal'>; readonly signal: AbortSignal },
) => Promise<{ readonly type: string; readonly bytes: Buffer }>

export type Exchange = {
  readonly caller: Caller
  readonly execute: Execute
  readonly readFile: ReadFile
  /** Aborted when the client has gone, has cancelled, or the deadline has passed. */
  readonly signal: AbortSignal
  readonly trace?: TraceContext
  /** Set when the client has asked for progress and its protocol version can be sent it. */
  readonly onProgress?: (done: number, total: number) => void
}

export type ToolAnswer = {
  /** Compact JSON, for clients whose protocol version has it. */
  readonly structured: Readonly<Record<string, unknown>>
  /** The same facts as Markdown, for models. */
  readonly text: string
  /** Nothing was done, and the text says why. */
  readonly isError?: true
}

/** `args` are validated against the tool's input. A Fault that it throws is answered as a refusal. */
export type Runner = (args: Arguments, exchange: Exchange) => Promise<ToolAnswer>

/** Calls an operation on behalf of a tool's caller. `input` is validated by the operation. */
type CallOptions = Pick<OperationRequest, 'idempotencyKey' | 'dryRun' | 'onProgress'>

export type AnsweredBy<P extends Operation> = Omit<Answer, 'body'> & { readonly body: Output<P> }

export async function callOperation<P extends Operation>(
  operation: P,
  input: Input<P> | Readonly<Record<string, unknown>>,
  { caller, execute, signal }: Exchange,
  options: CallOptions = {},
): Promise<AnsweredBy<P>> {
  const { body, ...rest } = await execute({ operation, input, principal: caller.principal, signal, ...options })
  // `execute` has validated the body against the operation's output.
  return { ...rest, body: body as Output<P> }
}
