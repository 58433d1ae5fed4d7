// Background work that looks for keys that need a person: those that expire soon, that a policy is about to stop, and
// whose calls are denied again and again. Each is told of once, by an event that raises its alarm. One service at a
// time does a part of the work.
import { apiKeyDenied, apiKeyExpiring, apiKeyStopping } from '#contract/api-keys.ts'
import { attemptEach, changeAsSystem, type ChangeDeps } from '../execution/change.ts'
import type { Call } from '../execution/call.ts'
import { lockKey, toApiKey } from '../keys/api-keys/rows.ts'
import { sweepKeys, type KeyRange } from '../keys/api-keys/sweep-rows.ts'
import {
  deniedKeys,
  expiringKeys,
  markDeniedTold,
  markExpiringTold,
  markStoppingTold,
  stoppingKeys,
} from './due-key-rows.ts'

/** Returns how many events were emitted. */
export async function emitExpiring(deps: ChangeDeps): Promise<number> {
  let emitted = 0
  await attemptEach(await expiringKeys(deps.db), async ({ workspaceId, id }) => {
    emitted += Number(await changeAsSystem(deps, workspaceId, null, (call) => tellExpiring(call, id)))
  })
  return emitted
}

async function tellExpiring({ db, workspaceId, now, emit }: Call<typeof apiKeyExpiring>, id: string): Promise<void> {
  const row = await lockKey(db, workspaceId, id, now)
  // Revoked, changed or told of since the query.
  if (row.revokedAt !== null || row.expiresAt === null || row.expiresAt <= now) return
  if (await markExpiringTold(db, workspaceId, id)) emit(apiKeyExpiring, toApiKey(row, now))
}

/** So many events of a part: the keys that are left are found in the next round. */
const stoppingMax = 100

/**
 * Looks at the next keys, all of them within minutes. Returns how many events were emitted, or null when it is not the
 * turn of this service.
 */
export const emitStopping = (deps: ChangeDeps, max?: number): Promise<number | null> =>
  sweepKeys(deps.db, 'stopping-keys', (range) => emitStoppingIn(deps, range), max)

async function emitStoppingIn(deps: ChangeDeps, range: KeyRange): Promise<number> {
  let emitted = 0
  await attemptEach(await stoppingKeys(deps.db, range, stoppingMax), async ({ workspaceId, id, from, rule }) => {
    const told = (call: Call<typeof apiKeyStopping>) => tellStopping(call, id, { from, rule })
    emitted += Number(await changeAsSystem(deps, workspaceId, null, told))
  })
  return emitted
}

type Stopping = Pick<Awaited<ReturnType<typeof stoppingKeys>>[number], 'from' | 'rule'>

async function tellStopping(
  { db, workspaceId, now, emit }: Call<typeof apiKeyStopping>,
  id: string,
  { from, rule }: Stopping,
): Promise<void> {
  const row = await lockKey(db, workspaceId, id, now)
  if (row.revokedAt !== null) return
  // Told of since the query.
  if (!(await markStoppingTold(db, workspaceId, id, from))) return
  emit(apiKeyStopping, { ...toApiKey(row, now), stopping: { from: from.toISOString(), rule } })
}

/** Returns how many events were emitted. */
export async function emitDenied(deps: ChangeDeps): Promise<number> {
  let emitted = 0
  await attemptEach(await deniedKeys(deps.db), async ({ workspaceId, id }) => {
    emitted += Number(await changeAsSystem(deps, workspaceId, null, (call) => tellDenied(call, id)))
  })
  return emitted
}

async function tellDenied({ db, workspaceId, now, emit }: Call<typeof apiKeyDenied>, id: string): Promise<void> {
  const row = await lockKey(db, workspaceId, id, now)
  const [told] = await markDeniedTold(db, workspaceId, id)
  if (told === undefined || row.revokedAt !== null) return
  emit(apiKeyDenied, { ...toApiKey(row, now), denied: { requests: told.count, since: told.since.toISOString() } })
}
