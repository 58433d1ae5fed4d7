// A small collection goes through the check-list of docs/adding-an-operation.md; a place that is forgotten is named.
import { beforeAll, expect, test } from 'vitest'
import { eventCatalogue, operationNamed, operations, schemas, streams, tags, transfers } from '#contract/api.ts'
import { openApi } from '#contract/openapi/document.ts'
import type { CollectionSegment, Scope } from '#contract/scopes.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { collectionHandlers } from '../../service/collection/operations.ts'
import { constraintFieldsIn, eachCollection } from '../../service/collections.ts'
import { databaseFaults } from '../../service/faults/database-faults.ts'
import { pager } from '../../service/collection/pagination.ts'
import { purgeDeleted, purgeableIn } from '../../service/purge-rows.ts'
import { resolvingNames } from '../../service/resolve-names.ts'
import { searchStatement, searchedKindsIn } from '../../service/search/rows.ts'
import { projectRow } from '../prisma/rows.ts'
import * as places from '../support/collection-places.ts'
import { freshDatabase } from '../support/database.ts'
import { onEachEngine, sharedDatabase } from '../support/database-engines.ts'
import { eachWithVehicles, vehicles } from '../support/small-collection/collection.ts'
import * as small from '../support/small-collection/contract.ts'
import { migrate, operationsWithVehicles, serviceWithVehicles } from '../support/small-collection/service.ts'

const eventsWithVehicles = [...eventCatalogue, ...Object.values(small.events)]
const contract = {
  streams,
  transfers,
  operations: operationsWithVehicles,
  events: eventsWithVehicles,
  schemas: { ...schemas, Vehicle: small.Vehicle },
  tags: [...tags, small.vehiclesTag],
}

// Keys that the service draws itself, and never twice.
const ofNoCaller = `access_reset_account_id_fkey access_reset_token_hash_key account_identity_account_id_fkey
  account_identity_account_id_key alarm_occasion_key audit_entry_workspace_id_id_key authenticator_account_id_fkey
  authenticator_account_id_key email_change_account_id_fkey email_change_token_hash_key factor_challenge_account_id_fkey
  invitation_token_hash_key member_account_id_fkey member_account_id_key passkey_account_id_fkey
  passkey_credential_id_key recovery_code_account_id_fkey replay_job_running_key
  session_account_id_fkey session_token_hash_key`.split(/\s+/)

onEachEngine((kind) => {
  const database = sharedDatabase(kind)
  beforeAll(() => migrate(database.db))

  test('it is created, read, listed, counted, changed and found like any other, and tells of it', async () => {
    const { call, db, workspaceId } = await serviceWithVehicles(database.db)
    const { id: projectId } = await db.project.create({ data: projectRow(workspaceId) })

    const van = await call('vehicles.create', { name: 'Blue van', plate: 'B-1', projectId })
    const upserted = { source: 'fleet', externalId: '7', name: 'Car', plate: 'B-2' }
    const { outcome, matchedBy, ...car } = await call('vehicles.upsert', upserted)

    expect(van).toMatchObject({ object: 'vehicle', name: 'Blue van', version: 1, projectId })
    expect([outcome, matchedBy]).toEqual(['created', null])
    const expanded = await call('vehicles.get', { id: van.id, expand: ['project'] })
    expect(expanded).toMatchObject({ project: { id: projectId } })
    expect(await call('vehicles.get-by-external-id', { source: 'fleet', externalId: '7' })).toEqual(car)
    expect((await call('vehicles.list', { sort: ['name'] })).data).toEqual([van, car])
    expect((await call('vehicles.list', { projectId: [projectId] })).data).toEqual([van])
    expect((await call('vehicles.count', { groupBy: ['projectId'] })).total).toBe(2)
    const search = searchStatement(searchedKindsIn(eachWithVehicles), { q: 'blu' }, [small.segment], workspaceId)
    expect(await db.$queryRaw(search)).toMatchObject([{ type: 'vehicles', title: 'Blue van', identifier: 'B-1' }])
    const changed = await call('vehicles.update', { id: van.id, name: 'Red van' })
    expect(changed).toMatchObject({ name: 'Red van', version: 2 })
    expect(await db.event.findMany({ where: { workspaceId }, orderBy: { sequence: 'asc' } })).toMatchObject([
      { type: 'vehicles.created', projectId },
      { type: 'vehicles.created', projectId: null },
      { type: 'vehicles.updated', projectId },
    ])
  })

  test('it is deleted, restored and purged like any other; one that was deleted long ago goes for good', async () => {
    const { call, db } = await serviceWithVehicles(database.db)
    const van = await call('vehicles.create', { name: 'Van', plate: 'B-1', externalSource: 'fleet', externalId: '7' })

    await call('vehicles.delete', { id: van.id })
    await expect(call('vehicles.get', { id: van.id })).rejects.toMatchObject({ code: 'not_found' })
    expect(await call('vehicles.restore', { id: van.id })).toMatchObject({ name: 'Van', deletedAt: null })
    await call('vehicles.delete-by-external-id', { source: 'fleet', externalId: '7' })
    await call('vehicles.purge', { id: van.id })
    await expect(call('vehicles.restore', { id: van.id })).rejects.toMatchObject({ code: 'purged' })
    expect(await call('vehicles.create', { name: 'Its heir', plate: 'B-1' })).toMatchObject({ plate: 'B-1' })

    await db.$executeRaw`UPDATE vehicle SET deleted_at = now() - interval '31 days' WHERE id = ${van.id}::uuid`
    expect(await purgeDeleted(db, 500, purgeableIn(eachWithVehicles))).toBe(1)
    expect((await call('vehicles.list', { includeDeleted: true })).data).toHaveLength(1)
  })

  test('a batch acts on each item alone, and what the table refuses names the field', async () => {
    const { call, workspaceId } = await serviceWithVehicles(database.db)
    const create = (data: object) => ({ action: 'create', data })
    const items = [create({ name: 'A', plate: 'B-1' }), create({ name: 'B', plate: 'B-1' }), create({ name: 'C' })]

    const { results } = await call('vehicles.batch', { items })

    expect(results).toMatchObject([
      { status: 201, data: { name: 'A' } },
      { status: 409, problem: { code: 'duplicate', field: 'plate' } },
      { status: 422, problem: { errors: [{ pointer: '/items/2/data/plate', code: 'required' }] } },
    ])
    const missing = call('vehicles.create', { name: 'D', plate: 'B-4', projectId: workspaceId })
    await expect(missing).rejects.toMatchObject({ code: 'reference_not_found' })
  })

  test('every constraint that a caller’s values can meet is known by its field', async () => {
    // Nobody but the service writes partitions. A row of a link table goes with the row that it belongs to.
    const names = await database.db.$queryRaw<{ name: string }[]>`
      SELECT i.relname::text AS name FROM pg_index JOIN pg_class i ON i.oid = indexrelid
      JOIN pg_class t ON t.oid = indrelid
      WHERE indisunique AND NOT t.relispartition AND i.relname LIKE '%\\_key'
      UNION SELECT conname::text FROM pg_constraint WHERE contype = 'f' AND conname NOT LIKE '%\\_workspace\\_id\\_%'`

    const fields = constraintFieldsIn(eachWithVehicles)
    const unknown = names.map(({ name }) => name).filter((name) => !fields.has(name.replace(/_f?key$/, '')))
    expect(unknown.toSorted()).toEqual(ofNoCaller)
  })

  test('what a migration has forgotten is named, for every collection', async () => {
    await using unmigrated = await freshDatabase(kind)
    const { db } = unmigrated

    expect(await places.forgottenInTables(db, eachCollection)).toEqual([])
    expect(await places.forgottenInTables(db, eachWithVehicles)).toContain('prisma/migrations/ make no vehicle.plate')
    await migrate(db, /vehicle_external_id_key|vehicle_search_words_idx/)
    expect(await places.forgottenInTables(db, eachWithVehicles)).toEqual([
      'prisma/migrations/ make no vehicle_external_id_key',
      'prisma/migrations/ make no vehicle_search_words_idx',
    ])
  })
})

test('a service that binds a collection whose operations the table of contents does not find does not start', () => {
  const faultOfDatabase = databaseFaults(new Map())
  const parts = { pager: pager(deriveKey('secret', 'cursors')), faultOfDatabase, operationNamed, resolvingNames }

  expect(() => collectionHandlers(eachWithVehicles, parts)).toThrow('The contract has no operation vehicles.create')
})

test('nothing is forgotten in the table of contents, the collections, texts and starters, and what is is named', () => {
  const { filters: _filters, ...others } = vehicles
  const { name: _name, ...sorts } = vehicles.sorts
  const incomplete = { ...others, filters: {}, sorts, expansions: {} }
  const without = operationsWithVehicles.filter(({ name }) => name !== 'vehicles.count')

  expect(places.forgottenInContract(eachCollection, operations, eventCatalogue)).toEqual([])
  expect(places.forgottenInContract(eachWithVehicles, operationsWithVehicles, eventsWithVehicles)).toEqual([])
  expect(places.forgottenInCollection(eachWithVehicles, operationsWithVehicles)).toEqual([])
  expect([
    ...places.forgottenInText(eachCollection, operations),
    ...places.forgottenInStarters(eachCollection),
  ]).toEqual([])
  expect(places.forgottenInContract(eachWithVehicles, without, eventsWithVehicles)).toEqual([
    'contract/api.ts does not find vehicles.count',
  ])
  expect(places.forgottenInCollection((visit) => [visit(incomplete)], small.operations)).toEqual([
    'vehicles have no filter projectId',
    'vehicles have no sort name',
    'vehicles have no expansion project',
  ])
  expect(places.forgottenInText(eachWithVehicles, operationsWithVehicles)).toEqual([
    'the description of search.query in contract/search.ts does not name vehicles',
    'the summary of the API in contract/openapi/document.ts does not name vehicles',
  ])
  expect(places.forgottenInStarters(eachWithVehicles)).toEqual([
    'clients/starter/typescript/sync.ts does not fetch vehicles',
    'clients/starter/python/sync.py does not fetch vehicles',
  ])
})

test('it is described, under its tag; without a tag the description names it', () => {
  const described = openApi(contract) as { paths: Record<string, object>; tags: object[] }

  expect(Object.keys(described.paths).filter((path) => path.startsWith('/api/v1/vehicles'))).toHaveLength(9)
  expect(described.tags.at(-1)).toEqual({ name: 'vehicles', description: 'Vehicles of the workspace.' })
  expect(() => openApi({ ...contract, tags })).toThrow('No resource declares a tag for vehicles')
})

test('the compiler refuses a collection without scopes, a sentence for each, a line in the list, or its own functions', () => {
  // @ts-expect-error contract/scopes.ts has no line for vehicles
  const known: CollectionSegment = 'vehicles'
  // @ts-expect-error nor scopes of them, which contract/scopes.ts would have to explain
  const scope: Scope = 'vehicles:read'
  type Bound = Record<CollectionSegment | 'vehicles', unknown>
  // @ts-expect-error a list without it, as in service/collections.ts or the sections of service/resources/sources.ts
  const bound: Bound = { projects: 1, tasks: 1, 'crm-entities': 1, documents: 1 }
  const { erased: _erased, ...forgetful } = vehicles
  // @ts-expect-error what is left of a purged one is not said
  const complete: typeof vehicles = forgetful

  expect([known, scope, Object.keys(bound), complete.table]).toBeDefined()
})
