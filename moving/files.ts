// The contents of files, from one store to another. Each is compared with its SHA-256 when it has been written; what is
// there already is left as it is, so that a copy which was broken off goes on.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Fault } from '#contract/faults/fault.ts'
import { StartupError } from '#runtime/process.ts'
import type { BlobName, FileStore } from '../service/files/store.ts'
import { fileOf, readTable } from './archive.ts'
import type { ProgressReport } from './progress.ts'

export type Blob = BlobName & { readonly bytes: number; readonly sha256: string }

/** Those that the rows of an export name. */
export async function* blobsIn(folder: string): AsyncIterable<Blob> {
  for await (const lines of readTable(folder, fileOf('file'))) {
    for (const line of lines) {
      const { workspace_id: workspaceId, blob_id: id, bytes, sha256 } = JSON.parse(line) as Row
      if (id !== null) yield { workspaceId, id, bytes, sha256 }
    }
  }
}

type Row = {
  readonly workspace_id: string
  readonly blob_id: string | null
  readonly bytes: number
  readonly sha256: string
}

export async function sizeOf(blobs: AsyncIterable<Blob>): Promise<{ readonly count: number; readonly bytes: number }> {
  let [count, sum] = [0, 0]
  for await (const { bytes } of blobs) [count, sum] = [count + 1, sum + bytes]
  return { count, bytes: sum }
}

/** Throws a StartupError where a file is missing or damaged at the source, or a store cannot be reached. */
export async function copyFiles(
  blobs: AsyncIterable<Blob>,
  source: FileStore,
  target: FileStore,
  report: ProgressReport,
): Promise<void> {
  for await (const blob of blobs) {
    if ((await hashIn(target, blob).catch(noHash)) !== blob.sha256) await copy(blob, source, target)
    report.add(blob.bytes)
  }
}

/** Throws a StartupError where the store lacks one of them. */
export async function assertThere(blobs: AsyncIterable<Blob>, store: FileStore, report: ProgressReport): Promise<void> {
  for await (const blob of blobs) {
    if ((await hashIn(store, blob).catch(noHash)) !== blob.sha256)
      throw new StartupError(
        `The file ${pathOf(blob)} is not in the store of files of the target, and the export was made without contents: give both the same store, or export again without --without-files.`,
      )
    report.add(blob.bytes)
  }
}

const never = new AbortController().signal

async function copy(blob: Blob, source: FileStore, target: FileStore): Promise<void> {
  try {
    await target.remove(blob)
    const hash = createHash('sha256')
    const bytes = await source.read(blob, null, never)
    async function* hashed(): AsyncIterable<Uint8Array> {
      for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
        hash.update(chunk)
        yield chunk
      }
    }
    await target.write(blob, Readable.from(hashed(), { objectMode: false }), blob.bytes, never)
    if (hash.digest('hex') !== blob.sha256)
      throw new StartupError(
        `The file ${pathOf(blob)} is not what its SHA-256 says where it is copied from. Put it back from a backup, or delete the file that has it.`,
      )
    if ((await hashIn(target, blob)) !== blob.sha256)
      throw new StartupError(
        `The file ${pathOf(blob)} was not written as it was read: look at the disk, and try again.`,
      )
  } catch (error) {
    throw error instanceof Fault ? new StartupError(`${pathOf(blob)}: ${error.message}`, { cause: error }) : error
  }
}

async function hashIn(store: FileStore, blob: Blob): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of (await store.read(blob, null, never)) as AsyncIterable<Uint8Array>) hash.update(chunk)
  return hash.digest('hex')
}

/** What cannot be read is not there. */
function noHash(error: unknown): null {
  if (error instanceof Fault || (error as NodeJS.ErrnoException).code !== undefined) return null
  throw error
}

const pathOf = ({ workspaceId, id }: BlobName): string => join(workspaceId, id)
