import { expect, test } from 'vitest'
import { firstSetupLink } from '../../../../service/identity/setup/rows.ts'
import { freshDatabase } from '../../../support/database.ts'
import { onEachEngine } from '../../../support/database-engines.ts'

onEachEngine((kind) => {
  test('of processes that start at once one is given the link, and none that starts later, though the link has ended', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database

    const started = await Promise.all([1, 2, 3].map(() => firstSetupLink(db, 'https://example.com')))
    await db.setupToken.updateMany({ data: { expiresAt: new Date(0) } })
    const later = await firstSetupLink(db, 'https://example.com')

    const link = expect.stringMatching(/^https:\/\/example\.com\/settings\/setup#[\w-]{22}$/)
    const other = { state: 'made before' }
    expect(started).toHaveLength(3)
    expect(started).toEqual(expect.arrayContaining([{ state: 'made', link }, other, other]))
    expect(started.filter(({ state }) => state === 'made')).toHaveLength(1)
    expect(later).toEqual(other)
  })
})
