// A domain belongs to one company of the workspace and an email to one contact. Deleted entities keep theirs: they can
// be restored.
import type { CrmEntity } from '#contract/crm-entities.ts'
import { Fault } from '#contract/faults/fault.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Link } from '../collection/definition.ts'
import type { Call, Db } from '../execution/handler.ts'
import { taken } from '../faults/value-taken.ts'

export const domains: Link = {
  field: 'domains',
  table: 'crm_domain',
  owner: 'crm_entity_id',
  column: 'domain',
  type: 'text',
}
export const emails: Link = {
  field: 'emails',
  table: 'crm_email',
  owner: 'crm_entity_id',
  column: 'email',
  type: 'text',
}

export async function resolve(next: CrmEntity, before: CrmEntity | null, { db }: Pick<Call, 'db'>): Promise<CrmEntity> {
  if (before !== null && before.deletedAt !== null && next.deletedAt === null) assertNotMerged(next)
  if (next.kind === 'company')
    await assertFree(db, domains, next, next.domains, before?.kind === 'company' ? before.domains : [])
  if (next.kind === 'contact')
    await assertFree(db, emails, next, next.emails, before?.kind === 'contact' ? before.emails : [])
  return next
}

function assertNotMerged({ mergedIntoId }: CrmEntity): void {
  if (mergedIntoId === null) return
  throw new Fault('invalid_transition', 'It was merged into another CRM entity, which has what it had.', {
    from: 'merged',
    to: 'restored',
    allowed: [],
    mergedIntoId,
  })
}

type Owned = { readonly value: string; readonly id: string; readonly deletedAt: Date | null }

async function assertFree(
  db: Db,
  { field, table, column }: Link,
  { workspaceId, id, kind }: CrmEntity,
  values: readonly string[],
  known: readonly string[],
): Promise<void> {
  const added = values.filter((value) => !known.includes(value))
  if (added.length === 0) return
  const [owned] = await db.$queryRaw<Owned[]>`
    SELECT ${Prisma.raw(`l.${column}`)} AS value, e.id, e.deleted_at AS "deletedAt"
    FROM ${Prisma.raw(table)} l JOIN crm_entity e ON e.workspace_id = l.workspace_id AND e.id = l.crm_entity_id
    WHERE l.workspace_id = ${workspaceId}::uuid AND ${Prisma.raw(`l.${column}`)} = ANY(${added}::text[])
      AND l.crm_entity_id <> ${id}::uuid
    ORDER BY 1 LIMIT 1`
  if (owned === undefined) return
  const detail = `Another ${kind} has ${owned.value}.`
  throw taken(field, owned, detail, {
    errors: [{ pointer: `/${field}/${values.indexOf(owned.value)}`, code: 'not_unique', detail }],
  })
}
