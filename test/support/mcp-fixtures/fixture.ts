// How the fixtures of the conformance suite are declared. Their names and what they return are the suite's.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
  type GetPromptResult,
  type InputRequiredResult,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import type { Exchange } from '../../../service/mcp/tools/runner.ts'

export type FixtureCall = {
  readonly args: Readonly<Record<string, unknown>>
  readonly exchange: Exchange
  readonly context: ServerContext
}
export type FixtureTool = {
  readonly inputSchema?: Tool['inputSchema']
  readonly run: (call: FixtureCall) => Promise<CallToolResult | InputRequiredResult>
}
export type FixturePrompt = {
  /** All of them required. */
  readonly args?: readonly string[]
  readonly get: (
    args: Readonly<Record<string, string>>,
    context: ServerContext,
  ) => Promise<GetPromptResult | InputRequiredResult>
}

/** A PNG of one pixel, and a WAV file without samples. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='

export const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] })

/**
 * What the client has said that it can do. The published type of the envelope is empty; the SDK has checked this key.
 */
export function capabilitiesIn({ mcpReq }: ServerContext): ClientCapabilities {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {}
  return envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}
}
