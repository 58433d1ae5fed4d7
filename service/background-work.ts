// Background work: deletes what has been kept long enough, and does what calls and the dispatcher have left to be done
// later. Runs in every service process; several at once share the work.
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'
import type { Part } from '#runtime/process.ts'
import { analyzeGrown, lookForGrownEveryMs } from './analyze-grown.ts'
import { deleteOutdatedCounts, deleteOutdatedActivity } from './keys/usage/rows.ts'
import { deleteOutdatedResets } from './identity/access-resets/rows.ts'
import { deleteOutdatedEmailChanges } from './identity/accounts/rows.ts'
import { deleteOutdatedTries } from './identity/accounts/sign-in-attempts.ts'
import { deleteOutdatedKeyChanges } from './keys/api-keys/rows.ts'
import { emitRotationDue } from './keys/api-keys/rotation-due.ts'
import { deleteOutdatedEntries } from './audit/rows.ts'
import { eachCollection } from './collection-list.ts'
import { replayBatch } from './deliveries/replay-jobs.ts'
import { ledgerKeeper } from './events/keep-ledger.ts'
import { deleteOutdatedEvents } from './events/retention.ts'
import { deleteOutdatedReports } from './gateway-reports.ts'
import { purgeDeleted } from './purge-expired.ts'
import type { ChangeParts } from './execution/commit-change.ts'
import { deleteOutdatedAnswers } from './execution/idempotency-store.ts'
import { deleteOutdatedInvitations } from './identity/invitations/rows.ts'
import { updateReferences } from './outdated-references/update-references.ts'
import { deleteOutdatedFlows } from './identity/oidc/rows.ts'
import { deleteOutdatedSessions } from './identity/sessions/rows.ts'
import { rekeyWaiting } from './tasks/rekey.ts'
import { disableGivenUp, warnOfFailing } from './webhooks/failing.ts'
import { tellDeadLetters } from './webhooks/dead-letters.ts'
import { deleteOutdatedChanges } from './deliveries/change-rows.ts'
import { deleteEndedJobs } from './deliveries/replay-job-rows.ts'

const cleanEveryMs = 600_000
const lookAtKeysEveryMs = 60_000
const lookAtWebhooksEveryMs = 2_000
// Each of a batch of changes has a millisecond of its own: faster than this, times would run ahead of the clock.
const changesEveryMs = 500
const lookForOutdatedEveryMs = 2_000

/** `reseal` does a batch and returns after how many milliseconds the next may follow. */
type BackgroundParts = ChangeParts & { readonly reseal: () => Promise<number> }

export function runBackgroundWork(parts: BackgroundParts, onError: (error: unknown) => void): Part {
  const { db } = parts
  const loops = [
    loop(async () => {
      await clean(db, onError)
      return cleanEveryMs
    }, onError),
    loop(async () => (await emitRotationDue(parts), lookAtKeysEveryMs), onError),
    loop(async () => (await disableGivenUp(parts), lookAtWebhooksEveryMs), onError),
    loop(async () => (await warnOfFailing(parts), lookAtWebhooksEveryMs), onError),
    loop(async () => (await tellDeadLetters(parts), lookAtWebhooksEveryMs), onError),
    loop(async () => (await rekeyWaiting(parts), changesEveryMs), onError),
    loop(
      async () => ((await updateReferences({ ...parts, eachCollection })) ? changesEveryMs : lookForOutdatedEveryMs),
      onError,
    ),
    loop(async () => (await analyzeGrown(db), lookForGrownEveryMs), onError),
    loop(parts.reseal, onError),
    loop(() => replayBatch(db), onError),
    loop(ledgerKeeper(db, onError), onError),
  ]
  return { close: async () => void (await Promise.all(loops.map(({ close }) => close()))) }
}

/** One that fails keeps none of the others back. */
async function clean(db: Database, onError: (error: unknown) => void): Promise<void> {
  await deleteOutdatedAnswers(db, new Date()).catch(onError)
  await deleteOutdatedEntries(db).catch(onError)
  await deleteOutdatedEvents(db).catch(onError)
  await deleteEndedJobs(db).catch(onError)
  await deleteOutdatedChanges(db).catch(onError)
  await deleteOutdatedKeyChanges(db).catch(onError)
  await deleteOutdatedReports(db).catch(onError)
  await deleteOutdatedActivity(db, new Date()).catch(onError)
  await deleteOutdatedCounts(db, 'webhook_activity', new Date()).catch(onError)
  await deleteOutdatedSessions(db, new Date()).catch(onError)
  await deleteOutdatedInvitations(db, new Date()).catch(onError)
  await deleteOutdatedFlows(db, new Date()).catch(onError)
  await deleteOutdatedResets(db, new Date()).catch(onError)
  await deleteOutdatedTries(db, new Date()).catch(onError)
  await deleteOutdatedEmailChanges(db, new Date()).catch(onError)
  await purgeDeleted(db).catch(onError)
}
