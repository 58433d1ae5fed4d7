// One call of a tool: is it there, may the key use it, are its arguments valid; then its runner. A refusal becomes a
// result that the model can correct, unless the protocol has an error for it.
import { ProtocolError, type CallToolResult } from '@modelcontextprotocol/server'
import { Fault, insufficientScope } from '#contract/faults/fault.ts'
import { rpcCodes } from '#contract/faults/json-rpc.ts'
import { covers } from '#contract/scopes.ts'
import { toolNamed, tools } from '#contract/tools/catalogue.ts'
import { readArguments, type ParseJson } from '#contract/tools/lenient-arguments.ts'
import { inNaming } from '#contract/tools/names.ts'
import { scopeOfCall, type Arguments, type Tool, type ToolName } from '#contract/tools/tool.ts'
import { parseJson } from '../../text/parse-json.ts'
import { didYouMean } from '../../validation/unknown-field.ts'
import { assertArguments } from './arguments.ts'
import { runChanges } from './changes.ts'
import { crmEntityRunners, documentRunners, projectRunners, taskRunners } from './collections.ts'
import { runCommentsCreate, runCommentsList } from './comments.ts'
import { runGetDocument, runUpdateDocument } from './documents.ts'
import { runBulk, runCount, runDelete, runRestore } from './objects.ts'
import { faultResult } from './fault-result.ts'
import type { Caller, Exchange, ToolAnswer, Runner } from './runner.ts'
import { runSearch } from './search.ts'
import { isShown } from './tool-list.ts'
import { runWhoami } from './whoami.ts'

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
    return faultResult(thrown, tool, exchange.caller)
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

/** Text that could only be read by guessing, such as a name that stands twice, is no JSON here. */
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
    `The header \`${header}\` excludes the tool \`${inNaming(caller.naming, tool.name)}\`.`,
    {
      header,
    },
  )
}

/** The runner that does the work of each tool: a tool without one does not compile. */
export const runners: Readonly<Record<ToolName, Runner>> = {
  ...crmEntityRunners,
  ...documentRunners,
  'documents.get': runGetDocument,
  'documents.update': runUpdateDocument,
  ...projectRunners,
  ...taskRunners,
  'objects.bulk': runBulk,
  'objects.count': runCount,
  'objects.delete': runDelete,
  'objects.restore': runRestore,
  'comments.create': runCommentsCreate,
  'comments.list': runCommentsList,
  'changes.list': runChanges,
  'search.query': runSearch,
  whoami: runWhoami,
}
