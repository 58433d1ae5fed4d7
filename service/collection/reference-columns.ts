// The columns in which objects name others by id: one of their own table, or one of a link table.
import { Prisma } from '#prisma/generated/client.ts'
import { columnOf } from './columns.ts'
import type { Collection } from './define.ts'
import type { Link } from './definition.ts'

/** The field of the objects in `table`. Their ids are in the link table, if there is one. */
export type ReferenceColumn = { readonly field: string; readonly table: string; readonly link?: Link | undefined }

/** The object whose id is looked for. */
export type Named = { readonly workspaceId: string; readonly id: string }

/** The columns in which objects of the collection name those of the table `named`. */
export const columnsNaming = (
  { table, links, references }: Pick<Collection, 'table' | 'links' | 'references'>,
  named: string,
): ReferenceColumn[] =>
  references
    .filter((reference) => reference.table === named)
    .map(({ field }) => ({ field, table, link: links.find((link) => link.field === field) }))

/** The table and the column that hold the ids. */
export const tableAndColumn = ({ field, table, link }: ReferenceColumn): readonly [table: string, column: string] =>
  link === undefined ? [table, columnOf(field)] : [link.table, link.column]

/** The rows that hold the id, for FROM: `<table> h WHERE …`. */
export function rowsNaming(reference: ReferenceColumn, { workspaceId, id }: Named): Prisma.Sql {
  const [table, column] = tableAndColumn(reference)
  return Prisma.sql`${Prisma.raw(table)} h
    WHERE h.workspace_id = ${workspaceId}::uuid AND ${Prisma.raw(`h.${column}`)} = ${id}::uuid`
}

/** The condition for objects `t` that name it. */
export function namesObject(reference: ReferenceColumn, named: Named): Prisma.Sql {
  const owner = Prisma.raw(`h.${reference.link?.owner ?? 'id'}`)
  const owners = Prisma.sql`SELECT ${owner} FROM ${rowsNaming(reference, named)}`
  return Prisma.sql`t.workspace_id = ${named.workspaceId}::uuid AND t.id IN (${owners})`
}
