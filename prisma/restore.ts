// What a restore from a backup does to an installation, and how one is noticed.
//
// The database goes back; callers, receivers and other processes do not. So with `RESTORED=true` a service begins a new
// epoch before anything else, in one transaction:
//
// - The sequence of each workspace leaves out more numbers than can have been given since the backup. A position in
//   the gap is of an event that is no more, and is refused; one before it is good still: both histories share it.
// - Deliveries that wait, and events without deliveries so far, are held: they may have been sent since the backup.
//   They get a time that never comes, so that no dispatcher of any version finds them due. An operator lets them go.
// - What was under way for callers who are gone is ended: replays, streams of deliveries, sessions of people.
//
// A service that is not told notices by itself: the installation has a clock, which services move on and write down in
// Redis too. A clock in the database that is behind that one says that the database has gone back.
import type { Where } from './client.ts'
import { nextBeat } from './installation-rows.ts'
import { openSession, type Session } from './sql-session.ts'

/** The time of what is held. */
export const heldUntil = new Date('9999-12-31T00:00:00Z')
/** By itself for scripts, which take no values. */
const heldTime = `'${heldUntil.toISOString()}'::timestamptz`
/** The code that a delivery which is held shows. */
const heldCode = 'held_after_restore'

/** More than an installation records for one workspace, in the long run and at once. */
const eventsPerMs = 1
const eventsAtOnce = 1_000_000

/** Within a transaction. The installation must have its row. */
export const beginEpoch = (session: Session): Promise<void> =>
  session.run(`
UPDATE installation SET epoch = gen_random_uuid(), held_since = now(), rewound_at = NULL, beat = ${nextBeat};
${leaveHistory(null)};
DELETE FROM session`)

/** Within a transaction: a workspace that has come from another installation, where it may have gone on. */
export const receiveWorkspace = (session: Session, workspaceId: string): Promise<void> =>
  session.run(`
UPDATE installation SET held_since = coalesce(held_since, now());
${leaveHistory(workspaceId)}`)

/** Of one workspace, or of all. `workspaceId` is an id, and nothing else. */
function leaveHistory(workspaceId: string | null): string {
  const of = (table: string): string => (workspaceId === null ? 'true' : `${table}.workspace_id = '${workspaceId}'`)
  return `
UPDATE event_sequence s SET gaps = gaps || ARRAY[last, n.next], before_day = before_day + (n.next - last), last = n.next
FROM (
  SELECT workspace_id, last + ${eventsAtOnce} + ${eventsPerMs} * greatest(0, (extract(epoch FROM clock_timestamp() - last_at) * 1000)::bigint) AS next
  FROM event_sequence
) n WHERE n.workspace_id = s.workspace_id AND ${of('s')};
DELETE FROM delivery_change c WHERE ${of('c')};
DELETE FROM delivery_watch w WHERE ${of('w')};
UPDATE replay_job j SET status = 'cancelled', cancel_reason = 'restored', ended_at = now(), updated_at = now() WHERE ended_at IS NULL AND ${of('j')};
UPDATE delivery d SET ${held()} WHERE next_attempt_at IS NOT NULL AND ${of('d')};
UPDATE delivery d SET ${held()} WHERE order_key IS NOT NULL AND status IN ('pending', 'retrying') AND next_attempt_at IS NULL AND ${of('d')};
UPDATE delivery d SET ${held()} FROM webhook w
WHERE w.status <> 'active' AND d.workspace_id = w.workspace_id AND d.webhook_id = w.id
  AND d.status IN ('pending', 'retrying') AND d.next_attempt_at IS NULL AND ${of('d')};
UPDATE outbox o SET created_at = ${heldTime} WHERE ${of('o')}`
}

function held(): string {
  return `next_attempt_at = ${heldTime}, last_error_code = '${heldCode}', last_status_code = NULL,
    lease_owner = NULL, lease_until = NULL, sending_since = NULL`
}

/** What is held, in all workspaces or in one. */
export type Held = { readonly deliveries: number; readonly events: number }

/** Begins a new epoch. The installation must have its row. Returns what is held. */
export async function declareRestored(where: Where): Promise<Held> {
  const session = await openSession(where)
  try {
    await session.transaction(() => beginEpoch(session))
    const [counted] = await session.query<Held>(`SELECT
      (SELECT count(*)::int FROM delivery WHERE next_attempt_at = ${heldTime}) AS deliveries,
      (SELECT count(*)::int FROM outbox WHERE created_at = ${heldTime}) AS events`)
    return counted ?? { deliveries: 0, events: 0 }
  } finally {
    await session.close()
  }
}
