// W3C Trace Context of a message, which MCP carries in `_meta`. What is not of its form is ignored, as the standard asks.
import { TRACEPARENT_META_KEY, TRACESTATE_META_KEY } from '@modelcontextprotocol/server'
import type { TraceContext } from '../mcp-tools/exchange.ts'
import type { Message } from './json-rpc-messages.ts'

const traceparentForm = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/
const tracestateForm = /^[\u{20}-\u{7e}]{1,512}$/u

export function traceContextOf({ params }: Message): TraceContext | undefined {
  const { _meta: meta } = (params ?? {}) as { readonly _meta?: Readonly<Record<string, unknown>> }
  const traceparent = meta?.[TRACEPARENT_META_KEY]
  const tracestate = meta?.[TRACESTATE_META_KEY]
  if (typeof traceparent !== 'string' || !traceparentForm.test(traceparent)) return undefined
  const hasState = typeof tracestate === 'string' && tracestateForm.test(tracestate)
  return { traceparent, ...(hasState && { tracestate }) }
}

/** The trace without the span: 32 hexadecimal digits. */
export const traceIdOf = ({ traceparent }: TraceContext): string => traceparent.slice(3, 35)
