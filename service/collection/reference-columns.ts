// Where objects name others: in a column of their own table, or in a table of links.
import type { CrmKind } from '#contract/crm-kinds.ts'
import type { Actor } from '#contract/fields.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { columnOf } from './columns.ts'
import type { Call, Db } from '../execution/handler.ts'
import type { Collection } from './define.ts'
import type { Fields, Resource } from './resource.ts'
import type { Link } from './definition.ts'

export type Place = { readonly field: string; readonly table: string; readonly link?: Link | undefined }
/** Whatever holds the id `from`. */
export type Holder = { readonly workspaceId: string; readonly from: string }
/** The id of an entity that was merged into another, and that of the other. */
export type Move = Holder & { readonly kind: CrmKind; readonly to: string }
export type Moment = () => Date
export const commentPlace: Place = { field: 'crmEntityId', table: 'comment' }

/** Where objects of a collection name those of `named`, a table. */
export const placesOf = (
  { table, links, references }: Pick<Collection, 'table' | 'links' | 'references'>,
  named: string,
): Place[] =>
  references
    .filter((reference) => reference.table === named)
    .map(({ field }) => ({ field, table, link: links.find((link) => link.field === field) }))

/** The table and the column that hold the ids. */
export const columnAt = ({ field, table, link }: Place): readonly [table: string, column: string] =>
  link === undefined ? [table, columnOf(field)] : [link.table, link.column]

/** The rows that hold the id, as `table alias` and a condition on it. */
export function holding(place: Place, { workspaceId, from }: Holder): Prisma.Sql {
  const [held, column] = columnAt(place)
  return Prisma.sql`${Prisma.raw(held)} h
    WHERE h.workspace_id = ${workspaceId}::uuid AND ${Prisma.raw(`h.${column}`)} = ${from}::uuid`
}

/** Of the objects `t`: those that name it. */
export function naming(place: Place, holder: Holder): Prisma.Sql {
  const id = Prisma.raw(`h.${place.link === undefined ? 'id' : place.link.owner}`)
  return Prisma.sql`t.workspace_id = ${holder.workspaceId}::uuid AND t.id IN (SELECT ${id} FROM ${holding(place, holder)})`
}

/** The object as it names the survivor: once, and where it stood before. */
export function renamed<R extends Resource>(object: R, { field }: Place, { from, to }: Move): R {
  const value = (object as Fields)[field]
  if (!Array.isArray(value)) return { ...object, [field]: to }
  const ids = value.includes(to) ? value.filter((id) => id !== from) : value.map((id) => (id === from ? to : id))
  return { ...object, [field]: ids }
}

/** The object as it names nothing there. */
export function dropped<R extends Resource>(object: R, { field }: Place, { from }: Holder): R {
  const value = (object as Fields)[field]
  return { ...object, [field]: Array.isArray(value) ? value.filter((id) => id !== from) : null }
}

/** Of these objects, or of all that hold it. */
export async function drop(
  tx: Db,
  { field, table, link }: Place,
  { workspaceId, from }: Holder,
  objects: readonly string[] | null,
): Promise<void> {
  const column = Prisma.raw(link?.column ?? columnOf(field))
  const owner = Prisma.raw(link?.owner ?? 'id')
  const those = objects === null ? Prisma.empty : Prisma.sql`AND ${owner} = ANY(${[...objects]}::uuid[])`
  const held = Prisma.sql`workspace_id = ${workspaceId}::uuid AND ${column} = ${from}::uuid ${those}`
  if (link !== undefined) await tx.$executeRaw`DELETE FROM ${Prisma.raw(link.table)} WHERE ${held}`
  else await tx.$executeRaw`UPDATE ${Prisma.raw(table)} SET ${column} = NULL WHERE ${held}`
}

export async function rename(tx: Db, place: Place, move: Move): Promise<void> {
  const { link, table, field } = place
  if (link !== undefined) return renameLinks(tx, link, move)
  const column = Prisma.raw(columnOf(field))
  await tx.$executeRaw`UPDATE ${Prisma.raw(table)} SET ${column} = ${move.to}::uuid
    WHERE workspace_id = ${move.workspaceId}::uuid AND ${column} = ${move.from}::uuid`
}

async function renameLinks(tx: Db, link: Link, { workspaceId, from, to }: Move): Promise<void> {
  const [table, owner, column] = [link.table, link.owner, link.column].map((name) => Prisma.raw(name))
  await tx.$executeRaw`DELETE FROM ${table} h WHERE workspace_id = ${workspaceId}::uuid AND ${column} = ${from}::uuid
    AND EXISTS (SELECT FROM ${table} o WHERE o.workspace_id = h.workspace_id AND o.${owner} = h.${owner}
      AND o.${column} = ${to}::uuid)`
  await tx.$executeRaw`UPDATE ${table} SET ${column} = ${to}::uuid
    WHERE workspace_id = ${workspaceId}::uuid AND ${column} = ${from}::uuid`
}

type Version = {
  readonly workspaceId: string
  readonly id: string
  readonly updatedAt: string
  readonly updatedBy: Actor
}

/** The next versions of rows that have been written. */
export async function mark(tx: Db, table: string, changed: readonly Version[]): Promise<void> {
  const [first] = changed
  if (first === undefined) return
  const ids = changed.map(({ id }) => id)
  const times = changed.map(({ updatedAt }) => updatedAt)
  await tx.$executeRaw`
    UPDATE ${Prisma.raw(table)} t
    SET version = t.version + 1, updated_at = given.at, updated_by = ${JSON.stringify(first.updatedBy)}::jsonb
    FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS given (id, at)
    WHERE t.workspace_id = ${first.workspaceId}::uuid AND t.id = given.id`
}

/** Returns the times of changes that follow this call's own, each a millisecond after the one before. */
export function moments({ now }: Pick<Call, 'now'>): Moment {
  let count = 0
  return () => new Date(now.getTime() + (count += 1))
}
