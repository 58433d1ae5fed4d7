// Denied calls are recorded as audit entries: those that gateways report, and those that the service denies itself.
import type { DeniedCall } from '#contract/internal/reports.ts'
import type { Database } from '#prisma/client.ts'
import { newId } from '#runtime/new-id.ts'
import type { Db } from '../execution/handler.ts'
import { append } from './append.ts'
import type { Draft } from './entry.ts'
import { auditedKeys, type AuditedKey } from './audited-key.ts'

/** In a transaction of their own: all or none. */
export const recordDeniedCalls = (db: Database, calls: readonly DeniedCall[]): Promise<void> =>
  db.$transaction((tx) => recordDeniedCallsIn(tx, calls))

/** Calls of a key that does not exist any more are skipped. */
export async function recordDeniedCallsIn(tx: Db, calls: readonly DeniedCall[]): Promise<void> {
  const keys = await auditedKeys(tx, [...new Set(calls.map(({ keyId }) => keyId))], new Date())
  const known = new Map(keys.map((key) => [key.id, key]))
  const drafts = calls.flatMap((call) => draftOf(call, known.get(call.keyId)) ?? [])
  const byWorkspace = [...Map.groupBy(drafts, ({ workspaceId }) => workspaceId)]
  // In the same order in every report, so that two reports cannot deadlock.
  for (const [workspaceId, itsDrafts] of byWorkspace.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await append(tx, workspaceId, itsDrafts)
}

/** Pure. The entry belongs to the workspace that the call named if the key may act there, else to the key's own. */
function draftOf(call: DeniedCall, key: AuditedKey | undefined): Draft | null {
  if (key === undefined) return null
  const { workspaceId: asked, operation, surface, at } = call
  const time = new Date(at)
  return {
    id: newId(time),
    workspaceId: asked !== null && key.workspaceIds.includes(asked) ? asked : key.workspaceId,
    at: time.toISOString(),
    actor: { type: 'api_key', id: key.id, name: key.name, keyPrefix: key.prefix },
    action: operation ?? surface,
    surface,
    target: null,
    outcome: 'denied',
    code: call.code,
    ip: call.ip,
    userAgent: call.userAgent,
    requestId: call.requestId,
    changes: {},
    count: call.count,
  }
}
