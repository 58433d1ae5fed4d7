// Installations that tests move: a database that stays open between what uses it, and a folder of files.
import { createSecretKey, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openDatabase, type Where } from '#prisma/client.ts'
import { ensureSecretProof } from '#prisma/sealing-rows.ts'
import { openSession } from '#prisma/sql-session.ts'
import { logger } from '#runtime/log.ts'
import type { SealingKey } from '#runtime/keyring.ts'
import { diskStore } from '../../service/files/store.ts'
import type { Place } from '../../moving/place.ts'
import { settingsFor, startSystem, type System } from '../support/system.ts'

export const silent = { begin: () => {}, add: () => {}, done: () => {} }
export const sealingKey = (id: string): SealingKey => ({ id, key: createSecretKey(randomBytes(32)) })

type Secrets = { readonly internalSecret: string; readonly sealingKeys: readonly SealingKey[] }
export const secretsWith = (sealingKeys: readonly SealingKey[]): Secrets => ({
  internalSecret: settingsFor('standalone').internalSecret,
  sealingKeys,
})
export const { operatorToken } = settingsFor('standalone')

/** Files are in a folder of this name within `folder`. */
export const installationsIn = (folder: string) => ({
  placeOn: async (where: Where, name: string): Promise<Place> => {
    const session = await openSession(where)
    const files = diskStore(join(folder, name))
    return { session, files, isAlone: 'pglite' in where, [Symbol.asyncDispose]: session.close }
  },

  /** The whole product; a PGlite outlives it. */
  serve: async (where: Where, name: string, secrets: Secrets): Promise<System> => {
    const opened = await openDatabase(where)
    const close = 'pglite' in where ? async () => {} : opened.close
    await ensureSecretProof(opened.db, secrets, false)
    const change = { ...secrets, operatorToken, fileStore: diskStore(join(folder, name)) }
    const database = { ...opened, close, [Symbol.asyncDispose]: close }
    return startSystem('standalone', change, logger('fatal', 'test'), database)
  },
})
