// The objects that a field names must exist in the workspace and not be deleted. The tables' foreign keys demand that
// they exist; this tells the caller which of them does not, and refuses deleted ones too.
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/handler.ts'
import type { Collection } from './define.ts'
import type { Reference } from './definition.ts'
import type { Fields, Resource } from './resource.ts'

/** Throws `reference_not_found`. Checks new ids only: an object that was named before may be deleted by now. */
export async function assertReferences<R extends Resource>(
  { references }: Collection<R>,
  next: R,
  before: R | null,
  { db, workspaceId }: Call,
): Promise<void> {
  const asked = references.flatMap((reference) => {
    const known = before === null ? [] : idsIn(before, reference)
    const ids = idsIn(next, reference).filter((id) => !known.includes(id))
    return ids.length === 0 ? [] : [{ reference, ids }]
  })
  if (asked.length === 0) return
  const missing = await db.$queryRaw<{ field: string; id: string }[]>`${Prisma.join(
    asked.map(({ reference, ids }) => missingOf(reference, ids, workspaceId)),
    ' UNION ALL ',
  )}`
  if (missing.length > 0) throw refusal(missing, next)
}

function missingOf(
  { field, table, condition = 'TRUE' }: Reference,
  ids: readonly string[],
  workspaceId: string,
): Prisma.Sql {
  return Prisma.sql`SELECT ${field}::text AS field, given.id::text AS id FROM unnest(${[...ids]}::uuid[]) AS given (id)
    WHERE NOT EXISTS (SELECT FROM ${Prisma.raw(table)} r WHERE r.workspace_id = ${workspaceId}::uuid
      AND r.id = given.id AND r.deleted_at IS NULL AND ${Prisma.raw(condition)})`
}

function idsIn(object: Fields, { field }: Reference): string[] {
  const value = object[field]
  return value === null || value === undefined ? [] : [value].flat().map(String)
}

function refusal(missing: readonly { field: string; id: string }[], next: Fields): Fault {
  const errors = missing.map(({ field, id }): FieldError => {
    const value = next[field]
    const pointer = Array.isArray(value) ? `/${field}/${value.indexOf(id)}` : `/${field}`
    return { pointer, code: 'not_found', detail: 'Does not exist in this workspace.' }
  })
  const fields = [...new Set(missing.map(({ field }) => `\`${field}\``))].join(', ')
  return new Fault('reference_not_found', `${fields} names an object that this workspace does not have.`, { errors })
}
