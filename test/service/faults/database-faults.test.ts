import { expect, test } from 'vitest'
import { databaseFaults } from '../../../service/faults/database-faults.ts'
import { freshDatabase } from '../../support/database.ts'
import { onEachEngine } from '../../support/database-engines.ts'

const faultOfDatabase = databaseFaults(new Map())

onEachEngine((kind) => {
  test('a statement that the database gives up is a timeout, and one that waits in a circle is tried again', async () => {
    await using database = await freshDatabase(kind)
    const raised = (state: string) =>
      database.db
        .$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '${state}'; END $$`)
        .catch(faultOfDatabase)

    expect(await raised('57014')).toMatchObject({ code: 'timeout', status: 504 })
    expect(await raised('40P01')).toMatchObject({ code: 'unavailable', members: { retryAfterSeconds: 1 } })
  })

  test('an error that is none of the database’s refusals stays what it is', async () => {
    const error = new Error('something else')

    expect(faultOfDatabase(error)).toBe(error)
  })
})
