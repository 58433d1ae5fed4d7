// Replay jobs that only the test runs: no background work.
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { deleteEndedJobs } from '../../../service/deliveries/replay-job-rows.ts'
import { replayBatch } from '../../../service/deliveries/replay-jobs.ts'
import { stageOn } from '../../dispatcher/stage.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { quietService, type QuietService } from '../quiet-service.ts'

const path = '/deliveries/replay'
const jobPath = (id: string) => `/deliveries/replay-jobs/${id}`
const url = 'https://example.com/hook'

/** Dead-lettered deliveries of one webhook, as old as they are many. */
async function deadLetters(service: QuietService, webhookId: string, count: number): Promise<void> {
  const { db, workspaceId } = service
  for (let n = 0; n < count; n++) {
    const createdAt = new Date(Date.now() - (count - n) * 1_000)
    const eventId = await service.event({ createdAt })
    await db.delivery.create({
      data: {
        workspaceId,
        id: uuid({ msecs: createdAt.getTime() }),
        eventId,
        eventType: 'projects.updated',
        webhookId,
        status: 'dead_letter',
        origin: 'live',
        attemptCount: 3,
        tries: 3,
        maxAttempts: 3,
        createdAt,
        deadLetteredAt: createdAt,
      },
    })
  }
}

const insertJob = ({ replayJob }: QuietService['db'], workspaceId: string) =>
  replayJob.create({
    data: {
      workspaceId,
      id: workspaceId,
      filter: {},
      status: 'running',
      total: 0,
      replayed: 0,
      createdBy: {},
      createdAt: new Date(),
      updatedAt: new Date(),
    },
  })

const started = (service: QuietService) => service.db.delivery.count({ where: { status: 'pending', origin: 'replay' } })

const job = async (service: QuietService, filter: object = {}): Promise<string> =>
  (await service.call('POST', path, { filter })).body.id

onEachEngine((kind) => {
  test('a job goes on from its position, batch by batch, and ends with the last', async () => {
    await using service = await quietService(kind)
    await deadLetters(service, await service.webhook({ url }), 5)
    const id = await job(service)

    const steps: unknown[] = []
    while ((await replayBatch(service.db, 2)) === 0) {
      const { body } = await service.call('GET', jobPath(id))
      steps.push([body.status, body.replayed, await started(service)])
    }

    expect(steps).toEqual([
      ['running', 2, 2],
      ['running', 4, 4],
      ['completed', 5, 5],
    ])
    expect(await service.db.delivery.findFirst()).toMatchObject({ tries: 0, attemptCount: 3, deadLetteredAt: null })
  })

  test('several processes that run a job at once replay each delivery once', async () => {
    await using service = await quietService(kind)
    await deadLetters(service, await service.webhook({ url }), 9)
    const id = await job(service)
    const work = async () => {
      for (let n = 0; n < 6; n++) await replayBatch(service.db, 2)
    }

    await Promise.all([work(), work(), work()])
    // A process that finds the job locked skips it.
    while ((await replayBatch(service.db, 2)) === 0);

    expect((await service.call('GET', jobPath(id))).body).toMatchObject({ status: 'completed', replayed: 9, total: 9 })
    expect(await started(service)).toBe(9)
  })

  test('deliveries that are dead-lettered again behind the position, or after the job was started, are not replayed', async () => {
    await using service = await quietService(kind)
    const webhook = await service.webhook({ url })
    await deadLetters(service, webhook, 3)
    const id = await job(service)
    await replayBatch(service.db, 2)
    await service.db.delivery.updateMany({
      where: { origin: 'replay' },
      data: { status: 'dead_letter', nextAttemptAt: null },
    })
    await service.db.delivery.updateMany({
      where: { origin: 'live' },
      data: { createdAt: new Date(Date.now() + 3_600_000) },
    })

    await replayBatch(service.db, 2)

    expect((await service.call('GET', jobPath(id))).body).toMatchObject({ status: 'completed', replayed: 2, total: 3 })
    expect(await started(service)).toBe(0)
  })

  test('a job with a rate starts no more than its share and goes on when it is time, whichever process looks', async () => {
    await using service = await quietService(kind)
    await deadLetters(service, await service.webhook({ url }), 3)
    const id = (await service.call('POST', path, { filter: {}, perMinute: 1 })).body.id
    const itIsTime = (at: Date) => service.db.replayJob.updateMany({ where: { id }, data: { resumeAt: at } })

    const steps: unknown[] = []
    for (const at of [new Date(), new Date(0), new Date(0)]) {
      await itIsTime(at)
      await replayBatch(service.db)
      const waitMs = await replayBatch(service.db)
      const { body } = await service.call('GET', jobPath(id))
      steps.push([body.status, body.replayed, await started(service), body.perMinute, waitMs > 0])
    }

    expect(steps).toEqual([
      ['running', 1, 1, 1, true],
      ['running', 2, 2, 1, true],
      ['completed', 3, 3, 1, true],
    ])
  })

  test('a job that waits for its time keeps no other back, and can be cancelled', async () => {
    await using service = await quietService(kind)
    await deadLetters(service, await service.webhook({ url }), 2)
    const { body: slow } = await service.call('POST', path, { filter: {}, perMinute: 1 })
    await replayBatch(service.db)
    const other = await stageOn(service.db)
    await insertJob(service.db, other.workspaceId)

    expect(await replayBatch(service.db)).toBe(0)
    expect(await service.db.replayJob.count({ where: { status: 'completed' } })).toBe(1)
    expect((await service.call('DELETE', jobPath(slow.id))).status).toBe(204)
    expect((await service.call('GET', jobPath(slow.id))).body).toMatchObject({
      status: 'cancelled',
      cancelReason: 'requested',
      replayed: 1,
    })
  })

  test('one job runs at a time in a workspace; once it is cancelled it replays no more, and another may start', async () => {
    await using service = await quietService(kind)
    await deadLetters(service, await service.webhook({ url }), 3)
    const id = await job(service)
    await replayBatch(service.db, 2)

    const second = await service.call('POST', path, { filter: {} })
    const cancelled = await service.call('DELETE', jobPath(id))
    const again = await service.call('DELETE', jobPath(id))

    expect(second).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
    expect([cancelled.status, again.status]).toEqual([204, 204])
    expect(await replayBatch(service.db, 2)).toBeGreaterThan(0)
    expect(await started(service)).toBe(2)
    const after = (await service.call('GET', jobPath(id))).body
    expect(after).toMatchObject({ status: 'cancelled', replayed: 2 })
    expect(after.endedAt).not.toBeNull()
    expect(await service.call('POST', path, { filter: {} })).toMatchObject({ status: 202, body: { total: 1 } })
  })

  test.each([
    ['deleted', 'webhook_deleted'],
    ['paused', 'webhook_paused'],
    ['disabled', 'webhook_disabled'],
  ])('a job whose webhook is %s before it is through is cancelled, and says so', async (change, cancelReason) => {
    await using service = await quietService(kind)
    const [webhook, other] = [await service.webhook({ url }), await service.webhook({ url })]
    await deadLetters(service, webhook, 3)
    const id = await job(service, { webhookId: webhook })
    await replayBatch(service.db, 2)
    const at = new Date()
    const data = change === 'deleted' ? { deletedAt: at } : { status: change, statusChangedAt: at }
    await service.db.webhook.updateMany({ where: { id: webhook }, data })

    await replayBatch(service.db, 2)

    expect((await service.call('GET', jobPath(id))).body).toMatchObject({
      status: 'cancelled',
      cancelReason,
      replayed: 2,
      total: 3,
    })
    // What was left out from the beginning is no reason, and neither is a webhook that changes behind the last
    // delivery.
    await deadLetters(service, other, 1)
    const all = await job(service)
    await replayBatch(service.db, 1)
    await service.db.webhook.updateMany({ where: { id: other }, data: { deletedAt: new Date() } })
    await replayBatch(service.db, 1)
    expect((await service.call('GET', jobPath(all))).body).toMatchObject({ status: 'completed', cancelReason: null })
  })

  test('a job of several webhooks sends what it can, and is cancelled where it could not send the rest', async () => {
    await using service = await quietService(kind)
    const [one, other] = [await service.webhook({ url }), await service.webhook({ url })]
    await deadLetters(service, one, 2)
    await deadLetters(service, other, 2)
    const id = await job(service)
    const data = { grants: { scopes: [], grantedBy: {}, grantedAt: new Date() }, updatedAt: new Date() }
    await service.db.webhook.updateMany({ where: { id: one }, data })

    while ((await replayBatch(service.db, 1)) === 0);

    expect((await service.call('GET', jobPath(id))).body).toMatchObject({ cancelReason: 'grant_revoked', replayed: 2 })
  })

  test('of two starts at the same time one succeeds', async () => {
    await using service = await quietService(kind)

    const answers = await Promise.all([1, 2].map(() => service.call('POST', path, { filter: {} })))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 409]))
    expect(await service.db.replayJob.count()).toBe(1)
  })

  test('deliveries of a webhook that is not active are not replayed, and a job for it alone is refused', async () => {
    await using service = await quietService(kind)
    const [paused, deleted] = [await service.webhook({ url, status: 'paused' }), await service.webhook({ url })]
    const disabled = await service.webhook({ url, status: 'disabled' })
    const ungranted = await service.webhook({ url, granted: ['tasks:read'] })
    await service.db.webhook.updateMany({ where: { id: deleted }, data: { deletedAt: new Date() } })
    for (const [at, id] of [paused, disabled, deleted, ungranted].entries()) await deadLetters(service, id, at + 1)

    const all = await service.call('POST', path, { filter: {}, dryRun: true })
    const narrow = await service.call('POST', path, { filter: {}, dryRun: true }, [
      'deliveries:replay',
      'projects:read',
    ])
    const made = await service.call('GET', jobPath(await job(service)))
    const refusals = await Promise.all(
      [paused, deleted, uuid()].map((webhookId) => service.call('POST', path, { filter: { webhookId } })),
    )

    const leftOut = { paused: 1, disabled: 2, deleted: 3, ungranted: 4 }
    expect([all.body, made.body]).toMatchObject([1, 2].map(() => ({ total: 0, leftOut })))
    // Of webhooks that the key may not see nothing is told.
    expect(narrow.body).toMatchObject({ total: 0, leftOut: { paused: 0, disabled: 0, deleted: 0, ungranted: 0 } })
    expect(refusals).toMatchObject([
      { status: 409, body: { code: 'invalid_transition', from: 'paused' } },
      { status: 409, body: { code: 'invalid_transition', from: 'deleted' } },
      { status: 422, body: { code: 'reference_not_found' } },
    ])
    const single = await service.db.delivery.findFirstOrThrow({ where: { webhookId: paused } })
    expect(await service.call('POST', `/deliveries/${single.id}/replay`)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', from: 'paused' },
    })
  })

  test('an invalid filter is refused with each field', async () => {
    await using service = await quietService(kind)

    for (const filter of [{ status: ['pending'] }, { ids: [] }, { ids: ['x'] }, { createdAfter: 'yesterday' }]) {
      expect(await service.call('POST', path, { filter })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed' },
      })
    }
    const ids = Array.from({ length: 101 }, () => uuid())
    expect(await service.call('POST', path, { filter: { ids } })).toMatchObject({ status: 422 })
    for (const perMinute of [0, 1.5, 6_001, null])
      expect(await service.call('POST', path, { filter: {}, perMinute })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: '/perMinute' }] },
      })
    expect(await service.call('POST', path, {})).toMatchObject({ status: 422 })
  })

  test('an ended job is kept for 30 days, a running one for as long as it runs', async () => {
    await using service = await quietService(kind)
    const old = new Date(Date.now() - 31 * 86_400_000)
    const id = await job(service)
    await replayBatch(service.db)
    await service.db.replayJob.updateMany({ data: { endedAt: old } })
    const running = await job(service)
    await service.db.replayJob.updateMany({ where: { id: running }, data: { createdAt: old, updatedAt: old } })

    expect(await deleteEndedJobs(service.db)).toBe(1)

    expect((await service.call('GET', jobPath(id))).status).toBe(404)
    expect((await service.call('GET', jobPath(running))).status).toBe(200)
  })
})
