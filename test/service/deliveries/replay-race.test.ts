// A replay job that meets a delivery which somebody else is starting anew at the same moment.
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { replayBatch } from '../../../service/deliveries/replay-jobs.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { quietService } from '../quiet-service.ts'

const restarted = { status: 'pending', origin: 'replay', tries: 1, leaseOwner: 'a dispatcher' } as const

describe.skipIf(services().postgres === null)('on postgres', () => {
  test('a job leaves a delivery alone that was started anew while it waited for it', async () => {
    await using service = await quietService('postgres')
    const { db, workspaceId } = service
    const webhookId = await service.webhook({ url: 'https://example.com/hook' })
    const [id, eventId] = [uuid(), await service.event()]
    const at = new Date()
    await db.delivery.create({
      data: {
        workspaceId,
        id,
        eventId,
        eventType: 'projects.updated',
        webhookId,
        status: 'dead_letter',
        origin: 'live',
        attemptCount: 3,
        tries: 3,
        maxAttempts: 3,
        createdAt: at,
        deadLetteredAt: at,
      },
    })
    const job = (await service.call('POST', '/deliveries/replay', { filter: {} })).body.id
    const waiting = () => db.$queryRaw<unknown[]>`
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

    const running = await db.$transaction(async (tx) => {
      await tx.delivery.updateMany({ where: { id }, data: { ...restarted, deadLetteredAt: null } })
      const batch = replayBatch(service.db)
      await eventually(async () => (await waiting()).length > 0, 'the job to wait for the delivery')
      return { batch }
    })
    await running.batch

    expect(await db.delivery.findFirst()).toMatchObject(restarted)
    expect((await service.call('GET', `/deliveries/replay-jobs/${job}`)).body).toMatchObject({ replayed: 0 })
  })
})
