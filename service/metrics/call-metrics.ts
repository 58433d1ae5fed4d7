// What is counted of each request and of each call of a tool when it is over.
import { durationsBy, tally } from '#runtime/metrics/metric.ts'

type Request = {
  readonly operation: string
  readonly surface: string | null
  readonly status: number
  readonly code: string | null
  readonly ms: number
}
type ToolCall = { readonly tool: string; readonly outcome: string; readonly code: string | null; readonly at: Date }

export function callMetrics() {
  const requests = tally(['operation', 'surface', 'status', 'code'])
  const durations = durationsBy(['operation', 'surface', 'status'])
  const toolCalls = tally(['tool', 'outcome', 'code'])
  const toolDurations = durationsBy(['tool'])
  return {
    onRequest: ({ operation, surface, status, code, ms }: Request): void => {
      const labels = { operation, surface: surface ?? 'none', status: `${Math.floor(status / 100)}xx` }
      requests.add({ ...labels, code: code ?? '' })
      durations.observe(labels, ms / 1_000)
    },
    onToolCall: ({ tool, outcome, code, at }: ToolCall): void => {
      toolCalls.add({ tool, outcome, code: code ?? '' })
      toolDurations.observe({ tool }, (Date.now() - at.getTime()) / 1_000)
    },
    ...{ requests, durations, toolCalls, toolDurations },
  }
}
