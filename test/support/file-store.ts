// Where tests keep the bytes of files: a folder of their own, which is there once something is written.
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskStore, type FileStore } from '../../service/files/store.ts'

export const filesFolder = (): string => join(tmpdir(), `wia-files-${randomUUID()}`)

/** For services that no file is uploaded to. */
export const unusedStore = (): FileStore => diskStore(filesFolder())
