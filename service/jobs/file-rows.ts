// The bytes that an import reads its rows from: those that came with the call, or an uploaded file.
import { Fault, unavailable } from '#contract/faults/fault.ts'
import type { Database } from '#prisma/client.ts'
import type { Db } from '../execution/call.ts'
import { missingReference } from '../faults/shared-faults.ts'
import { find, type StoredFile } from '../files/rows.ts'
import { assertReadable } from '../files/rules.ts'
import type { FileStore } from '../files/store.ts'
import { inputOf, type TakenJob } from './rows.ts'

export type RowsStore = Pick<FileStore, 'read'>

/** One step reads it, which ends sooner by itself. */
const readWithinMs = 5 * 60_000

/** Throws `reference_not_found` and `file_not_available`. */
export async function assertRowsFile(db: Db, workspaceId: string, fileId: string): Promise<void> {
  assertReadable(await fileOf(db, workspaceId, fileId), false)
}

async function fileOf(db: Db, workspaceId: string, fileId: string): Promise<StoredFile> {
  try {
    return await find(db, workspaceId, fileId)
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'not_found') throw thrown
    throw missingReference('fileId')
  }
}

/** A file may be deleted or quarantined before the last step has read it: then the job ends. */
export function bytesOf(db: Database, store: RowsStore, job: TakenJob): AsyncIterable<Uint8Array> {
  const { fileId } = job.request
  return fileId === undefined ? inputOf(db, job) : bytesIn(db, store, job.workspaceId, fileId)
}

async function* bytesIn(
  db: Database,
  store: RowsStore,
  workspaceId: string,
  fileId: string,
): AsyncGenerator<Uint8Array> {
  const file = await fileOf(db, workspaceId, fileId)
  assertReadable(file, false)
  if (file.blobId === null) throw new Error(`The file ${fileId} has no bytes`)
  const name = { workspaceId, id: file.blobId }
  try {
    yield* (await store.read(name, null, AbortSignal.timeout(readWithinMs))) as AsyncIterable<Uint8Array>
  } catch (error) {
    throw error instanceof Fault ? error : unavailable('The store of files cannot be reached. Try again.', error)
  }
}
