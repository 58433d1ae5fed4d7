// The definitions of custom fields.
import type { CustomField, CustomFieldTarget } from '#contract/custom-fields.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Actor } from '#contract/shared-fields.ts'
import { type CustomField as CustomFieldRow, Prisma } from '#prisma/generated/client.ts'
import { column, query } from '#prisma/statements.ts'
import type { Db } from '../execution/call.ts'
import { duplicate, notFoundById } from '../faults/shared-faults.ts'

/** The definitions that values on objects of this kind are checked against, archived ones included. */
export const findDefinitions = query(
  {
    key: column.text,
    type: column.text.of<CustomField['type']>(),
    options: column.text.list.present,
    required: column.bool,
    archived: column.bool,
  },
  (workspaceId: string, target: CustomFieldTarget) => Prisma.sql`
    SELECT key, type, options, required, archived_at IS NOT NULL AS archived FROM custom_field
    WHERE workspace_id = ${workspaceId}::uuid AND target = ${target}::text ORDER BY key`,
)

export async function findCustomFields(
  db: Db,
  where: Prisma.CustomFieldWhereInput,
  page: object,
): Promise<CustomField[]> {
  return (await db.customField.findMany({ where, ...page })).map(fromRow)
}

export async function findCustomField(db: Db, workspaceId: string, id: string): Promise<CustomField> {
  const row = await db.customField.findUnique({ where: { workspaceId_id: { workspaceId, id } } })
  if (row === null) throw notFoundById('custom field')
  return fromRow(row)
}

export async function assertNoDuplicate(db: Db, { workspaceId, target, key }: CustomField): Promise<void> {
  const existing = await db.customField.findUnique({
    where: { workspaceId_target_key: { workspaceId, target, key } },
    select: { id: true, archivedAt: true },
  })
  if (existing === null) return
  const { code, message, members } = duplicate('key', existing.id)
  throw new Fault(code, message, { ...members, ...(existing.archivedAt && { hint: 'It is archived: unarchive it.' }) })
}

export async function countOf(db: Db, { workspaceId, target }: CustomField): Promise<{ active: number; all: number }> {
  const { _count } = await db.customField.aggregate({
    where: { workspaceId, target },
    _count: { _all: true, archivedAt: true },
  })
  return { active: _count._all - _count.archivedAt, all: _count._all }
}

export async function insertCustomField(tx: Db, field: CustomField): Promise<void> {
  await tx.customField.create({ data: toRow(field) })
}

export async function updateCustomFieldRow(tx: Db, field: CustomField): Promise<void> {
  const { workspaceId, id, ...data } = toRow(field)
  await tx.customField.update({ where: { workspaceId_id: { workspaceId, id } }, data })
}

const fromRow = (row: CustomFieldRow): CustomField => ({
  ...row,
  object: 'custom_field',
  // The table's checks allow no other values.
  target: row.target as CustomField['target'],
  type: row.type as CustomField['type'],
  archivedAt: row.archivedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  createdBy: row.createdBy as Actor,
  updatedBy: row.updatedBy as Actor,
})

const toRow = ({ object: _object, ...field }: CustomField) => field
