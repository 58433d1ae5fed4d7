import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/handler.ts'
import { invalidCursor, type Pager, type Paging } from '../lists/cursor-pagination.ts'
import type { Collection } from './define.ts'
import type { CollectionHandler } from './definition.ts'
import { expander } from './expand.ts'
import type { Fields, Resource } from './resource.ts'
import { conditionsFor } from './where.ts'
import { beyond, keysOf, orderBy, positionOf, type Key } from './keyset.ts'
import { select } from './find.ts'
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
  const { fields, expand, includeTotal, sort = ['-createdAt'], ...filter } = given as Shown
  assertExpanded(collection, fields, expand)
  const keys = keysOf(collection.sorts, sort)
  const paging = pager.open(`${collection.segment}.list`, call.workspaceId, { ...filter, sort: sort.join(',') }, '')
  const where = await conditionsFor(collection, given, call, includeTotal)
  const all = (collection.onlyOnRequest ?? []).some((field) => fields?.includes(field))
  const read = { all, only: fieldsRead(given, keys) }
  const rows = await select(call.db, collection, { ...read, ...pageOf(where, keys, paging) })
  const expanded = await expander(collection, expand ?? [], call, rows.slice(0, paging.limit))
  const names = fields === undefined ? undefined : new Set([...always, ...fields, ...(expand ?? [])])
  const page = pager.page(
    rows,
    paging,
    (row) => JSON.stringify(positionOf(keys, row)),
    (row) => shown(expanded(row), names),
  )
  return includeTotal === true ? { ...page, page: { ...page.page, total: await total(collection, where, call) } } : page
}

type Shown = {
  readonly fields?: string[]
  readonly expand?: string[]
  readonly includeTotal?: boolean
  readonly sort?: string[]
}

/**
 * Selects one row more than the page shows, which tells whether there is a next page. The limit is written into the
 * statement and is no parameter: query plans depend on it.
 */
export const pageOf = (where: readonly Prisma.Sql[], keys: readonly Key[], paging: Paging) => ({
  where: Prisma.join([...where, ...position(keys, paging)], ' AND '),
  tail: Prisma.sql`ORDER BY ${orderBy(keys)} LIMIT ${Prisma.raw(String(paging.limit + 1))}`,
})

function position(keys: readonly Key[], { after }: Paging): Prisma.Sql[] {
  if (after === null) return []
  const values: unknown = JSON.parse(after.value)
  if (Array.isArray(values) && values.length === keys.length) return [beyond(keys, values.map(String), after.id)]
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
const fieldsRead = ({ fields, expand = [] }: Shown, keys: readonly Key[]): ReadonlySet<string> | undefined =>
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
  { from }: Collection<R>,
  where: readonly Prisma.Sql[],
  { db }: Call,
): Promise<number> {
  const [row] = await db.$queryRaw<
    { total: bigint }[]
  >`SELECT count(*) AS total FROM ${from} WHERE ${Prisma.join([...where], ' AND ')}`
  return Number(row?.total ?? 0)
}
