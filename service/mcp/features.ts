// What the protocol serves. The product's own features are put together in `product-features.ts`; the conformance tests
// add fixtures around them.
import type {
  CallToolResult,
  CompleteRequestParams,
  CompleteResult,
  GetPromptResult,
  InputRequiredResult,
  ListPromptsResult,
  ListResourceTemplatesResult,
  ListResourcesResult,
  ReadResourceResult,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server'
import type { Arguments } from '#contract/tools/tool.ts'
import type { Exchange } from '../mcp-tools/exchange.ts'

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
