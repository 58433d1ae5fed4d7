// What the webhooks of a workspace may send to one host: a rate, and 50 requests before the host has answered 2xx.
import { expect, test } from 'vitest'
import { forgetHosts, hostLimits, unprovenRequestsMax } from '../../../dispatcher/attempt/host-limits.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { sharedStages, type Stage } from '../stage.ts'

const openStage = sharedStages()
const ample = 1_000_000
const raise = (error: unknown) => {
  throw error
}
const limitsOf = ({ db }: Stage, perSecond = ample, nowMs?: () => number) =>
  hostLimits({ db, perSecond, onError: raise, ...(nowMs && { nowMs }) })

onEachEngine((kind) => {
  test('a host that has never answered 2xx gets 50 requests over all webhooks, dispatchers and ports', async () => {
    await using stage = await openStage(kind)
    const { workspaceId } = stage
    const [one, other] = [limitsOf(stage), limitsOf(stage)]
    const to = (port: number) => ({
      workspaceId,
      url: `https://Victim.example${port % 2 === 0 ? '.' : ''}:${port}/hook?n=${port}`,
    })

    const admitted = []
    for (let n = 0; n < unprovenRequestsMax; n++) admitted.push(await (n % 2 === 0 ? one : other).admit(to(1_000 + n)))
    const further = [await one.admit(to(1)), await other.admit(to(2))]

    expect(admitted.every((held) => held === null)).toBe(true)
    expect(further).toEqual(['host_unproven', 'host_unproven'])
    expect(await one.admit({ workspaceId, url: 'https://elsewhere.example/' })).toBeNull()
  })

  test('then one request is made every 15 minutes, and the first 2xx frees the host for good', async () => {
    await using stage = await openStage(kind)
    const { db, workspaceId } = stage
    const [one, other] = [limitsOf(stage), limitsOf(stage)]
    const to = { workspaceId, url: 'https://slow.example/' }
    await one.admit(to)
    await db.receivingHost.updateMany({ data: { sent: unprovenRequestsMax, nextAt: new Date(Date.now() - 1) } })

    const probes = [await one.admit(to), await one.admit(to), await other.admit(to)]
    const { nextAt } = await db.receivingHost.findFirstOrThrow()
    one.noteDelivered(to)
    const proven = await eventually(
      async () => (await db.receivingHost.findFirstOrThrow()).provenAt,
      'the host is proven',
    )

    expect(probes).toEqual([null, 'host_unproven', 'host_unproven'])
    expect(nextAt.getTime() - Date.now()).toBeGreaterThan(14 * 60_000)
    expect(proven).toBeInstanceOf(Date)
    expect([await one.admit(to), await other.admit(to), await limitsOf(stage).admit(to)]).toEqual([null, null, null])
  })

  test('a host that no webhook names any more is forgotten a month after, and no other', async () => {
    await using stage = await openStage(kind)
    const { db, workspaceId } = stage
    await stage.webhook({ url: 'https://named.example/hook' })
    const hosts = { 'named.example': 31, 'old.example': 31, 'new.example': 29 }
    for (const [host, days] of Object.entries(hosts))
      await db.receivingHost.create({
        data: { workspaceId, host, sent: 1, nextAt: new Date(Date.now() - days * 86_400_000) },
      })

    expect(await forgetHosts(db)).toBe(1)

    const left = await db.receivingHost.findMany({ select: { host: true }, orderBy: { host: 'asc' } })
    expect(left.map(({ host }) => host)).toEqual(['named.example', 'new.example'])
  })
})

test('a host gets no more than the rate: a second’s worth at once, what waits a second in turn, the rest later', async () => {
  await using stage = await openStage()
  const limits = limitsOf(stage, 5, () => 10_000)
  const to = { workspaceId: stage.workspaceId, url: 'https://busy.example/' }
  limits.noteDelivered(to)

  const held = await Promise.all(Array.from({ length: 13 }, () => limits.admit(to)))
  const elsewhere = await limits.admit({ ...to, url: 'https://other.example/' })

  expect(held.filter((one) => one === null)).toHaveLength(10)
  expect(held.filter((one) => one === 'host_busy')).toHaveLength(3)
  expect(elsewhere).toBeNull()
})

test('a delivery to a host that has had its requests waits without an attempt, and is sent once the host is proven', async () => {
  await using stage = await openStage()
  await using receiver = await startReceiver()
  const { db, workspaceId } = stage
  const webhook = await stage.webhook({ url: receiver.url })
  const nextAt = new Date(Date.now() + 900_000)
  await db.receivingHost.create({ data: { workspaceId, host: '127.0.0.1', sent: unprovenRequestsMax, nextAt } })
  const { happen } = await stage.start()
  const event = await happen()
  const held = await eventually(async () => {
    const row = await stage.delivery(event, webhook)
    return row?.lastErrorCode === 'host_unproven' ? row : null
  }, 'the delivery is held')
  const callsWhileHeld = receiver.calls.length
  await db.receivingHost.updateMany({ data: { provenAt: new Date() } })
  await db.delivery.updateMany({ where: { id: held.id }, data: { nextAttemptAt: new Date() } })

  expect(await stage.becomes('delivered', event, webhook)).toMatchObject({ attemptCount: 1, lastErrorCode: null })
  expect([callsWhileHeld, held.attemptCount, held.status]).toEqual([0, 0, 'pending'])
})
