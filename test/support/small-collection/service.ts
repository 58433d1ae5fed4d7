// The real execution of operations, with vehicles beside all others, on a database with the table of the migration.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operationNamed, operations as operationsOfProduct } from '#contract/api.ts'
import type { Operation } from '#contract/operation.ts'
import { scopes } from '#contract/scopes.ts'
import type { Database } from '#prisma/client.ts'
import { keyring } from '#runtime/keyring.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { startChain } from '../../../service/audit/rows.ts'
import { collectionHandlers } from '../../../service/collection/operations.ts'
import { constraintFieldsIn } from '../../../service/collections.ts'
import { openDatabaseSlots } from '../../../service/execution/database-slots.ts'
import { executor } from '../../../service/execution/execute.ts'
import type { Handlers } from '../../../service/execution/call.ts'
import { idempotencyStore } from '../../../service/execution/idempotency.ts'
import { databaseFaults } from '../../../service/faults/database-faults.ts'
import { pager } from '../../../service/collection/pagination.ts'
import { resolvingNames, resolvingNamesInAll } from '../../../service/resolve-names.ts'
import { recorders } from '../../../service/handlers.ts'
import { findWorkspace } from '../../../service/workspaces/rows.ts'
import { secretOfTests, stageOn, type Rows } from '../../dispatcher/stage.ts'
import { connectionsOfTests } from '../database.ts'
import { principalWith } from '../principal-headers.ts'
import { eachWithVehicles } from './collection.ts'
import { operations } from './contract.ts'

// A test states by its assertions what it expects of an answer.
// oxlint-disable-next-line typescript/no-explicit-any
type Called = (name: string, input: object) => Promise<any>

/** With a workspace of its own. */
export async function serviceWithVehicles(db: Database): Promise<Rows & { readonly call: Called }> {
  const rows = await stageOn(db)
  await startChain(db, rows.workspaceId)
  const execute = executorWithVehicles(db)
  const held = [...scopes, 'vehicles:read', 'vehicles:write', 'vehicles:delete']
  const principal = principalWith({ workspaceId: rows.workspaceId, scopes: held })
  return {
    ...rows,
    call: async (name, input) => (await execute({ operation: operationWithVehicles(name), input, principal })).body,
  }
}

/** As `contract/api.ts` finds it. */
function operationWithVehicles(name: string): Operation {
  return operations.find((operation) => operation.name === name) ?? operationNamed(name)
}

export const operationsWithVehicles = [...operationsOfProduct, ...operations]

export async function migrate(db: Database, without = /^(?!)/): Promise<void> {
  const text = readFileSync(join(import.meta.dirname, 'migration.sql'), 'utf8')
  const statements = text.split(';\n').filter((statement) => statement.trim() !== '' && !without.test(statement))
  for (const statement of statements) await db.$executeRawUnsafe(statement)
}

function executorWithVehicles(db: Database) {
  const keyFor = (purpose: string) => deriveKey(secretOfTests, purpose)
  const faultOfDatabase = databaseFaults(constraintFieldsIn(eachWithVehicles))
  const named = { operationNamed: operationWithVehicles, resolvingNames }
  const parts = { pager: pager(keyFor('cursors')), faultOfDatabase, ...named }
  return executor({
    db,
    slots: openDatabaseSlots(connectionsOfTests),
    faultOfDatabase,
    ...recorders,
    // Operations of other nouns are not called here.
    handlers: resolvingNamesInAll(collectionHandlers(eachWithVehicles, parts), operationWithVehicles) as Handlers,
    idempotency: idempotencyStore(keyring([], { internalSecret: secretOfTests }, 'idempotency')),
    assertWorkspace: findWorkspace,
    recordRefusal: () => {},
    notifyEvents: () => {},
    notifyKeyChange: () => {},
  })
}
