// Refused calls as audit entries: those that gateways report, and those that the service refuses itself.
import { v7 as uuid } from 'uuid'
import type { DeniedCall } from '#contract/internal/gateway-reports.ts'
import type { Database } from '#prisma/client.ts'
import type { Db } from '../execution/handler.ts'
import { append } from './append.ts'
import type { Draft } from './entry.ts'
import { keysOf, type AuditedKey } from './audited-key.ts'

/** All or none. */
export const recordDenials = (db: Database, denials: readonly DeniedCall[]): Promise<void> =>
  db.$transaction((tx) => recordDenialsIn(tx, denials))

/** Denials of a key that is unknown are passed over. */
export async function recordDenialsIn(tx: Db, denials: readonly DeniedCall[]): Promise<void> {
  const keys = await keysOf(tx, [...new Set(denials.map(({ keyId }) => keyId))], new Date())
  const known = new Map(keys.map((key) => [key.id, key]))
  const drafts = denials.flatMap((denial) => draftOf(denial, known.get(denial.keyId)) ?? [])
  const byWorkspace = [...Map.groupBy(drafts, ({ workspaceId }) => workspaceId)]
  // In one order in every report: two of them cannot hold what the other waits for.
  for (const [workspaceId, its] of byWorkspace.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await append(tx, workspaceId, its)
}

/** Pure. In the workspace that was asked for if that is one of the key's own, else in the one that made the key. */
function draftOf(denial: DeniedCall, key: AuditedKey | undefined): Draft | null {
  if (key === undefined) return null
  const { workspaceId: asked, operation, surface, at } = denial
  const msecs = Date.parse(at)
  return {
    id: uuid({ msecs }),
    workspaceId: asked !== null && key.workspaceIds.includes(asked) ? asked : key.workspaceId,
    at: new Date(msecs).toISOString(),
    actor: { type: 'api_key', id: key.id, name: key.name, keyPrefix: key.prefix },
    action: operation ?? surface,
    surface,
    target: null,
    outcome: 'denied',
    code: denial.code,
    ip: denial.ip,
    userAgent: denial.userAgent,
    requestId: denial.requestId,
    changes: {},
    count: denial.count,
  }
}
