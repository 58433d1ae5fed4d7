// Lists as the service answers them, where the walks over all lists do not look.
import { expect, test } from 'vitest'
import { pageItemsMax } from '#contract/pagination.ts'
import { onPostgres } from '../../support/database-engines.ts'
import { sharedService } from '../quiet-service.ts'

onPostgres(() => {
  const newWorkspace = sharedService('postgres')

  test('pages of every size leave names for the statements that come after them', async () => {
    const { call, db } = await newWorkspace()
    for (let limit = 1; limit <= pageItemsMax; limit++)
      expect((await call('GET', `/tasks?limit=${limit}`)).status).toBe(200)

    const named = await db.$queryRaw`SELECT name <> '' AS named FROM pg_prepared_statements
      WHERE statement LIKE '%later than all of them%'`

    expect(named).toEqual([{ named: true }])
  })

  test('`updatedBefore` and `updatedAfter` ask when an object was changed last, not when it was made', async () => {
    const { call, db, workspaceId } = await newWorkspace()
    const { body: made } = await call('POST', '/projects', { name: 'a' })
    const { updatedAt } = (await call('PATCH', `/projects/${made.id}`, { name: 'b' })).body
    const createdAt = new Date(Date.parse(updatedAt) - 60_000)
    await db.project.updateMany({ where: { workspaceId }, data: { createdAt } })

    const found = await Promise.all(
      ['updatedBefore', 'createdBefore', 'updatedAfter'].map((name) => call('GET', `/projects?${name}=${updatedAt}`)),
    )

    expect(found.map(({ body }) => body.data.length)).toEqual([0, 1, 0])
  })
})
