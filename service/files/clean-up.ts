// Removes what is left behind by uploads that broke off, by files that were never uploaded, and by files that were
// purged: first what is written down of a file, then its bytes, then that there were any. Whatever dies between two of
// these steps, the next one is made again.
import { restoreWindowDays } from '#contract/collection/operations.ts'
import { unfinishedFileHours } from '#contract/files.ts'
import type { Database } from '#prisma/client.ts'
import { deleteUnfinished, emptyDeleted, forgetBlob, postponeBlob, removableBlobs } from './rows.ts'
import type { FileStore } from './store.ts'

const rowsMax = 200
const blobsMax = 50
/** A store that cannot remove a blob is asked again after this. */
const againAfterSeconds = 300

type CleanUp = { readonly db: Database; readonly store: FileStore; readonly onError: (error: unknown) => void }

/** Returns whether there may be more to do at once. */
export async function cleanUpFiles({ db, store, onError }: CleanUp): Promise<boolean> {
  const unfinished = await deleteUnfinished(db, unfinishedFileHours, rowsMax)
  const emptied = await emptyDeleted(db, restoreWindowDays, rowsMax)
  const blobs = await removableBlobs(db, blobsMax)
  for (const { workspaceId, id } of blobs) {
    // Others leave it alone meanwhile, and what fails does not stand in the way of the next.
    await postponeBlob(db, workspaceId, id, againAfterSeconds)
    try {
      await store.remove({ workspaceId, id })
      await forgetBlob(db, workspaceId, id)
    } catch (error) {
      onError(error)
    }
  }
  return unfinished === rowsMax || emptied === rowsMax || blobs.length === blobsMax
}
