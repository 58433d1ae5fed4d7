// Emits `api-keys.rotation-due` in the background for a key whose secret has reached its maximum age, once for each
// secret. The gateway refuses such a key.
import { apiKeyRotationDue } from '#contract/api-keys.ts'
import { type ChangeDeps, attemptEach, changeAsSystem } from '../../execution/change.ts'
import type { Call } from '../../execution/call.ts'
import { lockKey, toApiKey, dueKeys } from './rows.ts'
import { everyKey, sweepKeys } from './sweep-rows.ts'

/**
 * Looks at the next keys, all of them within minutes. Returns how many events were emitted, or null when it is not the
 * turn of this service.
 */
export const sweepRotationDue = (deps: ChangeDeps, max?: number): Promise<number | null> =>
  sweepKeys(deps.db, 'rotation-due-keys', (range) => emitRotationDue(deps, range), max)

/** Returns how many events were emitted. */
export async function emitRotationDue(deps: ChangeDeps, range = everyKey): Promise<number> {
  let emitted = 0
  await attemptEach(await dueKeys(deps.db, range), async ({ workspaceId, id }) => {
    const done = await changeAsSystem(deps, workspaceId, apiKeyRotationDue.type, (call) => emitDue(call, id))
    emitted += Number(done)
  })
  return emitted
}

async function emitDue({ db, workspaceId, now, emit }: Call<typeof apiKeyRotationDue>, id: string): Promise<void> {
  const row = await lockKey(db, workspaceId, id, now)
  const key = toApiKey(row, now)
  const [newest] = row.secrets
  // Rotated, revoked or emitted since the query.
  if (key.status !== 'rotation_due' || newest === undefined || newest.dueToldAt !== null) return
  await db.apiKeySecret.update({ where: { hash: newest.hash, workspaceId }, data: { dueToldAt: now } })
  emit(apiKeyRotationDue, key)
}
