// The filters by the time of the last change, of an object that was changed after it was made.
import { expect, test } from 'vitest'
import { quietService } from '../quiet-service.ts'

test('`updatedBefore` and `updatedAfter` ask when an object was changed last, not when it was made', async () => {
  await using service = await quietService('pglite')
  const { body: made } = await service.call('POST', '/projects', { name: 'a' })
  const { body: changed } = await service.call('PATCH', `/projects/${made.id}`, { name: 'b' })
  await service.db.project.updateMany({ data: { createdAt: new Date(Date.parse(changed.updatedAt) - 60_000) } })
  const found = async (filter: string): Promise<number> =>
    (await service.call('GET', `/projects?${filter}=${changed.updatedAt}`)).body.data.length

  expect(await found('updatedBefore')).toBe(0)
  expect(await found('createdBefore')).toBe(1)
  expect(await found('updatedAfter')).toBe(0)
})
