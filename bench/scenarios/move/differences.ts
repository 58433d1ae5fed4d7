// Two exports compared, field by field: everything but what each installation gives by itself (ids, versions, the time
// and the key of the import). Pure.
import { isDeepStrictEqual } from 'node:util'
import type { CrmEntity } from '#contract/crm-entities.ts'
import { historyOf, type Exported } from './translate.ts'

const ofEach: ReadonlySet<string> = new Set([
  'workspaceId',
  'version',
  'updatedAt',
  'createdBy',
  'updatedBy',
  'externalSource',
  'externalId',
])

export function differences(before: Exported, after: Exported, installation: string): string[] {
  const formerId = new Map(after.entities.map((entity) => [entity.id, idIn(entity, installation)]))
  const moved = new Map(after.entities.map((entity) => [formerId.get(entity.id), entity]))
  const emailsBefore = emailsOf(before)
  const emailsAfter = emailsOf(after)
  const found = before.entities.flatMap((entity) => {
    const now = moved.get(entity.id)
    if (now === undefined) return [`${entity.id} is not there`]
    const one = portable(entity, (id) => emailsBefore.get(id) ?? id, installation)
    const other = portable(now, (id) => emailsAfter.get(id) ?? formerId.get(id) ?? id, installation)
    return [...new Set([...Object.keys(one), ...Object.keys(other)])]
      .filter((field) => !isDeepStrictEqual(one[field], other[field]))
      .map(
        (field) =>
          `${entity.kind} ${entity.id}, ${field}: ${JSON.stringify(one[field])} became ${JSON.stringify(other[field])}`,
      )
  })
  const further = after.entities.length - before.entities.length
  return further > 0 ? [...found, `${further} objects more than before`] : found
}

const idIn = ({ externalIds }: CrmEntity, installation: string) =>
  externalIds.find(({ source }) => source === installation)?.id ?? ''

const emailsOf = ({ members }: Exported) => new Map(members.map(({ id, email }) => [id, email]))

/** The fields with names that hold in both installations. */
function portable(
  entity: CrmEntity,
  nameOf: (id: string) => string,
  installation: string,
): Readonly<Record<string, unknown>> {
  const fields = Object.entries(entity).filter(([field]) => !ofEach.has(field))
  const named = (value: unknown): unknown => {
    if (typeof value === 'string') return nameOf(value)
    if (Array.isArray(value)) return value.map(named)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, named(inner)]))
  }
  return {
    ...Object.fromEntries(fields.map(([field, value]) => [field, named(value)])),
    externalIds: entity.externalIds.filter(({ source }) => source !== installation),
    imported: historyOf(entity),
  }
}
