// Background work: deletes what has been kept long enough, and does what calls and the dispatcher have left to be done
// later. Runs in every service process; several at once share the work.
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'
import type { Part } from '#runtime/process.ts'
import { emitDenied, emitExpiring, emitStopping } from './alarms/due-keys.ts'
import { closeSettled, deleteOutdatedAlarms } from './alarms/rows.ts'
import { deleteOutdatedResets } from './identity/access-resets/rows.ts'
import { deleteOutdatedEmailChanges } from './identity/accounts/rows.ts'
import { deleteOutdatedTries } from './identity/accounts/sign-in-attempts.ts'
import { deleteOutdatedCounts, deleteOutdatedActivity } from './keys/usage/rows.ts'
import { sweepRotationDue } from './keys/api-keys/rotation-due.ts'
import { sweepEverySeconds } from './keys/api-keys/sweep-rows.ts'
import { deleteOutdatedKeyChanges } from './keys/api-keys/rows.ts'
import { deleteOutdatedCalls } from './api-calls/rows.ts'
import { deleteOutdatedEntries } from './audit/rows.ts'
import { moveReferences } from './crm-entities/operations.ts'
import { readWaitingPhones } from './crm-entities/phone-rows.ts'
import { replayBatch } from './deliveries/replay-jobs.ts'
import { deleteOutdatedInvitations } from './identity/invitations/rows.ts'
import { deleteOutdatedFlows } from './identity/oidc/rows.ts'
import { deleteOutdatedChallenges } from './identity/second-factors/challenge-rows.ts'
import { deleteOutdatedSessions } from './identity/sessions/rows.ts'
import { timesAfter } from './collection/change-each.ts'
import type { EachCollection } from './collection/definition.ts'
import { replaceReferences } from './collection/outdated-references.ts'
import { settle, waitingIn } from './collection/outdated-rows.ts'
import { eachCollection } from './collections.ts'
import type { Call, Db } from './execution/call.ts'
import { attemptEach, changeAsSystem, type ChangeDeps } from './execution/change.ts'
import { deleteOutdatedAnswers } from './execution/idempotency.ts'
import { cleanUpFiles } from './files/clean-up.ts'
import type { FileStore } from './files/store.ts'
import { deleteOutdatedReports } from './gateway-endpoints.ts'
import { partitionMaintenance, deleteOutdatedEvents } from './ledger/partition-maintenance.ts'
import type { Mail } from './open-mail.ts'
import { deleteOutdatedMails } from './mail/rows.ts'
import { purgeDeleted } from './purge-rows.ts'
import { analyzeTable, grownTables } from './table-rows.ts'
import { rekeyWaiting } from './tasks/rekey.ts'
import { disableGivenUp, warnOfFailing } from './webhooks/failing.ts'
import { tellDeadLetters } from './webhooks/dead-letters.ts'
import { removeWorkspaces, pauseMs as removalPauseMs } from './workspace-deletions/remove-workspaces.ts'
import { deleteOutdatedChanges } from './deliveries/change-rows.ts'
import { deleteEndedJobs } from './deliveries/replay-job-rows.ts'
import { cleanJobs } from './jobs/rows.ts'
import { runJobs, type RunnerDeps } from './jobs/run-jobs.ts'

const cleanEveryMs = 600_000
const lookAtKeysEveryMs = 60_000
const lookAtWebhooksEveryMs = 2_000
const cleanFilesEveryMs = 15_000
const lookForAlarmsEveryMs = 10_000
const sweepKeysEveryMs = sweepEverySeconds * 1_000
const mailAlarmsEveryMs = 2_000
// Each of a batch of changes has a millisecond of its own: faster than this, times would run ahead of the clock.
const changesEveryMs = 500
const lookForOutdatedEveryMs = 2_000
const lookForDeletionsEveryMs = 5_000

/** `reseal` does a batch and returns after how many milliseconds the next may follow. */
type BackgroundDeps = RunnerDeps & {
  readonly reseal: () => Promise<number>
  readonly fileStore: FileStore
  /** Null where no email is sent. */
  readonly mail: Pick<Mail, 'sendDue' | 'mailAlarms'> | null
}

export function runBackgroundWork(parts: BackgroundDeps, onError: (error: unknown) => void): Part {
  const { db } = parts
  const every = (ms: number, work: () => Promise<unknown>): Part =>
    loop(async () => {
      await work()
      return ms
    }, onError)
  const loops = [
    every(cleanEveryMs, () => clean(db, onError)),
    every(sweepKeysEveryMs, () => sweepRotationDue(parts)),
    every(lookAtWebhooksEveryMs, () => disableGivenUp(parts)),
    every(lookAtWebhooksEveryMs, () => warnOfFailing(parts)),
    every(lookAtWebhooksEveryMs, () => tellDeadLetters(parts)),
    every(changesEveryMs, () => rekeyWaiting(parts)),
    loop(
      async () => ((await updateReferences({ ...parts, eachCollection })) ? changesEveryMs : lookForOutdatedEveryMs),
      onError,
    ),
    loop(async () => ((await readWaitingPhones(parts)) ? changesEveryMs : lookForOutdatedEveryMs), onError),
    every(lookForGrownEveryMs, () => analyzeGrown(db)),
    loop(async () => ((await cleanUpFiles({ db, store: parts.fileStore, onError })) ? 0 : cleanFilesEveryMs), onError),
    loop(async () => ((await removeWorkspaces(parts)) ? removalPauseMs : lookForDeletionsEveryMs), onError),
    loop(parts.reseal, onError),
    every(lookAtKeysEveryMs, () => emitExpiring(parts)),
    every(lookForAlarmsEveryMs, () => emitDenied(parts)),
    every(sweepKeysEveryMs, () => emitStopping(parts)),
    every(lookForAlarmsEveryMs, () => closeSettled(db)),
    ...(parts.mail === null ? [] : mailing(parts.mail, every, onError)),
    loop(() => replayBatch(db), onError),
    loop(() => runJobs(parts, onError), onError),
    loop(partitionMaintenance(db, onError), onError),
  ]
  return {
    close: async () => {
      await Promise.all(loops.map(({ close }) => close()))
    },
  }
}

const mailing = (
  { sendDue, mailAlarms }: Pick<Mail, 'sendDue' | 'mailAlarms'>,
  every: (ms: number, work: () => Promise<unknown>) => Part,
  onError: (error: unknown) => void,
): Part[] => [loop(sendDue, onError), every(mailAlarmsEveryMs, mailAlarms)]

/** One that fails keeps none of the others back. */
async function clean(db: Database, onError: (error: unknown) => void): Promise<void> {
  await deleteOutdatedAnswers(db, new Date()).catch(onError)
  await deleteOutdatedEntries(db).catch(onError)
  await deleteOutdatedCalls(db, new Date()).catch(onError)
  await deleteOutdatedEvents(db).catch(onError)
  await deleteEndedJobs(db).catch(onError)
  await cleanJobs(db).catch(onError)
  await deleteOutdatedChanges(db).catch(onError)
  await deleteOutdatedKeyChanges(db).catch(onError)
  await deleteOutdatedReports(db).catch(onError)
  await deleteOutdatedActivity(db, new Date()).catch(onError)
  await deleteOutdatedCounts(db, 'webhook_activity', new Date()).catch(onError)
  await deleteOutdatedSessions(db, new Date()).catch(onError)
  await deleteOutdatedInvitations(db, new Date()).catch(onError)
  await deleteOutdatedFlows(db, new Date()).catch(onError)
  await deleteOutdatedChallenges(db, new Date()).catch(onError)
  await deleteOutdatedResets(db, new Date()).catch(onError)
  await deleteOutdatedTries(db, new Date()).catch(onError)
  await deleteOutdatedEmailChanges(db, new Date()).catch(onError)
  await deleteOutdatedMails(db).catch(onError)
  await deleteOutdatedAlarms(db).catch(onError)
  await purgeDeleted(db).catch(onError)
}

// Objects that name a removed member as assignee, project member or owner name them no longer, and those that name a
// merged CRM entity name its survivor. They change in batches, each with its next version and its event.
type UpdateDeps = ChangeDeps & { readonly eachCollection: EachCollection }

const goneMax = 20
const objectsMax = 200

/** Does one batch for each member or entity that may still be named. Returns false when there is none. */
export async function updateReferences(parts: UpdateDeps, max = objectsMax): Promise<boolean> {
  const waiting = await waitingIn(parts.db, goneMax)
  await attemptEach(waiting, ({ workspaceId, id, table }) =>
    changeAsSystem(parts, workspaceId, null, (call) =>
      table === 'member'
        ? forgetMember(parts.eachCollection, id, max, call)
        : moveReferences(parts.eachCollection, id, { call, nextTime: timesAfter(call), max }),
    ),
  )
  return waiting.length > 0
}

async function forgetMember(eachCollection: EachCollection, id: string, max: number, call: Call): Promise<void> {
  const removed = { workspaceId: call.workspaceId, id, table: 'member', successorId: null } as const
  const changed = await replaceReferences(eachCollection, removed, { call, nextTime: timesAfter(call), max })
  // There may be more: the next batch begins with them.
  if (changed < max) await settle(call.db, removed, call.now)
}

// Tells the planner that a table has grown. Autovacuum does so within minutes, and the embedded database has none:
// until then an import leaves lists and counts to plans that were made for a table with hardly a row.

/** Smaller tables are quick with any plan. */
const rowsMin = 2_000
const timesMin = 2
const lookForGrownEveryMs = 15_000

/**
 * Analyzes the tables that have several times the rows that the planner knows of. Returns their names. What another
 * process is at is left to it, and so is what belongs to a role that this one cannot act as.
 */
export async function analyzeGrown(db: Db): Promise<string[]> {
  const grown = await grownTables(db, rowsMin, timesMin)
  for (const { name } of grown) await analyzeTable(db, name)
  return grown.map(({ name }) => name)
}
