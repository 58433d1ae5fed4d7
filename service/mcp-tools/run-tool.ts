// One call of a tool: is it there, may the key use it, are its arguments valid; then its runner. What is refused becomes a
// result that the model can correct, unless the protocol has an error for it.
import { ProtocolError, type CallToolResult } from '@modelcontextprotocol/server'
import { Fault, insufficientScope } from '#contract/faults/fault.ts'
import { rpcCodes } from '#contract/faults/json-rpc.ts'
import { covers } from '#contract/scopes.ts'
import { toolNamed, tools } from '#contract/tools/catalogue.ts'
import { readArguments, type ParseJson } from '#contract/tools/lenient-arguments.ts'
import { inNaming } from '#contract/tools/names.ts'
import { scopeOfCall, type Arguments, type Tool } from '#contract/tools/tool.ts'
import { parseJson } from '../text/parse-json.ts'
import { didYouMean } from '../text/suggestion.ts'
import type { Caller, Exchange } from './exchange.ts'
import { refusal } from './refusal.ts'
import type { ToolAnswer } from './runner.ts'
import { runners } from './runners.ts'
import { isShown } from './tool-list.ts'
import { assertArguments } from './validate-arguments.ts'

/** Throws ProtocolError for a tool that does not exist and for a scope that the key lacks; and what is no refusal. */
export async function callTool(name: string, args: Arguments, exchange: Exchange): Promise<CallToolResult> {
  const tool = toolNamed(name) ?? unknownTool(name, exchange.caller)
  assertScope(tool, args, exchange.caller)
  try {
    assertShown(tool, exchange.caller)
    const { args: read, warnings } = readArguments(tool, args, parsedOrUndefined)
    assertArguments(tool, read)
    return result(await runners[tool.name](read, exchange), warnings, exchange.caller)
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    return refusal(thrown, tool, exchange.caller)
  }
}

function result(
  { structured, text, isError }: ToolAnswer,
  warnings: readonly string[],
  { hasStructuredContent }: Caller,
): CallToolResult {
  const told = warnings.length === 0 ? {} : { warnings }
  const lines = warnings.map((warning) => `warning: ${warning}`)
  return {
    content: [{ type: 'text', text: [text, ...lines].join('\n') }],
    ...(hasStructuredContent && { structuredContent: { ...structured, ...told } }),
    ...(isError && { isError }),
  }
}

/** What could only be read by guessing, such as a name that stands twice, is no JSON here. */
const parsedOrUndefined: ParseJson = (text) => {
  try {
    return parseJson(Buffer.from(text))
  } catch {
    return undefined
  }
}

function unknownTool(name: string, { naming }: Caller): never {
  const names = tools.map((tool) => inNaming(naming, tool.name))
  throw new ProtocolError(rpcCodes.invalidParams, `Unknown tool: ${name.slice(0, 100)}.${didYouMean(name, names)}`)
}

function assertScope(tool: Tool, args: Arguments, { principal }: Caller): void {
  const needed = scopeOfCall(tool, args)
  if (needed === null || covers(principal.scopes, needed)) return
  const { code, message, members } = insufficientScope(needed)
  const data = { code, detail: message, requestId: principal.requestId, ...members }
  throw new ProtocolError(rpcCodes.forbidden, message, data)
}

function assertShown(tool: Tool, caller: Caller): void {
  if (isShown(tool, caller)) return
  const header = caller.isReadonly && !tool.hints.readOnly ? 'x-mcp-readonly' : 'x-mcp-toolsets'
  throw new Fault(
    'tool_disabled',
    `The header \`${header}\` of this connection leaves \`${inNaming(caller.naming, tool.name)}\` out.`,
    {
      header,
    },
  )
}
