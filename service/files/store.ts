// Where the bytes of files are: on a disk that all services share, or in a store that speaks S3's protocol
// (s3-store.ts). A blob is written once, under a name of its own, and is never changed.
import { createReadStream } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Fault, unavailable } from '#contract/faults/fault.ts'
import type { ByteRange } from '#runtime/http-ranges.ts'

export type BlobName = { readonly workspaceId: string; readonly id: string }

export type FileStore = {
  /**
   * Resolves when all of the bytes are safely there. Rejects with the error of the source or with a Fault; then there
   * may be a part of them, which `remove` removes.
   */
  write(name: BlobName, source: Readable, bytes: number, signal: AbortSignal): Promise<void>
  /** Rejects with a Fault where the bytes cannot be reached. */
  read(name: BlobName, range: ByteRange | null, signal: AbortSignal): Promise<Readable>
  /** Also where there is nothing. */
  remove(name: BlobName): Promise<void>
}

export function diskStore(folder: string): FileStore {
  // Folders of some thousands of blobs stay quick; the last digits of an id of version 7 are random.
  const pathOf = ({ workspaceId, id }: BlobName): string => join(folder, workspaceId, id.slice(-2), id)
  return {
    write: async (name, source, _bytes, signal) => {
      const path = pathOf(name)
      try {
        await mkdir(dirname(path), { recursive: true })
        // A handle, since Node's permissions (docs/security.md) take fsync of a descriptor away.
        const handle = await open(path, 'wx')
        await pipeline(source, handle.createWriteStream({ flush: true }), { signal })
        await syncFolder(dirname(path))
      } catch (error) {
        throw faultOfDisk(error)
      }
    },
    read: async (name, range) => {
      try {
        const handle = await open(pathOf(name))
        return createReadStream('', { fd: handle, ...range })
      } catch (error) {
        throw faultOfDisk(error)
      }
    },
    remove: async (name) => {
      await rm(pathOf(name), { force: true })
    },
  }
}

/** After a power cut the entry of the folder is there as well. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const fullSeconds = 30

/** What the source fails with stays as it is. */
export function faultOfDisk(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Fault('storage_full', 'The store of files has no room.', { retryAfterSeconds: fullSeconds }, error)
  const ofDisk = typeof code === 'string' && /^E(?!PIPE$|CONN)[A-Z]+$/.test(code) && 'syscall' in (error as object)
  return ofDisk ? unavailable('The store of files cannot be reached. Try again.', error) : error
}
