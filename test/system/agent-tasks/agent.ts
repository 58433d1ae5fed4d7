// An agent that knows only `tools/list`: its calls, and what they cost a model to write and to read.
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { callTool, type ToolResult } from '../../support/mcp.ts'
import type { Tenant } from '../../support/system.ts'

export type Agent = {
  /** Throws where the tool refuses. */
  readonly call: (tool: string, args?: object) => Promise<ToolResult>
  readonly costs: () => { readonly calls: number; readonly tokens: number }
}

export function agentOf(tenant: Tenant): Agent {
  let calls = 0
  let tokens = 0
  return {
    call: async (tool, args = {}) => {
      const result = await callTool(tenant, tool, args)
      if (result.isError) throw new Error(`${tool}: ${result.text}`)
      calls += 1
      tokens += tokensOf(JSON.stringify({ name: tool, arguments: args })) + tokensOf(result.text)
      return result
    },
    costs: () => ({ calls, tokens }),
  }
}

/** Ids, times and cursors differ from run to run, and so would their tokens. */
const tokensOf = (text: string): number =>
  encode(
    text
      .replaceAll(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g, '0199a7c2-5f00-7b3a-8c41-9d02e6f7a8b5')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-22T09:30:00.000Z'),
  ).length
