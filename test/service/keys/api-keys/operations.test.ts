// An overlap ends when its rotation said: a later rotation may shorten it and never lengthens it.
import { describe, expect, test } from 'vitest'
import { onPostgres } from '../../../support/database-engines.ts'
import { sharedService, type WorkspaceInService } from '../../quiet-service.ts'

const hourMs = 3_600_000
const oldestFirst = { orderBy: { createdAt: 'asc' } } as const

const key = {
  what: 'a key',
  path: '/api-keys',
  input: { name: 'k', scopes: ['projects:read'] },
  rotate: 'rotate',
  secrets: ({ db, workspaceId }: WorkspaceInService) =>
    db.apiKeySecret.findMany({ where: { workspaceId }, ...oldestFirst }),
  end: ({ db, workspaceId }: WorkspaceInService, expiresAt: Date) =>
    db.apiKeySecret.updateMany({ where: { workspaceId }, data: { expiresAt } }),
}
const webhook = {
  what: 'a webhook',
  path: '/webhooks',
  input: { name: 'w', url: 'https://example.com/hook', eventTypes: ['projects.*'] },
  rotate: 'rotate-secret',
  secrets: ({ db, workspaceId }: WorkspaceInService) =>
    db.webhookSecret.findMany({ where: { workspaceId }, ...oldestFirst }),
  end: ({ db, workspaceId }: WorkspaceInService, expiresAt: Date) =>
    db.webhookSecret.updateMany({ where: { workspaceId }, data: { expiresAt } }),
}

onPostgres(() => {
  const newWorkspace = sharedService('postgres')

  describe.each([key, webhook])('of $what', (of) => {
    async function given() {
      const workspace = await newWorkspace()
      const { id } = (await workspace.settings('POST', of.path, of.input)).body as { id: string }
      /** When each secret ends, the oldest first. */
      const ends = async () => (await of.secrets(workspace)).map(({ expiresAt }) => expiresAt)
      const rotate = async (overlapHours: number) => {
        const path = `${of.path}/${id}/${of.rotate}`
        expect(await workspace.settings('POST', path, { overlapHours })).toMatchObject({ status: 200 })
        return ends()
      }
      return { rotate, ends, end: (at: Date) => of.end(workspace, at) }
    }

    test('no rotation lengthens the overlap of the one before, and one without overlap ends it', async () => {
      const { rotate, ends } = await given()

      const [first] = await rotate(1)
      const [, second] = await rotate(48)
      const untouched = await ends()
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

    test('a secret that has ended stays ended', async () => {
      const { rotate, end } = await given()
      const over = new Date(Date.now() - hourMs)
      await end(over)

      expect(await rotate(24)).toEqual([over, null])
    })
  })
})
