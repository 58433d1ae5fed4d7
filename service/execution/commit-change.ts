// How every change is made, whether somebody has called or the service acts by itself: database slot, transaction,
// workspace lock, work, records, commit, notifications.
import type { EventNotification } from '#contract/internal/deliveries.ts'
import type { KeyChange } from '#contract/internal/gateway-endpoints.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Database } from '#prisma/client.ts'
import { rehearse, transact } from '#prisma/transaction.ts'
import { openCall, type RequestContext } from './call.ts'
import type { DatabaseSlots } from './database-slots.ts'
import type { Call, Db } from './handler.ts'
import { recordChange, type Action, type Notifications, type Recorders } from './record-change.ts'
import { acquireWorkspaceLock, withoutLock } from './workspace-lock.ts'

export type ChangeParts = Recorders & {
  readonly db: Database
  readonly slots: Pick<DatabaseSlots, 'change'>
  /** Both are called after the commit and must not throw. */
  readonly notifyEvents: (notifications: readonly EventNotification[]) => void
  readonly notifyKeyChange: (change: KeyChange) => void
}

/** For what holds a database slot already: it waits for no second one. */
export const onHeldSlot = (parts: ChangeParts): ChangeParts => ({
  ...parts,
  slots: { change: (_caller, _signal, run) => run() },
})

type Caller = {
  readonly principal: Principal
  /** Left out where the service acts by itself. */
  readonly operation?: Action
  /** Aborted when the caller has gone: then the change is undone, unless its commit has begun. */
  readonly signal?: AbortSignal | undefined
  readonly dryRun?: boolean | undefined
}

/** Runs `work` in a transaction and, once that is committed, notifies of what it has changed. A dry run is rolled back. */
export async function commitChange<T extends Notifications>(
  parts: ChangeParts,
  { principal, operation, signal, dryRun = false }: Caller,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const run = dryRun ? rehearse : transact
  const done = await parts.slots.change({ ...principal, work: operation?.name ?? '' }, signal, () =>
    run(parts.db, work, signal),
  )
  if (dryRun) return done
  parts.notifyEvents(done.notifications)
  done.keyChanges.forEach(parts.notifyKeyChange)
  return done
}

export type Change = {
  readonly principal: Principal
  /** The workspace to lock; null for what is outside of any. */
  readonly workspaceId: string | null
  /** Null where the audit log has no entry for it. */
  readonly action: Action | null
  readonly context?: Partial<RequestContext>
}
export type Changed<T> = Notifications & { readonly result: T; readonly created: boolean }

/** Runs `work` under the workspace lock and records what it has changed, in the transaction that it is given. */
export async function runChange<T>(
  recorders: Recorders,
  tx: Db,
  { principal, workspaceId, action, context = {} }: Change,
  work: (call: Call) => Promise<T>,
): Promise<Changed<T>> {
  const snapshot = workspaceId === null ? withoutLock() : await acquireWorkspaceLock(tx, workspaceId)
  const { call, outcome, recorded } = openCall(tx, principal, snapshot, context)
  const result = await work(call)
  return { result, ...outcome, ...(await recordChange(recorders, tx, action, recorded, call)) }
}
