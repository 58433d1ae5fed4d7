// Turns the lines of an export into the rows of an import. Each object keeps its id as an external id of the system
// that it leaves, and references use that id; members are found by their email. Pure.
import type { CrmEntity } from '#contract/crm-entities.ts'
import type { CustomField } from '#contract/custom-fields.ts'
import type { Member } from '#contract/members.ts'
import type { Line } from './place.ts'

export type Exported = {
  readonly members: readonly Member[]
  readonly fields: readonly CustomField[]
  readonly entities: readonly CrmEntity[]
}

/** Throws for a file that is not whole. */
export function exportedIn(lines: readonly Line[]): Exported {
  const { object, counts = {} } = (lines.at(-1) ?? {}) as { object?: string; counts?: Readonly<Record<string, number>> }
  const those = <T>(name: string, resource: string): T[] => {
    const found = lines.filter((line) => line['object'] === name)
    if (found.length !== counts[resource])
      throw new Error(`The export counts ${counts[resource]} ${resource}, and has ${found.length}`)
    return found as T[]
  }
  if (object !== 'export_end') throw new Error('The export has no end')
  return {
    members: those('member', 'members'),
    fields: those('custom_field', 'custom-fields'),
    entities: those('crm_entity', 'crm-entities'),
  }
}

/** Fields that an import does not take: they come of others, or of the import itself. */
const ofTheImport: ReadonlySet<string> = new Set([
  ...['id', 'object', 'workspaceId', 'version', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy', 'deletedAt'],
  ...['closedAt', 'mergedIntoId', 'externalSource', 'externalId', 'externalIds', 'imported'],
])

export function rowsFrom({ members, fields, entities }: Exported, installation: string): Line[] {
  const emails = new Map(members.map(({ id, email }) => [id, email]))
  const personal = new Set(fields.filter(({ type }) => type === 'user').map(({ target, key }) => `${target} ${key}`))
  const named = (id: string | null | undefined) => (typeof id === 'string' ? `ext:${installation}/${id}` : id)
  const byEmail = (id: unknown) => emails.get(String(id)) ?? null
  return importOrder(entities).map((entity): Line => {
    const own = Object.entries(entity).filter(
      ([field]) => !ofTheImport.has(field) && !(entity.kind === 'contact' && field === 'name'),
    )
    const customFields = Object.entries(entity.customFields).map(([key, value]) => [
      key,
      personal.has(`${entity.kind} ${key}`) ? byEmail(value) : value,
    ])
    return {
      ...Object.fromEntries(own),
      ownerId: byEmail(entity.ownerId),
      customFields: Object.fromEntries(customFields),
      ...('companyId' in entity && { companyId: named(entity.companyId) }),
      ...('parentCompanyId' in entity && { parentCompanyId: named(entity.parentCompanyId) }),
      ...('contactIds' in entity && { contactIds: entity.contactIds.map(named) }),
      externalSource: installation,
      externalId: entity.id,
      externalIds: [{ source: installation, id: entity.id }, ...entity.externalIds],
      imported: historyOf(entity),
    }
  })
}

/** Times and author of the object in the system that it leaves. */
export const historyOf = (entity: CrmEntity) => {
  const { createdAt, createdBy, updatedAt, imported } = entity
  return {
    createdAt,
    updatedAt: imported?.updatedAt ?? updatedAt,
    createdBy: imported?.createdBy ?? { name: createdBy.name, email: null },
    ...(entity.kind === 'deal' && entity.closedAt !== null && { closedAt: entity.closedAt }),
  }
}

/** Those that others name first: parents before their companies, then contacts, then deals. */
function importOrder(entities: readonly CrmEntity[]): CrmEntity[] {
  const byId = new Map(entities.map((entity) => [entity.id, entity]))
  const depthOf = (entity: CrmEntity | undefined): number =>
    entity?.kind === 'company' && entity.parentCompanyId !== null ? 1 + depthOf(byId.get(entity.parentCompanyId)) : 0
  const rank = (entity: CrmEntity) =>
    entity.kind === 'company' ? depthOf(entity) : Number.MAX_SAFE_INTEGER - (entity.kind === 'contact' ? 1 : 0)
  const ranked = entities.map((entity) => ({ entity, at: rank(entity) }))
  return ranked.toSorted((one, other) => one.at - other.at).map(({ entity }) => entity)
}
