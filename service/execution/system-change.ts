// What the service does of its own accord: a change like any other, in its workspace's turn, with its events and audit
// entry, only that nobody has called.
import { v7 as uuid } from 'uuid'
import type { Event, EventNotice } from '#contract/event-envelope.ts'
import type { Principal } from '#contract/principal.ts'
import type { Database } from '#prisma/client.ts'
import { transact } from '#prisma/transaction.ts'
import { record as recordAudit } from '../audit/record-changes.ts'
import { beginCall } from './call.ts'
import type { Access } from './database-slots.ts'
import type { Call, Db } from './handler.ts'
import { record } from '../outbox/record-events.ts'
import { takeTurn } from './workspace-lock.ts'

export type SystemParts = {
  readonly db: Database
  readonly access: Pick<Access, 'change'>
  /** Called after the commit; must not throw. */
  readonly announceEvents: (notices: readonly EventNotice[]) => void
}

/** `action` is what the audit log calls it, where it is for the log. Where `act` emits nothing, nothing has happened. */
export async function actAsSystem<E extends Event>(
  { db, access, announceEvents }: SystemParts,
  workspaceId: string,
  action: E['type'] | null,
  act: (call: Call<E>) => Promise<void>,
): Promise<boolean> {
  const principal = principalOf(workspaceId)
  const acted = async (tx: Db) => {
    const { call, emissions } = beginCall(tx, principal, await takeTurn(tx, workspaceId))
    await act(call)
    if (action !== null) await recordAudit(tx, { name: action }, emissions, call)
    return record(tx, emissions, call)
  }
  const notices = await access.change(principal, undefined, () => transact(db, acted))
  announceEvents(notices)
  return notices.length > 0
}

/** Does it for each, one after the other. One that fails keeps none of the others back: it is thrown when all have been tried. */
export async function forEach<T>(all: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = []
  for (const one of all) await act(one).catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${all.length} failed`)
}

const principalOf = (workspaceId: string): Principal => ({
  kind: 'operator',
  id: 'system',
  name: 'System',
  workspaceId,
  scopes: [],
  surface: 'internal',
  requestId: uuid(),
  clientAddress: '',
  quota: null,
})
