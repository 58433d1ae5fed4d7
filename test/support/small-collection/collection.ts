// What vehicles have of their own, as `service/<noun>/collection.ts` says it, with the rules beside it.
import { columnIn } from '../../../service/collection/filters.ts'
import { define, type Definition, type EachCollection } from '../../../service/collection/definition.ts'
import { expandOne, projects } from '../../../service/collection/expand.ts'
import { assertExternalIdPair } from '../../../service/collection/rules.ts'
import { eachCollection } from '../../../service/collections.ts'
import { baseFields } from '../../../service/execution/system-fields.ts'
import { Vehicle, events, operations, segment } from './contract.ts'

type Given = Partial<Vehicle> & Pick<Vehicle, 'name' | 'plate'>

const none = { notes: null, externalSource: null, externalId: null, externalIds: [] }

export const vehicles = define<Vehicle, typeof segment>({
  segment,
  // As for `segment`: a test cannot add a scope, so the compiler takes vehicles for documents.
  operations: Object.fromEntries(
    operations.map(({ name }) => [name.replace(/^vehicles\./, ''), name]),
  ) as object as Definition<Vehicle, typeof segment>['operations'],
  noun: 'vehicle',
  object: 'vehicle',
  table: 'vehicle',
  titleColumn: 'name',
  textColumn: 'notes',
  inSearch: { identifier: 't.plate' },
  fields: Vehicle.properties,
  links: [],
  references: [{ field: 'projectId', table: 'project' }],
  filters: { projectId: columnIn('project_id', 'uuid') },
  sorts: {
    createdAt: { field: 'createdAt', sql: 't.created_at', type: 'timestamptz' },
    updatedAt: { field: 'updatedAt', sql: 't.updated_at', type: 'timestamptz' },
    name: { field: 'name', sql: 't.name', type: 'text' },
  },
  expansions: { project: expandOne(projects, 'projectId') },
  events,
  draft: (given, origin) =>
    consistent({
      ...baseFields('vehicle', origin),
      ...none,
      projectId: null,
      ...(given as Given),
    }),
  applyPatch: (before, patch) => consistent({ ...before, ...(patch as Partial<Vehicle>) }),
  erased: (deleted) => ({ ...deleted, ...none, name: '', plate: deleted.id }),
})

function consistent(vehicle: Vehicle): Vehicle {
  assertExternalIdPair(vehicle)
  return vehicle
}

/** The line that `service/collections.ts` would have. */
export const eachWithVehicles: EachCollection = (visit) => [...eachCollection(visit), visit(vehicles)]
