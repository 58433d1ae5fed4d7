// The event feed through the gateway: complete, in order, and only what the key may read.
// Operations: events.get.
import { describe, expect, test } from 'vitest'
import { deleteOutdatedEvents } from '../../service/ledger/partition-maintenance.ts'
import { logger } from '#runtime/log.ts'
import { startTiers } from '../../standalone/tiers.ts'
import { describeModes, modes, must, sharedSystem, startSystem, type System, type Tenant } from '../support/system.ts'
import { clientOf } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'

type Page = { data: { sequence: number; type: string; occurredAt: string }[]; lastSequence: number; hasMore: boolean }
const read = async (tenant: Tenant, query: string): Promise<Page> =>
  must(await tenant.api('GET', `/api/v1/events?${query}`))

const create = async (tenant: Tenant, count: number, name: string): Promise<void> => {
  for (let n = 0; n < count; n++) must(await tenant.api('POST', '/api/v1/projects', { name: `${name} ${n}` }))
}

/** Reads on from where it was until it has seen everything up to `last`. */
async function follow(tenant: Tenant, from: number, reached: (sequence: number) => boolean): Promise<number[]> {
  const seen: number[] = []
  for (let after = from; !reached(after);) {
    const page = await read(tenant, `after=${after}&limit=7&wait=5`)
    seen.push(...page.data.map(({ sequence }) => sequence))
    after = page.lastSequence
  }
  return seen
}

const age = (system: System, workspaceId: string, upTo: number) =>
  system.db.$executeRaw`
    UPDATE event SET occurred_at = now() - interval '45 days' WHERE workspace_id = ${workspaceId}::uuid AND sequence <= ${upTo}`

describeModes('the feed', (mode) => {
  const { system } = sharedSystem(mode)

  test('a reader sees every sequence once and in order, without a gap, while many write', async () => {
    const tenant = await system.tenant()
    const reader = await tenant.key(['events:read', 'projects:read', 'api-keys:read'])
    const start = await tenant.lastSequence()
    const perWriter = 12
    const end = start + 4 * perWriter

    const reading = follow(reader, start, (sequence) => sequence >= end)
    await Promise.all(['A', 'B', 'C', 'D'].map((name) => create(tenant, perWriter, name)))

    expect(await reading).toEqual(Array.from({ length: end - start }, (_, n) => start + 1 + n))
  })

  test('a long poll is answered with the event once there is one', async () => {
    const tenant = await system.tenant()
    const after = await tenant.lastSequence()

    const waiting = read(tenant, `after=${after}&wait=20&eventTypes=projects.created`)
    await create(tenant, 1, 'Website')

    expect(await waiting).toMatchObject({
      data: [{ type: 'projects.created', sequence: after + 1 }],
      lastSequence: after + 1,
      hasMore: false,
    })
  })

  test('a long poll that times out gets an empty page, with a position after events of other types', async () => {
    const tenant = await system.tenant()
    const after = await tenant.lastSequence()
    await create(tenant, 1, 'Website')

    const page = await read(tenant, `after=${after}&wait=1&eventTypes=projects.deleted`)

    expect(page).toEqual({ data: [], lastSequence: after + 1, hasMore: false })
  })

  test('a key sees the event types whose resources it may read, and may ask for no others', async () => {
    const tenant = await system.tenant()
    await create(tenant, 1, 'Website')
    const keys = await tenant.key(['events:read', 'api-keys:read'])
    const none = await tenant.key(['events:read', 'deliveries:read'])

    const seen = await read(keys, '')
    const refused = await keys.api('GET', '/api/v1/events?eventTypes=projects.*')
    const everything = await keys.api('GET', '/api/v1/events?eventTypes=*')

    expect(new Set(seen.data.map(({ type }) => type))).toEqual(new Set(['api-keys.created']))
    expect(await read(none, '')).toMatchObject({ data: [], lastSequence: seen.lastSequence, hasMore: false })
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', requiredScopes: ['projects:read'] },
    })
    expect(everything).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect((await read(keys, 'eventTypes=api-keys.*')).data).toEqual(seen.data)
  })

  test.each([
    ['eventTypes=projects.invented', 'eventTypes'],
    ['eventTypes=invented.*', 'eventTypes'],
    ['wait=21', 'wait'],
    ['wait=soon', 'wait'],
    ['after=-1', 'after'],
    ['after=1000000', 'after'],
    ['limit=201', 'limit'],
    ['after=0&occurredAfter=2026-01-01T00:00:00Z', 'occurredAfter'],
  ])('%s is 400 and names the parameter', async (query, parameter) => {
    const tenant = await system.tenant()

    const answer = await tenant.api('GET', `/api/v1/events?${query}`)

    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_parameter', errors: [{ parameter }] } })
  })

  test('a time stands for the position before the first event after it', async () => {
    const tenant = await system.tenant()
    await create(tenant, 3, 'Website')
    const { data } = await read(tenant, '')
    const times = data.map(({ occurredAt }) => occurredAt)

    for (const [at, time] of times.entries())
      expect((await read(tenant, `occurredAfter=${time}`)).data).toEqual(data.slice(at + 1))
    expect((await read(tenant, 'occurredAfter=0001-01-01T00:00:00Z')).data).toEqual(data)
    expect(await read(tenant, 'occurredAfter=9999-12-31T00:00:00Z')).toEqual({
      data: [],
      lastSequence: data.at(-1)?.sequence,
      hasMore: false,
    })
  })

  test('a position before the oldest kept event is 410, and a read without position begins at the oldest', async () => {
    const tenant = await system.tenant()
    const first = await tenant.lastSequence()
    await create(tenant, 3, 'Website')
    await age(system, tenant.workspaceId, first + 1)
    await eventually(async () => (await system.db.outbox.count()) === 0, 'every event to be fanned out')

    expect(await deleteOutdatedEvents(system.db, 1)).toBe(first + 1)

    const expired = await tenant.api('GET', `/api/v1/events?after=${first}`)
    expect(expired).toMatchObject({ status: 410, body: { code: 'cursor_expired' } })
    expect(expired.body.hint).toContain('updatedAfter')
    const oldest = await read(tenant, '')
    expect(oldest.data.map(({ sequence }) => sequence)).toEqual([first + 2, first + 3])
    expect(await read(tenant, `after=${first + 1}`)).toEqual(oldest)
  })
})

describe.runIf(modes.includes('distributed'))('the feed, two services', () => {
  test('a long poll at one service is answered with what another service records', async () => {
    await using system = await startSystem('distributed')
    const second = await startTiers(system.settings, system.db, logger('fatal', 'second'))
    try {
      const tenant = await system.tenant()
      const after = await tenant.lastSequence()
      const elsewhere = clientOf(second.url, system.operatorToken)
      const authorization = `Bearer ${tenant.secret}`

      const waiting = read(tenant, `after=${after}&wait=20`)
      must(await elsewhere.call('POST', '/api/v1/projects', { name: 'Website' }, { authorization }))

      expect((await waiting).data).toMatchObject([{ type: 'projects.created', sequence: after + 1 }])
    } finally {
      await second.close()
    }
  })
})
