// MCP tools are the operations of the API that declare `tool`. A caller sees those that its scopes allow.
import { ProtocolError, type CallToolResult, type Tool } from '@modelcontextprotocol/server'
import { operations } from '#contract/api.ts'
import { asFault, type Fault } from '#contract/fault.ts'
import { rpcCodes } from '#contract/json-rpc-errors.ts'
import { methodOf, type Operation } from '#contract/operation.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Arguments } from '#contract/tools/tool.ts'
import { covers } from '#contract/scopes.ts'
import type { Exchange } from '../mcp-tools/exchange.ts'

const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'The same call with the same key acts once and is answered alike for 24 hours.',
}

const tools = new Map(
  operations.flatMap((operation) =>
    operation.tool && operation.audiences.includes('api')
      ? [[operation.name, { operation, described: describe(operation) }]]
      : [],
  ),
)

const mayUse = ({ scope }: Operation, { scopes }: Principal): boolean => scope === null || covers(scopes, scope)

export const toolsFor = (principal: Principal): Tool[] =>
  [...tools.values()].filter(({ operation }) => mayUse(operation, principal)).map(({ described }) => described)

/** The operation that a single message calls, for the log. Null for other messages and for unknown names. */
export function operationIn(message: unknown): string | null {
  const { method, params } = (message ?? {}) as {
    readonly method?: unknown
    readonly params?: { name?: unknown } | null
  }
  const name = params?.name
  return method === 'tools/call' && typeof name === 'string' && tools.has(name) ? name : null
}

export async function callTool(
  name: string,
  given: Arguments,
  { caller: { principal }, execute, signal }: Exchange,
): Promise<CallToolResult> {
  const tool = tools.get(name)
  if (tool === undefined) throw new ProtocolError(rpcCodes.invalidParams, `Unknown tool: ${name}`)
  const { key, input } = split(tool.operation, given)
  try {
    const { body } = await execute({ operation: tool.operation, input, principal, idempotencyKey: key, signal })
    return {
      content: [{ type: 'text', text: JSON.stringify(body) }],
      structuredContent: body as Record<string, unknown>,
    }
  } catch (thrown) {
    return refused(asFault(thrown), principal)
  }
}

/** A missing scope is a protocol error; any other refusal is a result, for the model to read and correct. */
function refused(fault: Fault, { requestId }: Principal): CallToolResult {
  const problem = { code: fault.code, detail: fault.message, requestId, ...fault.members }
  if (fault.code === 'insufficient_scope') throw new ProtocolError(rpcCodes.forbidden, fault.message, problem)
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(problem) }] }
}

/** The Idempotency-Key, a header over HTTP, is an argument here. */
function split(operation: Operation, given: Arguments): { key?: string; input: Arguments } {
  const { idempotencyKey: key, ...input } = given
  return methodOf(operation) === 'POST' && key !== undefined
    ? { key: typeof key === 'string' ? key : JSON.stringify(key), input }
    : { input: given }
}

function describe(operation: Operation): Tool {
  const { name, summary, description, input, output, tool } = operation
  const reads = methodOf(operation) === 'GET'
  return {
    name,
    title: summary,
    description,
    inputSchema: {
      ...input,
      properties: { ...input.properties, ...(methodOf(operation) === 'POST' && { idempotencyKey }) },
    },
    outputSchema: output as Tool['outputSchema'],
    annotations: {
      readOnlyHint: reads,
      destructiveHint: tool?.destructive ?? false,
      idempotentHint: tool?.idempotent ?? false,
      openWorldHint: false,
    },
  }
}
