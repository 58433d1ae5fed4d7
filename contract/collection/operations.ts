// What every collection of resources offers, declared once for all of them: list, get, count, create, update, delete,
// restore, purge, the same by the caller's own ids, and batch.
import { batch } from './batch.ts'
import { deleteByExternalId, getByExternalId, upsert } from './by-external-id.ts'
import { purge, remove, restore } from './deletion.ts'
import type { Declaration } from './declaration.ts'
import { byName } from '../operation.ts'
import { count, get, list } from './reads.ts'
import { create, update } from './writes.ts'

export { expandable } from './declaration.ts'

/**
 * The operations of one collection by their full names. The resource's file takes each of them out by its name,
 * `'tasks.update': updateTask`, so that a search for the name finds it there.
 */
export const collection = <D extends Declaration>(declared: D) =>
  byName({
    list: list(declared),
    get: get(declared),
    count: count(declared),
    create: create(declared),
    update: update(declared),
    delete: remove(declared),
    restore: restore(declared),
    purge: purge(declared),
    getByExternalId: getByExternalId(declared),
    upsert: upsert(declared),
    deleteByExternalId: deleteByExternalId(declared),
    batch: batch(declared),
  })
