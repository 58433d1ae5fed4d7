// Calls of MCP tools are written to the audit log after their answers, which they neither delay nor fail. They are
// gathered for a second, and written in short transactions, so that no change of the workspace waits long for its chain.
// Those beyond the bound, and those whose writing fails, are dropped and passed to `onLost`.
import type { Principal } from '#contract/internal/principal.ts'
import { batcher } from '#runtime/batcher.ts'
import type { Part } from '#runtime/process.ts'
import { isDenial } from './denied-call-queue.ts'

export type ToolCall = {
  readonly at: Date
  readonly principal: Principal
  readonly tool: string
  /** Hex of SHA-256 over the canonical JSON of the arguments, which themselves are never kept. */
  readonly argumentsHash: string
  readonly outcome: 'success' | 'denied' | 'failed'
  /** Why it was refused. */
  readonly code: string | null
  /** Of the client's trace context. */
  readonly traceId: string | null
}
/** Returns how many could not be written. */
export type WriteToolCalls = (calls: readonly ToolCall[], onError: (error: unknown) => void) => Promise<number>
export type ToolCallQueue = Part & { record(call: ToolCall): void; size(): number }

const waitMs = 1_000
const waitingMax = 5_000
const callsPerWrite = 200

export function toolCallQueue(write: WriteToolCalls, onLost: (count: number, error?: unknown) => void): ToolCallQueue {
  const queue = batcher<ToolCall>({
    start: { waitMs },
    maxItems: callsPerWrite,
    maxWaiting: waitingMax,
    onDropped: (calls) => onLost(calls.length),
    flush: async (calls) => {
      let cause: unknown
      const lost = await write(calls, (error) => (cause = error))
      if (lost > 0) onLost(lost, cause)
    },
    onError: (error, calls) => {
      onLost(calls.length, error)
      return 'drop'
    },
  })
  const record = (call: ToolCall) => void (isRecordedAnyway(call) || queue.add(call))
  return { record, size: queue.size, close: queue.flush }
}

/** An operation has denied it to the key: that is an entry already. */
const isRecordedAnyway = ({ outcome, code }: ToolCall): boolean =>
  outcome === 'failed' && code !== null && isDenial(code)
