// Calls of MCP tools as audit entries.
import type { Database } from '#prisma/client.ts'
import { newId } from '#runtime/new-id.ts'
import { appendEach } from './append.ts'
import { auditedKeys, type AuditedKey } from './audited-key.ts'
import type { Draft } from './entry.ts'
import type { ToolCall, WriteToolCalls } from './tool-call-queue.ts'

/** A transaction for each workspace: where one fails, the others are written. Calls of a key that is gone are skipped. */
export const writeToolCalls =
  (db: Database): WriteToolCalls =>
  async (calls, onError) => {
    const ids = new Set(calls.map(({ principal }) => principal.id))
    const keys = await auditedKeys(db, [...ids], new Date())
    const known = new Map(keys.map((key) => [key.id, key]))
    const drafts = calls.flatMap((call) => draftOf(call, known.get(call.principal.id)) ?? [])
    return await appendEach(db, drafts, onError)
  }

/** Pure. The gateway has judged that the key may act in the workspace that its call names. */
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
