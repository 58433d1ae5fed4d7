// Collections between the contract and the tables.
import { Fault } from '#contract/fault.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { asColumns, columnOf } from './columns.ts'
import type { Db } from '../execution/handler.ts'
import type { Collection, Fields, Link, Resource } from './definition.ts'

type Query = { readonly where: Prisma.Sql; readonly tail?: Prisma.Sql; readonly all?: boolean }

export async function select<R extends Resource>(db: Db, collection: Collection<R>, query: Query): Promise<R[]> {
  const rows = await db.$queryRaw<Fields[]>(selection(collection, query))
  return rows.map(collection.fromRow)
}

/** `all`: with the fields that lists leave out. */
export function selection<R extends Resource>(
  { selected, selectedInLists, from }: Collection<R>,
  { where, tail = Prisma.empty, all = true }: Query,
): Prisma.Sql {
  return Prisma.sql`SELECT ${all ? selected : selectedInLists} FROM ${from} WHERE ${where} ${tail}`
}

/** Somebody else's, a deleted one, a hidden one and none at all are the same. */
export async function find<R extends Resource>(
  db: Db,
  collection: Collection<R>,
  workspaceId: string,
  id: string,
): Promise<R> {
  const found = await findAny(db, collection, workspaceId, id)
  if (found.deletedAt !== null) throw missing(collection)
  return found
}

/** Deleted or not. */
export async function findAny<R extends Resource>(
  db: Db,
  collection: Collection<R>,
  workspaceId: string,
  id: string,
): Promise<R> {
  const where = Prisma.sql`t.workspace_id = ${workspaceId}::uuid AND t.id = ${id}::uuid`
  const [found] = await select(db, collection, { where })
  if (found === undefined) throw missing(collection)
  return found
}

/** By a key or identifier that it has or had. Deleted or not. */
export async function findIdentified<R extends Resource>(
  db: Db,
  collection: Collection<R>,
  workspaceId: string,
  identifier: string,
): Promise<R> {
  const matchIdentifier = collection.matchIdentifier?.(identifier, workspaceId) ?? Prisma.sql`FALSE`
  const where = Prisma.sql`t.workspace_id = ${workspaceId}::uuid AND ${matchIdentifier}`
  const [found] = await select(db, collection, { where })
  if (found === undefined) throw missing(collection)
  return found
}

type ExternalKey = { readonly source: string; readonly externalId: string }

/** Deleted or not; null where there is none. */
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

export const missing = ({ noun }: Pick<Collection, 'noun'>): Fault => new Fault('not_found', `No ${noun} has this id.`)

export async function insert<R extends Resource>(tx: Db, collection: Collection<R>, next: R): Promise<R> {
  const { generatedOnInsert, columns, table } = collection
  const names = Prisma.raw(columns.join(', '))
  const row = Prisma.sql`${rowText(collection, next)}::jsonb`
  const isGenerated = generatedOnInsert !== undefined && next[generatedOnInsert.field] === ''
  const whole = isGenerated
    ? Prisma.sql`${row} || jsonb_build_object(${columnOf(generatedOnInsert.field)}::text, ${generatedOnInsert.value(next)})`
    : row
  const [written] = await tx.$queryRaw<{ generated: unknown }[]>`INSERT INTO ${Prisma.raw(table)} (${names})
    SELECT ${names} FROM jsonb_populate_record(NULL::${Prisma.raw(table)}, ${whole})
    RETURNING ${Prisma.raw(isGenerated ? columnOf(generatedOnInsert.field) : 'NULL')} AS generated`
  for (const link of collection.links) await insertLinks(tx, link, next)
  return isGenerated ? { ...next, [generatedOnInsert.field]: written?.generated } : next
}

/** Throws where the row is gone: the purge of deleted ones waits for nobody. */
export async function update<R extends Resource>(tx: Db, collection: Collection<R>, next: R, before: R): Promise<void> {
  const columns = Prisma.raw(collection.columns.join(', '))
  const table = Prisma.raw(collection.table)
  const written = await tx.$executeRaw`UPDATE ${table} SET (${columns}) = (
      SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, ${rowText(collection, next)}::jsonb)
    ) WHERE workspace_id = ${next.workspaceId}::uuid AND id = ${next.id}::uuid`
  if (written === 0) throw missing(collection)
  for (const link of collection.links) {
    if (sameList(linkedIn(next, link), linkedIn(before, link))) continue
    await deleteLinks(tx, link, next)
    await insertLinks(tx, link, next)
  }
}

function rowText<R extends Resource>({ columns }: Collection<R>, next: R): string {
  const row = asColumns(next)
  return JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column]])))
}

async function insertLinks(tx: Db, link: Link, next: Resource): Promise<void> {
  const values = linkedIn(next, link)
  if (values.length === 0) return
  await tx.$executeRaw`
    INSERT INTO ${Prisma.raw(`${link.table} (workspace_id, ${link.owner}, ${link.column}, position)`)}
    SELECT ${next.workspaceId}::uuid, ${next.id}::uuid, value, place
    FROM unnest(${values}::${Prisma.raw(`${link.type}[]`)}) WITH ORDINALITY AS given (value, place)`
}

async function deleteLinks(tx: Db, { table, owner }: Link, { workspaceId, id }: Resource): Promise<void> {
  await tx.$executeRaw`DELETE FROM ${Prisma.raw(table)}
    WHERE workspace_id = ${workspaceId}::uuid AND ${Prisma.raw(owner)} = ${id}::uuid`
}

const linkedIn = (object: Resource, { field }: Link): string[] =>
  ((object as unknown as Fields)[field] as string[] | undefined) ?? []

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, n) => value === other[n])
