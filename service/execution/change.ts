// The way of every change, of a caller or of the service itself: database slot, transaction, workspace lock, work,
// records, commit, notifications. Events with their outbox rows, audit entries and changes of keys are recorded in its
// own transaction, by the recorders that are handed in (service/handlers.ts).
import type { Event } from '#contract/event.ts'
import type { EventNotification } from '#contract/internal/deliveries.ts'
import type { KeyChange } from '#contract/internal/gateway-endpoints.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Operation } from '#contract/operation.ts'
import type { Database } from '#prisma/client.ts'
import { marksOf, transactAndRollBack, transact, withoutWaiting } from '#prisma/transaction.ts'
import { newId } from '#runtime/new-id.ts'
import type { Span } from '#runtime/tracing/span.ts'
import {
  openCall,
  withoutLock,
  type CallContext,
  type Call,
  type Db,
  type EmittedEvent,
  type AuditedChange,
  type Recorded,
} from './call.ts'
import type { DatabaseSlots } from './database-slots.ts'
import { markChanged } from './rows.ts'
import { acquireWorkspaceLock } from './workspace-lock.ts'

export type ChangeDeps = Recorders & {
  readonly db: Database
  readonly slots: Pick<DatabaseSlots, 'change'>
  /** Both are called after the commit and must not throw. */
  readonly notifyEvents: (notifications: readonly RecordedEvent[]) => void
  readonly notifyKeyChange: (change: KeyChange) => void
}

/** For what holds a database slot already: it waits for no second one. */
export const onHeldSlot = (parts: ChangeDeps): ChangeDeps => ({
  ...parts,
  slots: { change: (_caller, _signal, run) => run() },
})

type ChangeCaller = {
  readonly principal: Principal
  /** Left out where the service acts by itself. */
  readonly operation?: Action
  /** Aborted when the caller has gone: then the change is undone, unless its commit has begun. */
  readonly signal?: AbortSignal | undefined
  readonly dryRun?: boolean | undefined
}

/**
 * Runs `work` in a transaction and, once that is committed, notifies of what it has changed. A dry run is rolled back.
 */
export async function commitChange<T extends Notifications>(
  parts: ChangeDeps,
  { principal, operation, signal, dryRun = false }: ChangeCaller,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const run = dryRun ? transactAndRollBack : transact
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
  /** What the audit log calls the imports of a change that has no entry otherwise. */
  readonly importing?: Action
  readonly context?: Partial<CallContext>
}
export type Changed<T> = Notifications & { readonly result: T; readonly created: boolean }

/** Runs `work` under the workspace lock and records what it has changed, in the transaction that it is given. */
export async function runChange<T>(
  recorders: Recorders,
  tx: Db,
  { principal, workspaceId, action, importing, context = {} }: Change,
  work: (call: Call) => Promise<T>,
): Promise<Changed<T>> {
  const snapshot = workspaceId === null ? withoutLock() : await acquireWorkspaceLock(tx, workspaceId)
  const { call, outcome, recorded } = openCall(tx, principal, snapshot, context)
  const before = marksOf(tx)
  const result = await work(call)
  if (workspaceId !== null && recorded.events.length === 0 && marksOf(tx) !== before)
    withoutWaiting(tx, markChanged(tx, workspaceId))
  return { result, ...outcome, ...(await recordChange(recorders, tx, { action, importing }, recorded, call)) }
}

/** The name by which the audit log calls a change. */
export type Action = Pick<Operation, 'name'>

export type Recorders = {
  /** Returns a notification of each event, for the dispatcher. */
  readonly recordEvents: (tx: Db, events: readonly EmittedEvent[], call: Call) => Promise<RecordedEvent[]>
  readonly recordAlarms: (tx: Db, events: readonly EmittedEvent[], workspaceId: string) => Promise<void>
  readonly recordAudit: (tx: Db, action: Action, changes: readonly AuditedChange[], call: Call) => Promise<void>
  readonly recordKeyChanges: (tx: Db, changes: readonly KeyChange[]) => Promise<void>
}

/** An event that was recorded, with the trace that it is stored with. */
export type RecordedEvent = EventNotification & {
  readonly traceparent: string
  /** Of the change; null where none is recorded. */
  readonly span: Span | null
}

/** For others, once the change is committed. */
export type Notifications = {
  readonly notifications: readonly RecordedEvent[]
  readonly keyChanges: readonly KeyChange[]
}

async function recordChange(
  { recordEvents, recordAlarms, recordAudit, recordKeyChanges }: Recorders,
  tx: Db,
  { action, importing }: Pick<Change, 'action'> & { readonly importing: Action | undefined },
  { events, audited, keyChanges }: Recorded,
  call: Call,
): Promise<Notifications> {
  const notifications = await recordEvents(tx, events, call)
  await recordAlarms(tx, events, call.workspaceId)
  if (action !== null) await recordAudit(tx, action, audited.length > 0 ? audited : events, call)
  const imported = importing === undefined ? null : importIn(events)
  if (importing !== undefined && imported !== null) await recordAudit(tx, importing, [imported], call)
  await recordKeyChanges(tx, keyChanges)
  return { notifications, keyChanges }
}

/** What a call has imported, as one change: the object, where it is one, and how many were created and updated. */
function importIn(events: readonly EmittedEvent[]): AuditedChange | null {
  const imports = events.filter(({ origin }) => origin === 'import')
  const [first] = imports
  if (first === undefined) return null
  const updated = imports.filter(({ before }) => before !== undefined).length
  const { id, object } = first.after as { readonly id: string; readonly object: string }
  const after = { ...(imports.length === 1 && { id, object }), created: imports.length - updated, updated }
  return { after, before: undefined }
}

/**
 * Makes a change of the service's own accord. `action` is what the audit log calls it; null where the log has no entry
 * for it. Returns whether `act` has emitted anything: otherwise nothing has happened.
 */
export async function changeAsSystem<E extends Event>(
  parts: ChangeDeps,
  workspaceId: string,
  action: E['type'] | null,
  act: (call: Call<E>) => Promise<void>,
): Promise<boolean> {
  const principal = systemIn(workspaceId)
  const change = { principal, workspaceId, action: action === null ? null : { name: action } }
  const { notifications } = await commitChange(parts, { principal }, (tx) => runChange(parts, tx, change, act))
  return notifications.length > 0
}

/** Acts on one after the other. One that fails keeps none of the others back: it is thrown when all have been tried. */
export async function attemptEach<T>(all: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = []
  for (const one of all) await act(one).catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${all.length} failed`)
}

const systemIn = (workspaceId: string): Principal => ({
  kind: 'operator',
  id: 'system',
  name: 'System',
  workspaceId,
  scopes: [],
  surface: 'internal',
  requestId: newId(),
  clientAddress: '',
  quota: null,
})
