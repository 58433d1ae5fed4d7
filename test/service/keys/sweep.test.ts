// Looking at all keys in parts: each part reads its own keys alone, one service at a time does one, and none is left
// out.
import { expect, test } from 'vitest'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { sweepRotationDue } from '../../../service/keys/api-keys/rotation-due.ts'
import { dueStatement } from '../../../service/keys/api-keys/rows.ts'
import { everyKey, sweepKeys, type KeyRange } from '../../../service/keys/api-keys/sweep-rows.ts'
import { workspaceRow } from '../../prisma/rows.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { onEachEngine, onPostgres } from '../../support/database-engines.ts'
import { freshDatabase } from '../../support/database.ts'
import { sharedService, type WorkspaceInService } from '../quiet-service.ts'

const dayMs = 86_400_000
const partMax = 500
const [keysPerWorkspace, workspaces] = [2_500, 4]

onPostgres(() => {
  test.each(['before', 'after'])('of 10,000 keys a part reads its own and their secrets, %s ANALYZE', async (when) => {
    await using database = await freshDatabase('postgres')
    const { db } = database
    for (const table of ['api_key', 'api_key_secret'])
      await db.$executeRawUnsafe(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`)
    for (let left = workspaces; left > 0; left--) await fill(db, left % 2 === 0 ? 365 : null)
    if (when === 'after') await db.$executeRawUnsafe('ANALYZE')
    const ranges: KeyRange[] = []
    const keep = (range: KeyRange): Promise<number> => Promise.resolve(ranges.push(range))
    for (let part = 0; part < 2; part++) {
      await sweepKeys(db, 'test', keep, partMax)
      await db.backgroundSweep.updateMany({ data: { nextAt: new Date(0) } })
    }

    expect(ranges[1]?.after).toEqual(ranges[0]?.end)
    for (const range of ranges) {
      expect(await rowsRead(db, range, 'api_key')).toBe(partMax)
      expect(await rowsRead(db, range, 'api_key_secret')).toBe(partMax)
    }
    expect(await rowsRead(db, everyKey, 'api_key')).toBe(keysPerWorkspace * workspaces)
  })
})

/** Keys of a workspace of their own, each with a secret, of which half have a maximum age; none is due. */
async function fill(db: Database, maxKeyAgeDays: number | null): Promise<void> {
  const { id } = await db.workspace.create({ data: { ...workspaceRow(), maxKeyAgeDays } })
  await db.$executeRaw`
    INSERT INTO api_key (workspace_id, id, bound, name, scopes, surfaces, ip_allowlist, max_age_days, version,
      created_at, updated_at, created_by)
    SELECT ${id}::uuid, gen_random_uuid(), true, 'Key', '{projects:read}', '{http}', '{}',
      CASE WHEN n % 2 = 0 THEN 90 END, 1, now() - interval '30 days', now(), '{}'
    FROM generate_series(1, ${keysPerWorkspace}) n`
  await db.$executeRaw`
    INSERT INTO api_key_secret (hash, workspace_id, api_key_id, prefix, created_at)
    SELECT sha256(id::text::bytea), workspace_id, id, 'prefix', created_at FROM api_key WHERE workspace_id = ${id}::uuid`
}

type Plan = {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

async function rowsRead(db: Database, range: KeyRange, table: string): Promise<number> {
  const explained = Prisma.sql`EXPLAIN (ANALYZE, FORMAT JSON) ${dueStatement(range)}`
  const [row] = await db.$queryRaw<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(explained)
  const nodes = row === undefined ? [] : nodesOf(row['QUERY PLAN'][0].Plan)
  return nodes
    .filter((node) => node['Relation Name'] === table)
    .reduce(
      (sum, node) => sum + node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
      0,
    )
}

onEachEngine((kind) => {
  const newWorkspace = sharedService(kind)
  const again = ({ db }: WorkspaceInService) => db.backgroundSweep.updateMany({ data: { nextAt: new Date(0) } })
  /** Looks at every key once, in parts of one. */
  async function sweepAll(workspace: WorkspaceInService): Promise<void> {
    for (let isOver = false; !isOver;) {
      await again(workspace)
      await sweepRotationDue(changeDeps(workspace.db), 1)
      const { afterId } = await workspace.db.backgroundSweep.findFirstOrThrow()
      isOver = /^[0-]+$/.test(afterId)
    }
  }

  test('in parts of one every key that is due is found once, and of two services one waits for its turn', async () => {
    const workspace = await newWorkspace()
    const { settings, db } = workspace
    const create = async (maxAgeDays: number): Promise<string> => {
      const given = { name: 'Sync', scopes: ['projects:read'], rotationPolicy: { maxAgeDays } }
      const { id } = (await settings('POST', '/api-keys', given)).body
      await db.apiKeySecret.updateMany({
        where: { apiKeyId: id },
        data: { createdAt: new Date(Date.now() - 31 * dayMs) },
      })
      return id
    }
    const due = [await create(30), await create(1), await create(31)]
    await create(32)
    await db.backgroundSweep.deleteMany()
    const turns = await Promise.all([1, 2].map(() => sweepRotationDue(changeDeps(db), 1)))
    await sweepAll(workspace)
    await sweepAll(workspace)

    expect(turns.filter((turn) => turn === null)).toHaveLength(1)
    const { workspaceId } = workspace
    const told = await db.event.findMany({ where: { workspaceId, type: 'api-keys.rotation_due' } })
    expect(told.map(({ resourceId }) => resourceId).toSorted()).toEqual(due.toSorted())
  })

  test('a part that fails holds up none of those after it', async () => {
    const workspace = await newWorkspace()
    const { settings, db } = workspace
    for (const name of ['One', 'Two']) await settings('POST', '/api-keys', { name, scopes: ['projects:read'] })
    await db.backgroundSweep.deleteMany()
    const ends: string[] = []
    const look = ({ end }: KeyRange): Promise<number> => Promise.reject(new Error(`Not now ${ends.push(end.id)}`))
    for (let part = 0; part < 2; part++) {
      await expect(sweepKeys(db, 'failing', look, 1)).rejects.toThrow('Not now')
      await again(workspace)
    }

    expect(new Set(ends).size).toBe(2)
  })
})
