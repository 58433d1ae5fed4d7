import { expect, test } from 'vitest'
import { databaseFaults } from '../../../service/faults/database-faults.ts'
import { onEachEngine, sharedDatabase } from '../../support/database-engines.ts'

const faultOfDatabase = databaseFaults(new Map())

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  test.each([
    ['is given up is a timeout', '57014', { code: 'timeout', status: 504 }],
    ['waits in a circle is tried again', '40P01', { code: 'unavailable', members: { retryAfterSeconds: 1 } }],
  ])('a statement that %s', async (_, state, fault) => {
    const raising = `DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '${state}'; END $$`

    expect(await database.db.$executeRawUnsafe(raising).catch(faultOfDatabase)).toMatchObject(fault)
  })
})

test('an error that is none of the database’s refusals stays what it is', () => {
  const error = new Error('something else')

  expect(faultOfDatabase(error)).toBe(error)
})
