import { describe, expect, onTestFinished, test } from 'vitest'
import { firstSetupLink } from '../../../../service/identity/setup/rows.ts'
import { freshDatabase } from '../../../support/database.ts'
import { services } from '../../../support/services.ts'

describe.each(['pglite', 'postgres'] as const)('on %s', (kind) => {
  test.skipIf(kind === 'postgres' && services().postgres === null)(
    'of processes that start at once one is given the link, and none that starts later, though the link has ended',
    async () => {
      const { db, close } = await freshDatabase(kind)
      onTestFinished(close)

      const started = await Promise.all([1, 2, 3].map(() => firstSetupLink(db, 'https://example.com')))
      await db.setupToken.updateMany({ data: { expiresAt: new Date(0) } })
      const later = await firstSetupLink(db, 'https://example.com')

      expect(started.map(({ state }) => state).toSorted()).toEqual(['made', 'made before', 'made before'])
      expect(started.find(({ state }) => state === 'made')).toMatchObject({
        link: expect.stringMatching(/^https:\/\/example\.com\/settings\/setup#[\w-]{22}$/),
      })
      expect(later).toEqual({ state: 'made before' })
    },
  )
})
