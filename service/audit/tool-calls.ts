// Calls of MCP tools as audit entries. They are written after their answers, which they neither delay nor fail:
// gathered for a second, in short transactions, so that no change of the workspace waits long for its chain. Calls
// beyond the bound, and those that cannot be written, are dropped and passed to `onLost`.
import type { Principal } from '#contract/internal/principal.ts'
import type { Database } from '#prisma/client.ts'
import { batcher } from '#runtime/batcher.ts'
import { newId } from '#runtime/new-id.ts'
import type { Part } from '#runtime/process.ts'
import { isDenial } from './denied-calls.ts'
import { appendEach, auditedKeys, type AuditedKey } from './rows.ts'
import type { Draft } from './rules.ts'

export type ToolCall = {
  readonly at: Date
  readonly principal: Principal
  readonly tool: string
  /** Hex of SHA-256 over the canonical JSON of the arguments, which are never stored. */
  readonly argumentsHash: string
  readonly outcome: 'success' | 'denied' | 'failed'
  /** The code of the fault. */
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
  const record = (call: ToolCall): void => {
    if (!isRecordedAnyway(call)) queue.add(call)
  }
  return { record, size: queue.size, close: queue.flush }
}

/** An operation has denied the call, which has an entry as that already. */
const isRecordedAnyway = ({ outcome, code }: ToolCall): boolean =>
  outcome === 'failed' && code !== null && isDenial(code)

/** One transaction per workspace: when one fails, the others are written. Skips calls of keys that no longer exist. */
export const writeToolCalls =
  (db: Database): WriteToolCalls =>
  async (calls, onError) => {
    const ids = new Set(calls.map(({ principal }) => principal.id))
    const keys = await auditedKeys(db, [...ids], new Date())
    const known = new Map(keys.map((key) => [key.id, key]))
    const drafts = calls.flatMap((call) => draftOf(call, known.get(call.principal.id)) ?? [])
    return await appendEach(db, drafts, onError)
  }

/** Pure. The gateway has checked that the key may act in the workspace of the call. */
function draftOf(call: ToolCall, key: AuditedKey | undefined): Draft | null {
  if (key === undefined) return null
  const { at, principal, tool, traceId, ...outcome } = call
  const { workspaceId, clientAddress, userAgent = null, requestId } = principal
  return {
    id: newId(at),
    workspaceId: workspaceId ?? key.workspaceId,
    at: at.toISOString(),
    actor: { type: 'api_key', id: key.id, name: key.name, keyPrefix: key.prefix },
    action: 'tools.call',
    surface: 'mcp',
    target: { type: 'tool', id: tool, name: null },
    ip: clientAddress === '' ? null : clientAddress,
    userAgent,
    requestId,
    changes: {},
    count: 1,
    ...outcome,
    ...(traceId !== null && { traceId }),
  }
}
