// What does the work of a tool: calls of operations, and their answer for a model.
import type { Arguments } from '#contract/tools/tool.ts'
import type { Exchange } from './exchange.ts'

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
