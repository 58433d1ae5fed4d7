// What a restore from a backup holds, in each way in which a delivery waits, until the operator has it sent or gives it
// up: nothing else sends it, and what comes after it is not held up.
// Operations: held-deliveries.get, held-deliveries.release.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { declareRestored } from '#prisma/restore.ts'
import { logger } from '#runtime/log.ts'
import { freshDatabase, freshPglite } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { modes, must, startSystem, type Mode, type System, type Tenant } from '../support/system.ts'
import { callsOf, told } from './calls.ts'

async function own(mode: Mode) {
  if (mode === 'distributed') {
    const database = await freshDatabase('postgres')
    return { database, restore: () => declareRestored({ url: database.url ?? '' }) }
  }
  const pglite = await freshPglite()
  const database = await openDatabase({ pglite })
  return {
    database: { ...database, [Symbol.asyncDispose]: database.close },
    restore: () => declareRestored({ pglite }),
  }
}

describe.each(modes)('%s', (mode) => {
  let system: System
  let restore: () => Promise<unknown>
  let receiver: Receiver
  let status = 200
  beforeAll(async () => {
    const { database, ...rest } = await own(mode)
    await database.db.installation.create({ data: { id: 1, sealedProof: Buffer.from(''), createdAt: new Date() } })
    restore = rest.restore
    receiver = await startReceiver(() => status)
    // What has failed once is not tried again in this test.
    system = await startSystem(mode, { retrySchedule: [3_000, 3_000] }, logger('fatal', 'test'), database)
  })
  afterAll(async () => {
    await system[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  const subscribe = async ({ api }: Tenant, more = {}): Promise<string> =>
    must(await api('POST', '/api/v1/webhooks', { name: 'W', url: receiver.url, eventTypes: ['projects.*'], ...more }))
      .id
  const create = async (tenant: Tenant, name: string): Promise<string> =>
    (await callsOf(tenant).post('/projects', { name })).id
  const deliveries = async (tenant: Tenant, query = '') =>
    must(await tenant.api('GET', `/api/v1/deliveries?limit=200${query}`)).data
  const sent = (name: string): number =>
    receiver.calls.filter(({ body }) => JSON.parse(body.toString()).data.name === name).length
  const attempted = (name: string, times: number) => eventually(() => sent(name) === times, `${name} ${times} times`)
  const held = async () => must(await system.operator('GET', '/settings/api/held-deliveries'))
  const release = async (body: object) =>
    must(await system.operator('POST', '/settings/api/held-deliveries/release', body))

  test('deliveries that wait for a retry, in a line, or for a paused webhook are held and shown; new ones are sent', async () => {
    const tenant = await system.tenant()
    const [plain] = [
      await subscribe(tenant),
      await subscribe(tenant, { order: 'object', headers: { 'x-which': 'ordered' } }),
    ]
    const paused = await subscribe(tenant)
    const pause = (id: string, state: string) => tenant.api('POST', `/api/v1/webhooks/${id}/${state}`)
    must(await pause(paused, 'pause'))
    status = 500
    const id = await create(tenant, 'A')
    await attempted('A', 2)
    must(await tenant.api('PATCH', `/api/v1/projects/${id}`, { name: 'B' }))
    await attempted('B', 1)
    status = 200
    await eventually(async () => (await deliveries(tenant, '&status=retrying')).length === 3, 'the failures')

    await restore()

    // A, B of three webhooks: retrying twice, once in line behind another, and twice of the paused one.
    const { heldSince, workspaces, ...counts } = await held()
    expect(Date.parse(heldSince)).toBeGreaterThan(0)
    expect(counts).toEqual({ object: 'held_deliveries', deliveries: 6, eventsWithoutDeliveries: 0 })
    expect(workspaces).toEqual([{ workspaceId: tenant.workspaceId, deliveries: 6, eventsWithoutDeliveries: 0 }])
    const shown = (await deliveries(tenant)) as { nextAttemptAt: null; lastErrorCode: string }[]
    expect(new Set(shown.map((each) => [each.nextAttemptAt, each.lastErrorCode].join()))).toEqual(
      new Set([',held_after_restore']),
    )

    // Neither pausing nor resuming a webhook lets them go, nor does a new event.
    must(await pause(plain, 'pause'))
    for (const webhook of [plain, paused]) must(await pause(webhook, 'enable'))
    await create(tenant, 'C')
    await attempted('C', 3)
    expect([sent('A'), sent('B'), (await held()).deliveries]).toEqual([2, 1, 6])

    expect(await release({ action: 'send' })).toEqual({
      object: 'released_deliveries',
      deliveries: 6,
      eventsWithoutDeliveries: 0,
      left: 0,
    })
    await attempted('A', 5)
    await attempted('B', 4)
    expect(await held()).toEqual({
      object: 'held_deliveries',
      heldSince: null,
      deliveries: 0,
      eventsWithoutDeliveries: 0,
      workspaces: [],
    })
    const ids = receiver.calls.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(9)
    const inLine = receiver.calls.filter(({ headers }) => headers['x-which'] === 'ordered').slice(-2)
    expect(inLine.map(({ body }) => JSON.parse(body.toString()).data.name)).toEqual(['A', 'B'])
  })

  test('of one workspace they are given up, and can be replayed; those of another stay held, as do events without deliveries', async () => {
    const [one, other] = [await system.tenant(), await system.tenant()]
    status = 500
    for (const tenant of [one, other]) await subscribe(tenant)
    await create(one, 'D')
    await create(other, 'E')
    await eventually(() => sent('D') === 1 && sent('E') === 1, 'the failures')
    status = 200
    await eventually(async () => (await deliveries(one, '&status=retrying')).length === 1, 'one retrying')
    await eventually(async () => (await deliveries(other, '&status=retrying')).length === 1, 'the other retrying')
    const eventId = (await deliveries(other))[0].eventId
    await system.db.outbox.create({
      data: { eventId, workspaceId: other.workspaceId, sequence: 1, createdAt: new Date(Date.now() + 3_600_000) },
    })
    await restore()

    const given = await release({ action: 'dead_letter', onlyWorkspaceId: one.workspaceId })

    expect(given).toEqual({ object: 'released_deliveries', deliveries: 1, eventsWithoutDeliveries: 0, left: 0 })
    const [dead] = await deliveries(one, '&status=dead_letter')
    expect(await held()).toMatchObject({
      deliveries: 1,
      eventsWithoutDeliveries: 1,
      workspaces: [{ workspaceId: other.workspaceId }],
    })
    must(await one.api('POST', `/api/v1/deliveries/${dead.id}/replay`))
    await attempted('D', 2)
    expect(await release({ action: 'dead_letter' })).toMatchObject({
      deliveries: 1,
      eventsWithoutDeliveries: 1,
      left: 0,
    })
    expect([await system.db.outbox.count(), sent('E'), (await held()).heldSince]).toEqual([0, 1, null])
  })

  test('neither a key nor a person may release them', async () => {
    const tenant = await system.tenant()
    const body = { action: 'send' }
    const byKey = await tenant.api('POST', '/settings/api/held-deliveries/release', body)

    expect(told(byKey)).toMatch(/^40[13] /)
    expect((await system.call('GET', '/settings/api/held-deliveries')).status).toBe(401)
  })
})
