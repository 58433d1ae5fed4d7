// The rows of a collection: objects are read from its table, and written into it and its link tables. Lists and plain
// reads do not show deleted objects, nor those that are hidden because their project is deleted.
import { Fault } from '#contract/faults/fault.ts'
import { withTextTimes } from '#prisma/direct-statements.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Db, Call } from '../execution/call.ts'
import { notFoundById } from '../faults/shared-faults.ts'
import { columnOf, type Collection, type Fields, type Resource, type Link } from './definition.ts'

/**
 * `where` is a condition over `t`, `tail` what follows it; `all` adds the fields that are only shown on request; with
 * `only`, the objects have these fields alone; `from` is what is read in place of the collection's own.
 */
type SelectQuery = {
  readonly from?: Prisma.Sql
  readonly where: Prisma.Sql
  readonly tail?: Prisma.Sql
  readonly all?: boolean
  readonly only?: ReadonlySet<string> | undefined
}

export async function select<R extends Resource>(db: Db, collection: Collection<R>, query: SelectQuery): Promise<R[]> {
  const rows = await db.$queryRaw<Fields[]>(withTextTimes(selectStatement(collection, query)))
  return rows.map(collection.rowReader(query.only))
}

export function selectStatement<R extends Resource>(
  { selectAll, selectBrief, selectOnly, from: own }: Collection<R>,
  { from = own, where, tail = Prisma.empty, all = true, only }: SelectQuery,
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

/** The object, deleted or not. Returns null when none has this ID in this system. */
export async function findByExternalId<R extends Resource>(
  db: Db,
  collection: Collection<R>,
  workspaceId: string,
  { source, externalId }: ExternalKey,
): Promise<R | null> {
  const where = Prisma.sql`t.workspace_id = ${workspaceId}::uuid AND t.id = (SELECT e.object_id FROM external_id e
    WHERE e.workspace_id = ${workspaceId}::uuid AND e.object = ${collection.table}
      AND e.source = ${source} AND e.external_id = ${externalId})`
  const [found] = await select(db, collection, { where })
  return found ?? null
}

export const notFound = ({ noun }: Pick<Collection, 'noun'>): Fault => notFoundById(noun)

type RowReader = Pick<Call, 'db' | 'workspaceId'>

/** The same collection, with the objects that are hidden with their project. */
export const withHidden = <R extends Resource>(collection: Collection<R>): Collection<R> => ({
  ...collection,
  from: collection.fromAll,
})

/**
 * The same as the join of `from`, for statements that read much of a workspace. Before the database has counted its
 * rows it takes those of a join for very few, and chooses plans that are slow for many. This is a hash of deleted
 * projects.
 */
export const ofShownProject = (workspaceId: string): Prisma.Sql => Prisma.sql`(t.project_id IN (
  SELECT p.id FROM project p WHERE p.workspace_id = ${workspaceId}::uuid AND p.deleted_at IS NOT NULL)) IS NOT TRUE`

type DeletedProject = { readonly id: string; readonly purgedAt: Date | null }

/** The deleted project that hides the object; null when no project does. */
export async function deletedProjectOf(object: Fields, { db, workspaceId }: RowReader): Promise<DeletedProject | null> {
  const id = object['projectId']
  if (typeof id !== 'string') return null
  const where = { workspaceId, id, deletedAt: { not: null } }
  return db.project.findFirst({ where, select: { id: true, purgedAt: true } })
}

/** Throws `purged` when the object was purged by itself or with its project. */
export async function assertNotPurged(
  { table, noun }: Pick<Collection, 'table' | 'noun'>,
  object: Resource,
  call: RowReader,
): Promise<void> {
  const [row] = await call.db.$queryRaw<{ purgedAt: Date | null }[]>`
    SELECT purged_at AS "purgedAt" FROM ${Prisma.raw(table)}
    WHERE workspace_id = ${call.workspaceId}::uuid AND id = ${object.id}::uuid`
  const purgedAt = row?.purgedAt ?? (await deletedProjectOf(object, call))?.purgedAt ?? null
  if (purgedAt !== null) throw new Fault('purged', `This ${noun} was purged: nothing is left of it.`)
}

/** Inserts row and links by one statement. Returns the object with the field that the database has generated. */
export async function insertRow<R extends Resource>(tx: Db, collection: Collection<R>, next: R): Promise<R> {
  const { generatedOnInsert: generated, columns, table } = collection
  const isGenerated = generated !== undefined && next[generated.field] === ''
  const names = Prisma.raw(columns.join(', '))
  const given = Prisma.sql`${rowText(collection, next)}::jsonb`
  const row = isGenerated
    ? Prisma.sql`${given} || jsonb_build_object(${columnOf(generated.field)}::text, ${generated.value(next)})`
    : given
  const inserted = Prisma.sql`INSERT INTO ${Prisma.raw(table)} (${names})
    SELECT ${names} FROM jsonb_populate_record(NULL::${Prisma.raw(table)}, ${row})
    RETURNING ${Prisma.raw(isGenerated ? columnOf(generated.field) : 'NULL')} AS generated`
  const lists = collection.links.flatMap((link) => linksInserted(link, next) ?? [])
  const [written] = await tx.$queryRaw<{ generated: unknown }[]>(
    lists.length === 0
      ? inserted
      : Prisma.sql`WITH object AS (${inserted}), ${Prisma.join(lists.map((list, n) => Prisma.sql`${Prisma.raw(`list${n}`)} AS (${list})`))}
          SELECT generated FROM object`,
  )
  const { kept } = collection
  if (kept !== undefined && linkedValues(next, kept).length > 0) await kept.write(next, tx)
  return isGenerated ? { ...next, [generated.field]: written?.generated } : next
}

/** Throws `not_found` when the row no longer exists: the clean-up of deleted rows takes no workspace lock. */
export async function updateRow<R extends Resource>(
  tx: Db,
  collection: Collection<R>,
  next: R,
  before: R,
): Promise<void> {
  const columns = Prisma.raw(collection.columns.join(', '))
  const table = Prisma.raw(collection.table)
  const written = await tx.$executeRaw`UPDATE ${table} SET (${columns}) = (
      SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, ${rowText(collection, next)}::jsonb)
    ) WHERE workspace_id = ${next.workspaceId}::uuid AND id = ${next.id}::uuid`
  if (written === 0) throw notFound(collection)
  for (const link of collection.links) {
    if (sameList(linkedValues(next, link), linkedValues(before, link))) continue
    await deleteLinks(tx, link, next)
    const inserted = linksInserted(link, next)
    if (inserted !== null) await tx.$executeRaw(inserted)
  }
  const { kept } = collection
  if (kept !== undefined && !sameList(linkedValues(next, kept), linkedValues(before, kept))) await kept.write(next, tx)
}

function rowText<R extends Resource>({ columns, rowOf }: Collection<R>, next: R): string {
  const row = rowOf(next)
  return JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column]])))
}

/** Null where there are none. */
function linksInserted(link: Link, next: Resource): Prisma.Sql | null {
  const values = linkedValues(next, link)
  if (values.length === 0) return null
  const { table, owner, column, type, compared, isShared } = link
  const further = [...(compared === undefined ? [] : ['written']), ...(isShared === undefined ? [] : ['shared'])]
  const names = ['workspace_id', owner, column, 'position', ...further].join(', ')
  return Prisma.sql`
    INSERT INTO ${Prisma.raw(`${table} (${names})`)}
    SELECT ${next.workspaceId}::uuid, ${next.id}::uuid, value, position
      ${compared === undefined ? Prisma.empty : Prisma.sql`, nullif(written, value)`}
      ${isShared === undefined ? Prisma.empty : Prisma.sql`, ${isShared(next)}::boolean`}
    FROM unnest(${values.map((value) => compared?.(value) ?? value)}::${Prisma.raw(`${type}[]`)}, ${values}::text[])
      WITH ORDINALITY AS given (value, written, position)`
}

async function deleteLinks(tx: Db, { table, owner }: Link, { workspaceId, id }: Resource): Promise<void> {
  await tx.$executeRaw`DELETE FROM ${Prisma.raw(table)}
    WHERE workspace_id = ${workspaceId}::uuid AND ${Prisma.raw(owner)} = ${id}::uuid`
}

/** Empty for an object of a kind that has no such list. */
const linkedValues = (object: Fields, { field }: Pick<Link, 'field'>): readonly string[] =>
  (object[field] as readonly string[] | undefined) ?? []

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, n) => value === other[n])
