// More keys than somebody makes by hand. The last one is the newest, so lists show it first.
import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { System } from '../../support/system.ts'

export async function manyKeys(
  { db }: System,
  workspaceId: string,
  count: number,
  nameOf: (n: number) => string,
): Promise<void> {
  const startedAt = Date.parse('2026-01-01T00:00:00Z')
  const keys = Array.from({ length: count }, (_, n) => ({
    workspaceId,
    id: uuid(),
    name: nameOf(n),
    description: null,
    bound: true,
    scopes: ['projects:read'],
    surfaces: ['http'],
    ipAllowlist: [],
    version: 1,
    createdAt: new Date(startedAt + n * 1_000),
    updatedAt: new Date(startedAt + n * 1_000),
    createdBy: { type: 'system', id: 'system', name: 'System' },
  }))
  await db.apiKey.createMany({ data: keys })
  await db.apiKeySecret.createMany({
    data: keys.map(({ id, createdAt }) => ({
      hash: randomBytes(32),
      workspaceId,
      apiKeyId: id,
      prefix: 'wsk_abcdefgh',
      createdAt,
    })),
  })
}
