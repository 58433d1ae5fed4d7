// Reads of a collection: the page of a list, the count of what matches, and one object by its id or external id.
import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/call.ts'
import { alwaysShown, assertExpanded, shaper } from './answers.ts'
import { type Collection, type CollectionHandler, type Fields, type Resource } from './definition.ts'
import { expander } from './expand.ts'
import { conditionsFor, type Conditions } from './filters.ts'
import { successorOf } from './outdated-references.ts'
import {
  keysOf,
  nextInOrder,
  positionOf,
  rowsFor,
  type Pager,
  type Paging,
  type SortKey,
  pageOf,
  startOf,
  startOfEmpty,
} from './pagination.ts'
import { countMatching } from './count-rows.ts'
import {
  select,
  withHidden,
  find,
  findAny,
  findByExternalId,
  notFound,
  assertNotPurged,
  type ExternalKey,
} from './rows.ts'

/** What tells how the object is to be shown. */
const forShape = ['kind', 'deletedAt', 'externalIds']

export function listHandler<R extends Resource>(collection: Collection<R>, pager: Pager): CollectionHandler {
  return async (given, call) => await listPage(collection, pager, given, call)
}

/** Returns a page of the objects that match the filters, with the fields and expansions of the query. */
export async function listPage<R extends Resource>(
  collection: Collection<R>,
  pager: Pager,
  given: Fields,
  call: Call,
): Promise<unknown> {
  const { fields, expand, includeTotal, sort = ['-createdAt'], ...filter } = given as ListInput
  assertExpanded(collection, { fields, expand })
  const keys = keysOf(collection.sorts, sort)
  const paging = pager.open(`${collection.segment}.list`, call.workspaceId, { ...filter, sort: sort.join(',') }, '')
  const conditions = await conditionsFor(collection, given, call)
  const all = (collection.onlyOnRequest ?? []).some((field) => fields?.includes(field))
  const read = { all, only: fieldsRead(given, keys) }
  const rows = await readPage(collection, conditions, { keys, paging, read, filter }, call)
  const shown = await shaper(collection, { fields, expand }, call, rows.slice(0, paging.limit))
  const page = pager.page(rows, paging, (row) => JSON.stringify(positionOf(keys, row)), shown)
  return includeTotal === true
    ? { ...page, page: { ...page.page, total: await total(collection, conditions, call) } }
    : page
}

type ListInput = {
  readonly fields?: string[]
  readonly expand?: string[]
  readonly includeTotal?: boolean
  readonly sort?: string[]
}

/** How many rows of the order are looked through for each row of a page, before all that match are asked for. */
const lookedThrough = 20

type PageRequest = {
  readonly keys: readonly SortKey[]
  readonly paging: Paging
  readonly read: { readonly all: boolean; readonly only: ReadonlySet<string> | undefined }
  readonly filter: Fields
}

/**
 * What many objects match is met soon in any order: so the beginning of the order is looked through first, at a price
 * that does not depend on what the planner believes. Where too few are in it, all that match are collected and sorted.
 */
async function readPage<R extends Resource>(
  collection: Collection<R>,
  { all, onTheWay }: Conditions,
  { keys, paging, read, filter }: PageRequest,
  { db, workspaceId }: Call,
): Promise<R[]> {
  const table = withHidden(collection)
  const [key] = keys
  if (onTheWay === null || key === undefined) return select(db, table, { ...read, ...pageOf(all, keys, paging) })
  if (keys.length === 1) {
    const count = lookedThrough * rowsFor(paging.limit)
    // Objects without the value that they are sorted by come last: nothing before them is asked for.
    const start = startOf(keys, paging) ?? (filter[key.field] === 'none' ? startOfEmpty(key) : null)
    const from = Prisma.sql`(${nextInOrder(collection.table, workspaceId, key, start, count)}) t`
    const found = await select(db, table, { ...read, from, ...pageOf(onTheWay, keys, paging) })
    if (found.length > paging.limit) return found
  }
  const { where, tail } = pageOf(all, keys, paging)
  const from = Prisma.sql`(SELECT t.* FROM ${table.from} WHERE ${where} OFFSET 0) t`
  return select(db, table, { ...read, from, where: Prisma.sql`TRUE`, tail })
}

/** Undefined where nothing can be spared: what is expanded is found by fields that `fields` need not name. */
const fieldsRead = ({ fields, expand = [] }: ListInput, keys: readonly SortKey[]): ReadonlySet<string> | undefined =>
  fields === undefined || expand.length > 0
    ? undefined
    : new Set([...alwaysShown, ...forShape, ...keys.map(({ field }) => field), ...fields])

async function total<R extends Resource>(
  collection: Collection<R>,
  { all }: Conditions,
  { db }: Call,
): Promise<number> {
  const [row] = await countMatching(db, { from: withHidden(collection).from, conditions: all })
  return Number(row?.total ?? 0)
}

type GetOptions = { readonly expand?: string[]; readonly includeDeleted?: boolean }

export function getHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (input, call) => {
    const { id, ...options } = input as GetOptions & { readonly id: string }
    const searched = options.includeDeleted ? withHidden(collection) : collection
    const found = await findAny(call.db, searched, call.workspaceId, id)
    return await answerFor(collection, found, options, call)
  }
}

export function getByExternalIdHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (input, call) => {
    const { source, externalId, ...options } = input as GetOptions & ExternalKey
    const searched = options.includeDeleted ? withHidden(collection) : collection
    const found = await findByExternalId(call.db, searched, call.workspaceId, { source, externalId })
    if (found === null) throw notFound(collection)
    return await answerFor(collection, found, options, call)
  }
}

async function answerFor<R extends Resource>(
  collection: Collection<R>,
  found: R,
  { expand = [], includeDeleted = false }: GetOptions,
  call: Call,
): Promise<unknown> {
  if (includeDeleted) await assertNotPurged(collection, found, call)
  const object = includeDeleted ? found : await orSuccessor(collection, found, call)
  const expanded = await expander(collection, expand, call, [object])
  return expanded(object)
}

/** The object itself or, when it is deleted, the one that has replaced it. Throws `not_found`. */
async function orSuccessor<R extends Resource>(collection: Collection<R>, found: R, call: Call): Promise<R> {
  if (found.deletedAt === null) return found
  const id = await successorOf(collection, found, call)
  if (id === null) throw notFound(collection)
  return await find(call.db, collection, call.workspaceId, id)
}
