// The feed of an installation that was restored from a backup: positions of before the backup are good, those of events
// that are no more are refused, and nothing is skipped.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logger } from '#runtime/log.ts'
import { openDatabase } from '#prisma/client.ts'
import { declareRestored } from '#prisma/restore.ts'
import { freshDatabase, freshPglite, type FreshDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { follow } from '../support/live-stream.ts'
import { callTool } from '../support/mcp.ts'
import { modes, startSystem, type Mode, type System, type Tenant } from '../support/system.ts'
import { callsOf, told } from './calls.ts'

type Page = { data: { sequence: number; type: string }[]; lastSequence: number; hasMore: boolean }

async function own(mode: Mode): Promise<{ database: FreshDatabase; restore(): Promise<unknown> }> {
  if (mode === 'distributed') {
    const database = await freshDatabase('postgres')
    return { database, restore: () => declareRestored({ url: database.url ?? '' }) }
  }
  const pglite = await freshPglite()
  const database = await openDatabase({ pglite })
  const disposable = { ...database, [Symbol.asyncDispose]: database.close }
  return { database: disposable, restore: () => declareRestored({ pglite }) }
}

describe.each(modes)('%s', (mode) => {
  let system: System
  let restore: () => Promise<unknown>
  beforeAll(async () => {
    const { database, ...rest } = await own(mode)
    await database.db.installation.create({ data: { id: 1, sealedProof: Buffer.from(''), createdAt: new Date() } })
    restore = rest.restore
    system = await startSystem(mode, {}, logger('fatal', 'test'), database)
  })
  afterAll(() => system[Symbol.asyncDispose]())

  const read = (tenant: Tenant, query: string): Promise<Page> => callsOf(tenant).get(`/events?${query}`)
  const create = (tenant: Tenant, name: string) => callsOf(tenant).post('/projects', { name })
  /** The gateway ends what is open when it hears of the restore, which may be while it is being opened. */
  const followed = ({ workspaceId }: Tenant, after: number) =>
    eventually(async () => {
      const path = `/settings/api/workspaces/${workspaceId}/events/stream`
      const stream = await follow(system.url + path, system.operatorToken, String(after))
      if (stream.resumed !== undefined) return stream
      stream.leave()
      return null
    }, 'an open stream')
  const usedEvents = async (tenant: Tenant): Promise<number> =>
    (await callsOf(tenant).get('/workspaces/current')).usage.eventsPerDay

  test('a position of the backup reads on, one of an event that came after it is 410 with what to do, in the API and in MCP', async () => {
    const tenant = await system.tenant()
    await create(tenant, 'in the backup')
    const inBackup = await tenant.lastSequence()

    await restore()

    const from = (after: number) => tenant.api('GET', `/api/v1/events?after=${after}`)
    const [lost, first] = [await from(inBackup + 1), await from(inBackup)]
    expect(told(lost)).toBe('410 feed_rewound')
    expect(lost.body).toMatchObject({ hint: expect.stringContaining('read all objects again'), restoredAt: inBackup })
    const { continuesAfter } = lost.body as { continuesAfter: number }
    expect(continuesAfter).toBeGreaterThan(inBackup + 1_000_000)
    expect(told(await from(continuesAfter - 1))).toBe('410 feed_rewound')
    expect(first.body).toEqual({ data: [], lastSequence: continuesAfter, hasMore: false })
    const { id } = await create(tenant, 'after it')
    for (const after of [inBackup, continuesAfter])
      expect(await read(tenant, `after=${after}`)).toMatchObject({
        data: [{ sequence: continuesAfter + 1, resource: { id } }],
        hasMore: false,
      })
    const refused = await callTool(tenant, 'changes.list', { since: String(inBackup + 1) })
    expect(JSON.stringify(refused)).toContain('feed_rewound')
    const changes = await callTool(tenant, 'changes.list', { since: String(inBackup) })
    expect(JSON.stringify(changes)).toContain(id)
  })

  test('whoever waits at the end of the backup gets the next event; who follows from a lost one is told that it does not go on', async () => {
    const tenant = await system.tenant()
    const inBackup = await tenant.lastSequence()
    await restore()

    const waiting = read(tenant, `after=${inBackup}&wait=20`)
    await create(tenant, 'the next')
    const page = await waiting
    const [lost, kept] = [await followed(tenant, inBackup + 1), await followed(tenant, inBackup)]
    await eventually(() => kept.told.length > 0, 'the next event')

    expect(page.data.map(({ type }) => type)).toEqual(['projects.created'])
    expect([lost.resumed, kept.resumed]).toEqual([false, true])
    expect(kept.told[0]?.data.sequence).toBe(page.lastSequence)
    for (const stream of [lost, kept]) stream.leave()
  })

  test('page by page, over two restores, each event is read once, whatever its type, and a day has as many as before', async () => {
    const tenant = await system.tenant()
    for (const name of ['1', '2']) await create(tenant, name)
    const used = await usedEvents(tenant)
    await restore()
    await restore()
    for (const name of ['3', '4']) await create(tenant, name)
    await restore()
    await create(tenant, '5')

    const names = async (types: string, limit: number) => {
      const seen: string[] = []
      for (let after = 0, more = true, pages = 0; more; pages++) {
        const page = await read(tenant, `after=${after}&limit=${limit}&eventTypes=${types}`)
        seen.push(...page.data.map((event) => (event as unknown as { data: { name: string } }).data.name))
        ;[after, more] = [page.lastSequence, page.hasMore]
        expect(pages).toBeLessThan(20)
      }
      return seen
    }
    expect(await names('projects.*', 1)).toEqual(['1', '2', '3', '4', '5'])
    expect(await names('projects.*', 2)).toEqual(['1', '2', '3', '4', '5'])
    expect(await names('projects.*', 200)).toEqual(['1', '2', '3', '4', '5'])
    expect(await usedEvents(tenant)).toBe(used + 3)
  })
})
