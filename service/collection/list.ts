import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/handler.ts'
import { invalidCursor, type Pager, type Paging } from '../lists/cursor-pagination.ts'
import type { Collection } from './define.ts'
import type { CollectionHandler } from './definition.ts'
import { expander } from './expand.ts'
import type { Fields, Resource } from './resource.ts'
import { conditionsFor, type Conditions } from './where.ts'
import { beyond, keysOf, nextInOrder, orderBy, positionOf, type Key, type Position } from './keyset.ts'
import { select } from './find.ts'
import { withHidden } from './visibility.ts'
import { refuseParameter } from '../faults/field-refusals.ts'

/** The fields that are shown even when `fields` does not name them. */
const always = ['id', 'object', 'version']
/** Of a deleted object only its id, version and the time of the deletion are shown. */
const ofDeleted: ReadonlySet<string> = new Set([...always, 'deletedAt'])
/** What tells how the object is to be shown. */
const forShape = ['kind', 'deletedAt']

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
  assertExpanded(collection, fields, expand)
  const keys = keysOf(collection.sorts, sort)
  const paging = pager.open(`${collection.segment}.list`, call.workspaceId, { ...filter, sort: sort.join(',') }, '')
  const conditions = await conditionsFor(collection, given, call)
  const all = (collection.onlyOnRequest ?? []).some((field) => fields?.includes(field))
  const read = { all, only: fieldsRead(given, keys) }
  const rows = await readPage(collection, conditions, { keys, paging, read }, call)
  const expanded = await expander(collection, expand ?? [], call, rows.slice(0, paging.limit))
  const names = fields === undefined ? undefined : new Set([...always, ...fields, ...(expand ?? [])])
  const page = pager.page(
    rows,
    paging,
    (row) => JSON.stringify(positionOf(keys, row)),
    (row) => shown(expanded(row), names),
  )
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
  readonly keys: readonly Key[]
  readonly paging: Paging
  readonly read: { readonly all: boolean; readonly only: ReadonlySet<string> | undefined }
}

/**
 * What many objects match is met soon in any order: so the beginning of the order is looked through first, at a price
 * that does not depend on what the planner believes. Where too few are in it, all that match are collected and sorted.
 */
async function readPage<R extends Resource>(
  collection: Collection<R>,
  { all, onTheWay }: Conditions,
  { keys, paging, read }: PageRequest,
  { db, workspaceId }: Call,
): Promise<R[]> {
  const table = withHidden(collection)
  const [key] = keys
  if (onTheWay === null || key === undefined) return select(db, table, { ...read, ...pageOf(all, keys, paging) })
  if (keys.length === 1) {
    const count = lookedThrough * (paging.limit + 1)
    const from = Prisma.sql`(${nextInOrder(collection.table, workspaceId, key, startOf(keys, paging), count)}) t`
    const found = await select(db, table, { ...read, from, ...pageOf(onTheWay, keys, paging) })
    if (found.length > paging.limit) return found
  }
  const { where, tail } = pageOf(all, keys, paging)
  const from = Prisma.sql`(SELECT t.* FROM ${table.from} WHERE ${where} OFFSET 0) t`
  return select(db, table, { ...read, from, where: Prisma.sql`TRUE`, tail })
}

/**
 * Selects one row more than the page shows, which tells whether there is a next page. The limit is written into the
 * statement and is no parameter: query plans depend on it.
 */
export const pageOf = (where: readonly Prisma.Sql[], keys: readonly Key[], paging: Paging) => ({
  where: Prisma.join([...where, ...position(keys, paging)], ' AND '),
  tail: Prisma.sql`ORDER BY ${orderBy(keys)} LIMIT ${Prisma.raw(String(paging.limit + 1))}`,
})

function position(keys: readonly Key[], paging: Paging): Prisma.Sql[] {
  const start = startOf(keys, paging)
  return start === null ? [] : [beyond(keys, start.values, start.id)]
}

function startOf(keys: readonly Key[], { after }: Paging): Position | null {
  if (after === null) return null
  const values: unknown = JSON.parse(after.value)
  if (Array.isArray(values) && values.length === keys.length) return { values: values.map(String), id: after.id }
  throw invalidCursor()
}

/** Refuses a field of `fields` that only `expand` loads, and that would be missing from the answer without a word. */
function assertExpanded<R extends Resource>(
  { expansions }: Collection<R>,
  fields: readonly string[] = [],
  expand: readonly string[] = [],
): void {
  const lacking = fields.find((field) => Object.hasOwn(expansions, field) && !expand.includes(field))
  if (lacking !== undefined)
    refuseParameter('expand', 'required', `Name \`${lacking}\` here as well: \`fields\` asks for it.`)
}

/** Undefined where nothing can be spared: what is expanded is found by fields that `fields` need not name. */
const fieldsRead = ({ fields, expand = [] }: ListInput, keys: readonly Key[]): ReadonlySet<string> | undefined =>
  fields === undefined || expand.length > 0
    ? undefined
    : new Set([...always, ...forShape, ...keys.map(({ field }) => field), ...fields])

function shown(object: Fields, fields: ReadonlySet<string> | undefined): Fields {
  const names = object['deletedAt'] === null ? fields : ofDeleted
  if (names === undefined) return object
  const kept: Record<string, unknown> = {}
  for (const field of Object.keys(object)) if (names.has(field)) kept[field] = object[field]
  return kept
}

async function total<R extends Resource>(
  collection: Collection<R>,
  { all }: Conditions,
  { db }: Call,
): Promise<number> {
  const [row] = await db.$queryRaw<
    { total: bigint }[]
  >`SELECT count(*) AS total FROM ${withHidden(collection).from} WHERE ${Prisma.join([...all], ' AND ')}`
  return Number(row?.total ?? 0)
}
