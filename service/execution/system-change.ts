// What the service does of its own accord: a change like any other, only that nobody has called.
import type { Event } from '#contract/event.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { newId } from '#runtime/new-id.ts'
import { commitChange, runChange, type ChangeParts } from './commit-change.ts'
import type { Call } from './handler.ts'

/**
 * `action` is what the audit log calls it; null where the log has no entry for it. Returns whether `act` has emitted
 * anything: otherwise nothing has happened.
 */
export async function changeAsSystem<E extends Event>(
  parts: ChangeParts,
  workspaceId: string,
  action: E['type'] | null,
  act: (call: Call<E>) => Promise<void>,
): Promise<boolean> {
  const principal = systemIn(workspaceId)
  const change = { principal, workspaceId, action: action === null ? null : { name: action } }
  const { notifications } = await commitChange(parts, { principal }, (tx) => runChange(parts, tx, change, act))
  return notifications.length > 0
}

/** One after the other. One that fails keeps none of the others back: it is thrown when all have been tried. */
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
