// The id of a merged entity becomes that of its survivor, in an object and in the rows that hold it.
import type { CrmKind } from '#contract/crm-entity-schema.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { columnOf } from '../collection/columns.ts'
import type { Link } from '../collection/definition.ts'
import type { Named, ReferenceColumn } from '../collection/reference-columns.ts'
import type { Fields, Resource } from '../collection/resource.ts'
import type { Db } from '../execution/handler.ts'

export type Merge = {
  readonly workspaceId: string
  readonly kind: CrmKind
  readonly sourceId: string
  readonly survivorId: string
}

export const sourceOf = ({ workspaceId, sourceId }: Merge): Named => ({ workspaceId, id: sourceId })

/** A list names the survivor once: where the source stood, or where the survivor stood already. Pure. */
export function replaceInObject<R extends Resource>(
  object: R,
  { field }: ReferenceColumn,
  { sourceId, survivorId }: Merge,
): R {
  const value = (object as Fields)[field]
  if (!Array.isArray(value)) return { ...object, [field]: survivorId }
  const ids = value.includes(survivorId)
    ? value.filter((id) => id !== sourceId)
    : value.map((id) => (id === sourceId ? survivorId : id))
  return { ...object, [field]: ids }
}

/** In every row of the workspace, those of deleted objects included. */
export async function replaceInRows(tx: Db, { link, table, field }: ReferenceColumn, merge: Merge): Promise<void> {
  if (link !== undefined) return replaceInLinks(tx, link, merge)
  const column = Prisma.raw(columnOf(field))
  await tx.$executeRaw`UPDATE ${Prisma.raw(table)} SET ${column} = ${merge.survivorId}::uuid
    WHERE workspace_id = ${merge.workspaceId}::uuid AND ${column} = ${merge.sourceId}::uuid`
}

/** Objects that name the survivor already only lose the source. */
async function replaceInLinks(tx: Db, link: Link, { workspaceId, sourceId, survivorId }: Merge): Promise<void> {
  const [table, owner, column] = [link.table, link.owner, link.column].map((name) => Prisma.raw(name))
  await tx.$executeRaw`DELETE FROM ${table} h
    WHERE workspace_id = ${workspaceId}::uuid AND ${column} = ${sourceId}::uuid
      AND EXISTS (SELECT FROM ${table} o WHERE o.workspace_id = h.workspace_id AND o.${owner} = h.${owner}
        AND o.${column} = ${survivorId}::uuid)`
  await tx.$executeRaw`UPDATE ${table} SET ${column} = ${survivorId}::uuid
    WHERE workspace_id = ${workspaceId}::uuid AND ${column} = ${sourceId}::uuid`
}
