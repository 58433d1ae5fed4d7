import { expect, test } from 'vitest'
import { services } from '../../support/services.ts'
import { quietService } from '../quiet-service.ts'
import { pageItemsMax } from '#contract/pagination.ts'

test.skipIf(services().postgres === null)(
  'pages of every size leave names for the statements that come after them',
  { timeout: 120_000 },
  async () => {
    await using service = await quietService('postgres')
    for (let limit = 1; limit <= pageItemsMax; limit++) {
      expect((await service.call('GET', `/tasks?limit=${limit}`)).status).toBe(200)
    }

    const named = await service.db.$queryRaw`SELECT name <> '' AS named FROM pg_prepared_statements
      WHERE statement LIKE '%later than all of them%'`

    expect(named).toEqual([{ named: true }])
  },
)
