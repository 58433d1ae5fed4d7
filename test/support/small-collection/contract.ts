// A collection as small as one can be, declared as `contract/<resource>.ts` would: vehicles with a name, a plate that
// stands once in a workspace, and the project that they are used in.
import { Type, type Static } from 'typebox'
import { collection } from '#contract/collection/operations.ts'
import { expandable } from '#contract/collection/declaration.ts'
import { event } from '#contract/event.ts'
import { Id, Name, closed, externalIdFields, nullable, optional } from '#contract/shared-fields.ts'
import { contentFields } from '#contract/imports.ts'
import { optionalProjectFilter } from '#contract/collection/parameters.ts'
import { type Operation, tag } from '#contract/operation.ts'
import { ProjectReference } from '#contract/references.ts'

/** To the compiler vehicles are documents, whose scopes they have: a test cannot add to `contract/scopes.ts`. */
export const segment = 'vehicles' as string as 'documents'
const named = <A extends string>(action: A): `documents.${A}` => `${segment}.${action}`

const writable = {
  name: Name,
  plate: Type.String({ minLength: 1, maxLength: 20, format: 'line', description: 'Its number plate.' }),
  notes: nullable(Type.String({ maxLength: 2_000, description: 'What drivers should know.' })),
  projectId: nullable(Id),
  ...externalIdFields,
}

export const Vehicle = closed({ ...contentFields('vehicle'), ...writable })
export type Vehicle = Static<typeof Vehicle>

const expansions = { project: nullable(ProjectReference) }

export const events = {
  created: event(named('created'), Vehicle, 'A vehicle was created.'),
  updated: event(named('updated'), Vehicle, 'A vehicle was changed.'),
  deleted: event(named('deleted'), Vehicle, 'A vehicle was deleted.'),
  restored: event(named('restored'), Vehicle, 'A deleted vehicle was restored.'),
}

export const vehiclesTag = tag(segment, 'Vehicles of the workspace.')

const { name, plate, ...others } = writable

export const operations: readonly Operation[] = Object.values(
  collection({
    segment,
    singular: 'vehicle',
    resource: Vehicle,
    expanded: expandable(Vehicle, expansions),
    fields: { ...Vehicle.properties, ...expansions },
    expansions: Object.keys(expansions),
    create: { name, plate, ...optional(others) },
    patch: optional(writable),
    filters: { projectId: optionalProjectFilter },
    sorts: ['createdAt', 'updatedAt', 'name'],
    groups: ['projectId'],
    events,
  }),
)
