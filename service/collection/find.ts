// Reads the objects of a collection from its table.
import type { Fault } from '#contract/faults/fault.ts'
import { withTextTimes } from '#prisma/direct-statements.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../execution/handler.ts'
import type { Collection } from './define.ts'
import type { Fields, Resource } from './resource.ts'
import { notFoundById } from '../faults/not-found.ts'

/**
 * `where` is a condition over `t`, `tail` what follows it; `all` adds the fields that are only shown on request; with
 * `only`, the objects have these fields alone; `from` is what is read in place of the collection's own.
 */
type Query = {
  readonly from?: Prisma.Sql
  readonly where: Prisma.Sql
  readonly tail?: Prisma.Sql
  readonly all?: boolean
  readonly only?: ReadonlySet<string> | undefined
}

export async function select<R extends Resource>(db: Db, collection: Collection<R>, query: Query): Promise<R[]> {
  const rows = await db.$queryRaw<Fields[]>(withTextTimes(selectStatement(collection, query)))
  return rows.map(collection.rowReader(query.only))
}

export function selectStatement<R extends Resource>(
  { selectAll, selectBrief, selectOnly, from: own }: Collection<R>,
  { from = own, where, tail = Prisma.empty, all = true, only }: Query,
): Prisma.Sql {
  const list = only === undefined ? (all ? selectAll : selectBrief) : selectOnly(only)
  return Prisma.sql`SELECT ${list} FROM ${from} WHERE ${where} ${tail}`
}

/** Throws `not_found` alike for an id of another workspace, of a deleted or hidden object, and of none at all. */
export async function find<R extends Resource>(
  db: Db,
  collection: Collection<R>,
  workspaceId: string,
  id: string,
): Promise<R> {
  const found = await findAny(db, collection, workspaceId, id)
  if (found.deletedAt !== null) throw notFound(collection)
  return found
}

/** The object, deleted or not. Throws `not_found`. */
export async function findAny<R extends Resource>(
  db: Db,
  collection: Collection<R>,
  workspaceId: string,
  id: string,
): Promise<R> {
  const where = Prisma.sql`t.workspace_id = ${workspaceId}::uuid AND t.id = ${id}::uuid`
  const [found] = await select(db, collection, { where })
  if (found === undefined) throw notFound(collection)
  return found
}

export type ExternalKey = { readonly source: string; readonly externalId: string }

/** The object, deleted or not. Returns null when none has this external id. */
export async function findByExternalId<R extends Resource>(
  db: Db,
  collection: Collection<R>,
  workspaceId: string,
  { source, externalId }: ExternalKey,
): Promise<R | null> {
  const where = Prisma.sql`t.workspace_id = ${workspaceId}::uuid
    AND t.external_source = ${source} AND t.external_id = ${externalId}`
  const [found] = await select(db, collection, { where })
  return found ?? null
}

export const notFound = ({ noun }: Pick<Collection, 'noun'>): Fault => notFoundById(noun)
