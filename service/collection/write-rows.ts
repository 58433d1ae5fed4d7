// Writes the objects of a collection into its table and its link tables.
import { Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../execution/handler.ts'
import { asColumns, columnOf } from './columns.ts'
import type { Collection } from './define.ts'
import type { Link } from './definition.ts'
import { notFound } from './find.ts'
import type { Fields, Resource } from './resource.ts'

/** Returns the object as it was inserted, with the field that the database has generated. */
export async function insertRow<R extends Resource>(tx: Db, collection: Collection<R>, next: R): Promise<R> {
  const { generatedOnInsert: generated, columns, table } = collection
  const isGenerated = generated !== undefined && next[generated.field] === ''
  const names = Prisma.raw(columns.join(', '))
  const given = Prisma.sql`${rowText(collection, next)}::jsonb`
  const row = isGenerated
    ? Prisma.sql`${given} || jsonb_build_object(${columnOf(generated.field)}::text, ${generated.value(next)})`
    : given
  const [written] = await tx.$queryRaw<{ generated: unknown }[]>`INSERT INTO ${Prisma.raw(table)} (${names})
    SELECT ${names} FROM jsonb_populate_record(NULL::${Prisma.raw(table)}, ${row})
    RETURNING ${Prisma.raw(isGenerated ? columnOf(generated.field) : 'NULL')} AS generated`
  for (const link of collection.links) await insertLinks(tx, link, next)
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
    await insertLinks(tx, link, next)
  }
}

function rowText<R extends Resource>({ columns }: Collection<R>, next: R): string {
  const row = asColumns(next)
  return JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column]])))
}

async function insertLinks(tx: Db, link: Link, next: Resource): Promise<void> {
  const values = linkedValues(next, link)
  if (values.length === 0) return
  await tx.$executeRaw`
    INSERT INTO ${Prisma.raw(`${link.table} (workspace_id, ${link.owner}, ${link.column}, position)`)}
    SELECT ${next.workspaceId}::uuid, ${next.id}::uuid, value, position
    FROM unnest(${values}::${Prisma.raw(`${link.type}[]`)}) WITH ORDINALITY AS given (value, position)`
}

async function deleteLinks(tx: Db, { table, owner }: Link, { workspaceId, id }: Resource): Promise<void> {
  await tx.$executeRaw`DELETE FROM ${Prisma.raw(table)}
    WHERE workspace_id = ${workspaceId}::uuid AND ${Prisma.raw(owner)} = ${id}::uuid`
}

/** Empty for an object of a kind that has no such list. */
const linkedValues = (object: Fields, { field }: Link): readonly string[] =>
  (object[field] as readonly string[] | undefined) ?? []

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, n) => value === other[n])
