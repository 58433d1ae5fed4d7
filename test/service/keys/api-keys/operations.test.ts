// An overlap ends when its rotation said: a later rotation may shorten it and never lengthens it.
import { describe, expect, test } from 'vitest'
import { services } from '../../../support/services.ts'
import { quietService, type QuietService } from '../../quiet-service.ts'

const hourMs = 3_600_000
type Ends = readonly (Date | null)[]

const key = {
  make: ({ settings }: QuietService) => settings('POST', '/api-keys', { name: 'k', scopes: ['projects:read'] }),
  rotate: ({ settings }: QuietService, id: string, body: object) => settings('POST', `/api-keys/${id}/rotate`, body),
  /** When each secret ends, the oldest first. */
  ends: async ({ db }: QuietService): Promise<Ends> =>
    (await db.apiKeySecret.findMany({ orderBy: { createdAt: 'asc' } })).map(({ expiresAt }) => expiresAt),
  end: ({ db }: QuietService, at: Date) => db.apiKeySecret.updateMany({ data: { expiresAt: at } }),
}
const webhook: typeof key = {
  make: ({ settings }) =>
    settings('POST', '/webhooks', { name: 'w', url: 'https://example.com/hook', eventTypes: ['projects.*'] }),
  rotate: ({ settings }, id, body) => settings('POST', `/webhooks/${id}/rotate-secret`, body),
  ends: async ({ db }) =>
    (await db.webhookSecret.findMany({ orderBy: { createdAt: 'asc' } })).map(({ expiresAt }) => expiresAt),
  end: ({ db }, at) => db.webhookSecret.updateMany({ data: { expiresAt: at } }),
}

describe.skipIf(services().postgres === null)('on postgres', () => {
  test.each([
    ['a key', key],
    ['a webhook', webhook],
  ])('of %s, no rotation lengthens the overlap of the one before, and one without overlap ends it', async (_n, of) => {
    await using service = await quietService('postgres')
    const { id } = (await of.make(service)).body as { id: string }
    const rotate = async (overlapHours: number) => {
      expect(await of.rotate(service, id, { overlapHours })).toMatchObject({ status: 200 })
      return of.ends(service)
    }

    const [first] = await rotate(1)
    const [, second] = await rotate(48)
    const untouched = await of.ends(service)
    const before = Date.now()
    const shortened = await rotate(24)
    const ended = await rotate(0)

    expect(untouched).toEqual([first, second, null])
    expect([shortened[0], shortened[3]]).toEqual([first, null])
    expect(shortened[1]?.getTime()).toBeLessThan(second?.getTime() ?? 0)
    expect(shortened[1]?.getTime()).toBeGreaterThanOrEqual(before + 24 * hourMs)
    expect(shortened[2]).toEqual(shortened[1])
    expect(ended.slice(0, 4).every((at) => at !== null && at.getTime() <= Date.now())).toBe(true)
  })

  test.each([
    ['a key', key],
    ['a webhook', webhook],
  ])('of %s, a secret that has ended stays ended', async (_name, of) => {
    await using service = await quietService('postgres')
    const { id } = (await of.make(service)).body as { id: string }
    const over = new Date(Date.now() - hourMs)
    await of.end(service, over)

    expect(await of.rotate(service, id, { overlapHours: 24 })).toMatchObject({ status: 200 })

    expect(await of.ends(service)).toEqual([over, null])
  })
})
