// Replay jobs that only the test runs: no background work. And their rate, whenever it is looked at.
import fc from 'fast-check'
import { v7 as uuid } from 'uuid'
import { afterEach, expect, test } from 'vitest'
import type { Database } from '#prisma/client.ts'
import { heldUntil } from '#prisma/restore.ts'
import { deleteEndedJobs } from '../../../service/deliveries/replay-job-rows.ts'
import { replayBatch } from '../../../service/deliveries/replay-jobs.ts'
import { type Pace, resumeAfter, tokensAt } from '../../../service/deliveries/rules.ts'
import { onPostgres } from '../../support/database-engines.ts'
import { missingId } from '../../support/client.ts'
import { isWaiting } from '../../support/database-locks.ts'
import { eventually } from '../../support/eventually.ts'
import { told } from '../../system/calls.ts'
import { type WorkspaceInService, sharedService } from '../quiet-service.ts'

const path = '/deliveries/replay'
const jobPath = (id: string) => `/deliveries/replay-jobs/${id}`
const url = 'https://example.com/hook'
const longAgo = '2020-01-01T00:00:00.000Z'

type Transact = (work: (tx: Parameters<Parameters<Database['$transaction']>[0]>[0]) => Promise<unknown>) => unknown

/** What the tests do with replay jobs of one workspace. */
function replaysIn(service: WorkspaceInService) {
  const { db, workspaceId, call, deadLetter } = service
  return {
    ...service,
    /** Dead-lettered deliveries of one webhook, as old as they are many. Returns the webhook's id. */
    deadLetters: async (count: number, given?: string): Promise<string> => {
      const webhookId = given ?? (await service.webhook({ url }))
      for (let age = count; age > 0; age--)
        await deadLetter(webhookId, { createdAt: new Date(Date.now() - age * 1_000) })
      return webhookId
    },
    start: async (filter: object = {}, more: object = {}): Promise<string> =>
      (await call('POST', path, { filter, ...more })).body.id,
    job: async (id: string) => (await call('GET', jobPath(id))).body,
    change: (id: string, data: object) => db.webhook.updateMany({ where: { id }, data }),
    counted: (filter: object, held?: readonly string[]) => call('POST', path, { filter, dryRun: true }, held),
    /** A delivery, which has been delivered after all. */
    delivered: async (id: string): Promise<string> => {
      await db.delivery.updateMany({ where: { id }, data: { status: 'delivered' } })
      return id
    },
    started: () => db.delivery.count({ where: { workspaceId, status: 'pending', origin: 'replay' } }),
  }
}

onPostgres(() => {
  const newWorkspace = sharedService('postgres')
  const workspaces: WorkspaceInService[] = []
  const given = async () => {
    const workspace = await newWorkspace()
    workspaces.push(workspace)
    return replaysIn(workspace)
  }
  // A batch is that of any workspace's job.
  afterEach(async () => {
    for (const { db } of workspaces.splice(0)) await db.replayJob.deleteMany()
  })

  test('a job goes on from its position, batch by batch, and ends with the last', async () => {
    const { db, workspaceId, deadLetters, start, job, started } = await given()
    await deadLetters(5)
    const id = await start()

    const steps: unknown[] = []
    while ((await replayBatch(db, 2)) === 0) {
      const { status, replayed } = await job(id)
      steps.push([status, replayed, await started()])
    }

    expect(steps).toEqual([
      ['running', 2, 2],
      ['running', 4, 4],
      ['completed', 5, 5],
    ])
    const anew = { tries: 0, attemptCount: 3, deadLetteredAt: null }
    expect(await db.delivery.findFirst({ where: { workspaceId } })).toMatchObject(anew)
  })

  test('of a batch whose process is killed before its commit nothing is left, and the job goes on from where it was', async () => {
    const { db, deadLetters, start, job, started } = await given()
    await deadLetters(5)
    const id = await start()
    await replayBatch(db, 2)
    const $transaction: Transact = (work) =>
      db.$transaction(async (tx) => {
        await work(tx)
        throw new Error('killed')
      })
    const killed = new Proxy(db, {
      get: (of, name) => (name === '$transaction' ? $transaction : Reflect.get(of, name)),
    })

    await expect(replayBatch(killed, 2)).rejects.toThrow('killed')

    expect([await job(id), await started()]).toMatchObject([{ status: 'running', replayed: 2 }, 2])
    while ((await replayBatch(db, 2)) === 0);
    expect([await job(id), await started()]).toMatchObject([{ status: 'completed', replayed: 5 }, 5])
  })

  test('several processes that run a job at once replay each delivery once', async () => {
    const { db, deadLetters, start, job, started } = await given()
    await deadLetters(9)
    const id = await start()

    for (let round = 0; round < 6; round++) await Promise.all([1, 2, 3].map(() => replayBatch(db, 2)))
    // A process that finds the job locked skips it.
    while ((await replayBatch(db, 2)) === 0);

    expect(await job(id)).toMatchObject({ status: 'completed', replayed: 9, total: 9 })
    expect(await started()).toBe(9)
  })

  test('deliveries that are dead-lettered again behind the position, or after the job was started, are not replayed', async () => {
    const { db, workspaceId, deadLetters, start, job, started } = await given()
    await deadLetters(3)
    const id = await start()
    await replayBatch(db, 2)
    const { updateMany } = db.delivery
    await updateMany({ where: { workspaceId, origin: 'replay' }, data: { status: 'dead_letter', nextAttemptAt: null } })
    const later = new Date(Date.now() + 3_600_000)
    await updateMany({ where: { workspaceId, origin: 'live' }, data: { createdAt: later } })

    await replayBatch(db, 2)

    expect(await job(id)).toMatchObject({ status: 'completed', replayed: 2, total: 3 })
    expect(await started()).toBe(0)
  })

  test('a delivery that was started anew while the job waited for it is left alone', async () => {
    const { db, workspaceId, deadLetters, start, job } = await given()
    const restarted = { status: 'pending', origin: 'replay', tries: 1, leaseOwner: 'a dispatcher' }
    await deadLetters(1)
    const id = await start()

    const running = await db.$transaction(async (tx) => {
      await tx.delivery.updateMany({ where: { workspaceId }, data: { ...restarted, deadLetteredAt: null } })
      const batch = replayBatch(db)
      await eventually(() => isWaiting(db), 'the job to wait for the delivery')
      return { batch }
    })
    await running.batch

    expect(await db.delivery.findFirst({ where: { workspaceId } })).toMatchObject(restarted)
    expect(await job(id)).toMatchObject({ replayed: 0 })
  })

  test('a job with a rate starts no more than its share and goes on when it is time, whichever process looks', async () => {
    const { db, deadLetters, start, job, started } = await given()
    await deadLetters(3)
    const id = await start({}, { perMinute: 1 })

    const steps: unknown[] = []
    for (const resumeAt of [new Date(), new Date(0), new Date(0)]) {
      await db.replayJob.updateMany({ where: { id }, data: { resumeAt } })
      await replayBatch(db)
      const waitMs = await replayBatch(db)
      const { status, replayed, perMinute } = await job(id)
      steps.push([status, replayed, await started(), perMinute, waitMs > 0])
    }

    expect(steps).toEqual([
      ['running', 1, 1, 1, true],
      ['running', 2, 2, 1, true],
      ['completed', 3, 3, 1, true],
    ])
  })

  test('a job that waits for its time keeps no other back, and can be cancelled', async () => {
    const { db, deadLetters, start, job, call } = await given()
    await deadLetters(2)
    const slow = await start({}, { perMinute: 1 })
    await replayBatch(db)
    const other = await given()
    const quick = await other.start()

    expect(await replayBatch(db)).toBe(0)

    expect(await other.job(quick)).toMatchObject({ status: 'completed' })
    expect((await call('DELETE', jobPath(slow))).status).toBe(204)
    expect(await job(slow)).toMatchObject({ status: 'cancelled', cancelReason: 'requested', replayed: 1 })
  })

  test('one job runs at a time in a workspace, of two starts at once too; cancelled it replays no more, and another may start', async () => {
    const { db, deadLetters, job, started, call } = await given()
    await deadLetters(3)
    const [made, refused] = await Promise.all([1, 2].map(() => call('POST', path, { filter: {} })))
    expect(new Set([made?.status, refused?.status])).toEqual(new Set([202, 409]))
    const { id } = await db.replayJob.findFirstOrThrow()
    await replayBatch(db, 2)

    const second = await call('POST', path, { filter: {} })
    const [cancelled, again] = [await call('DELETE', jobPath(id)), await call('DELETE', jobPath(id))]

    expect(second).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
    expect([cancelled.status, again.status]).toEqual([204, 204])
    expect(await replayBatch(db, 2)).toBeGreaterThan(0)
    expect(await started()).toBe(2)
    expect(await job(id)).toMatchObject({ status: 'cancelled', replayed: 2, endedAt: expect.any(String) })
    expect(await call('POST', path, { filter: {} })).toMatchObject({ status: 202, body: { total: 1 } })
  })

  test.each([
    ['deleted', 'webhook_deleted'],
    ['paused', 'webhook_paused'],
    ['disabled', 'webhook_disabled'],
  ])('a job whose webhook is %s before it is through is cancelled, and says so', async (status, cancelReason) => {
    const { db, deadLetters, start, job, change } = await given()
    const webhookId = await deadLetters(3)
    const id = await start({ webhookId })
    await replayBatch(db, 2)
    const at = new Date()
    await change(webhookId, status === 'deleted' ? { deletedAt: at } : { status, statusChangedAt: at })

    await replayBatch(db, 2)

    expect(await job(id)).toMatchObject({ status: 'cancelled', cancelReason, replayed: 2, total: 3 })
    // What was left out from the beginning is no reason, and neither is a webhook that changes behind the last
    // delivery.
    const other = await deadLetters(1)
    const all = await start()
    await replayBatch(db, 1)
    await change(other, { deletedAt: new Date() })
    await replayBatch(db, 1)
    expect(await job(all)).toMatchObject({ status: 'completed', cancelReason: null })
  })

  test('a job of several webhooks sends what it can, and is cancelled where it could not send the rest', async () => {
    const { db, deadLetters, start, job, change } = await given()
    const one = await deadLetters(2)
    await deadLetters(2)
    const id = await start()
    await change(one, { grants: { scopes: [], grantedBy: {}, grantedAt: new Date() }, updatedAt: new Date() })

    while ((await replayBatch(db, 1)) === 0);

    expect(await job(id)).toMatchObject({ cancelReason: 'grant_revoked', replayed: 2 })
  })

  test('deliveries of a webhook that is not active are not replayed, and a job for it alone is refused', async () => {
    const { db, deadLetters, start, job, change, call, counted, webhook } = await given()
    const paused = await deadLetters(1, await webhook({ url, status: 'paused' }))
    await deadLetters(2, await webhook({ url, status: 'disabled' }))
    const deleted = await deadLetters(3)
    await change(deleted, { deletedAt: new Date() })
    await deadLetters(4, await webhook({ url, granted: ['tasks:read'] }))

    const [all, narrow] = [await counted({}), await counted({}, ['deliveries:replay', 'projects:read'])]
    const made = await job(await start())
    const refusals = await Promise.all(
      [paused, deleted, uuid()].map((webhookId) => call('POST', path, { filter: { webhookId } })),
    )
    const single = await db.delivery.findFirstOrThrow({ where: { webhookId: paused } })

    const leftOut = { paused: 1, disabled: 2, deleted: 3, ungranted: 4 }
    for (const whole of [all.body, made]) expect(whole).toMatchObject({ total: 0, leftOut })
    // Of webhooks that the key may not see nothing is told.
    expect(narrow.body).toMatchObject({ total: 0, leftOut: { paused: 0, disabled: 0, deleted: 0, ungranted: 0 } })
    expect([...refusals, await call('POST', `/deliveries/${single.id}/replay`)]).toMatchObject([
      { status: 409, body: { code: 'invalid_transition', from: 'paused' } },
      { status: 409, body: { code: 'invalid_transition', from: 'deleted' } },
      { status: 422, body: { code: 'reference_not_found' } },
      { status: 409, body: { code: 'invalid_transition', from: 'paused' } },
    ])
  })

  test('each part of the filter narrows what is replayed', async () => {
    const { deadLetters, deadLetter, delivered, counted, webhook } = await given()
    await (await given()).deadLetters(1)
    const one = await deadLetters(2)
    const two = await webhook({ url })
    const id = await delivered(await deadLetter(two, { eventType: 'tasks.created' }))
    await deadLetter(two, { eventType: 'projects.created' })

    for (const [filter, total] of [
      [{}, 3],
      [{ status: ['delivered'] }, 1],
      [{ status: ['delivered', 'dead_letter'] }, 4],
      [{ webhookId: one }, 2],
      [{ eventTypes: ['projects.created'] }, 1],
      [{ eventTypes: ['projects.*'] }, 3],
      [{ eventTypes: ['documents.*'] }, 0],
      [{ ids: [id] }, 1],
      [{ createdBefore: longAgo }, 0],
      [{ createdAfter: longAgo }, 3],
    ] as const)
      expect([filter, (await counted(filter)).body.total]).toEqual([filter, total])
  })

  test('a filter that can match nothing is refused by name and never counts 0', async () => {
    const { db, deadLetter, delivered, counted, webhook } = await given()
    const other = await given()
    const hook = await webhook({ url, eventTypes: ['projects.*'] })
    const [dead, fine] = [await deadLetter(hook), await delivered(await deadLetter(hook))]
    const theirs = await other.deadLetter(await other.webhook({ url }))
    const paused = await webhook({ url, status: 'paused' })
    const held = await delivered(await deadLetter(paused, { eventType: 'tasks.created' }))
    const waiting = await deadLetter(hook)
    const forTheOperator = { status: 'pending', nextAttemptAt: heldUntil }
    await db.delivery.updateMany({ where: { id: waiting }, data: forTheOperator })
    const span = { createdAfter: '2026-02-01T00:00:00Z', createdBefore: '2026-01-01T00:00:00Z' }

    const [invalid, notAmong] = ['422 validation_failed /filter', '422 validation_failed /filter/ids/0 not_in_list']
    for (const [filter, refusal] of [
      [{ eventTypes: ['projects.creatd'] }, `${invalid}/eventTypes/0 wrong_format`],
      [{ eventTypes: ['project.*'] }, `${invalid}/eventTypes/0 wrong_format`],
      [{ eventTypes: ['everything'] }, `${invalid}/eventTypes/0 wrong_format`],
      [{ eventTypes: ['tasks.*'], status: ['delivered'] }, `${invalid}/eventTypes not_in_list`],
      [{ ids: [fine, missingId] }, '422 reference_not_found /filter/ids/1 not_found'],
      [{ ids: [fine, theirs] }, '422 reference_not_found /filter/ids/1 not_found'],
      [{ ids: [dead], status: ['delivered'] }, notAmong],
      [{ ids: [fine], status: ['dead_letter'] }, notAmong],
      [{ ids: [fine], eventTypes: ['projects.deleted'] }, notAmong],
      [{ ids: [fine], createdBefore: longAgo }, notAmong],
      [{ ids: [held] }, notAmong],
      [{ ids: [waiting] }, notAmong],
      [span, `${invalid}/createdBefore too_small`],
      [{ createdAfter: '2999-01-01T00:00:00Z' }, `${invalid}/createdBefore too_small`],
    ] as const)
      expect([filter, told(await counted(filter))]).toEqual([filter, refusal])
    const filter = { status: ['pending', 'retrying', 'delivered', 'dead_letter', 'cancelled'] }
    expect(await counted({ ids: [dead, fine] })).toMatchObject({ body: { total: 2, filter } })
  })

  test('an ended job is kept for 30 days, a running one for as long as it runs', async () => {
    const { db, start, call } = await given()
    const old = new Date(Date.now() - 31 * 86_400_000)
    const ended = await start()
    await replayBatch(db)
    await db.replayJob.updateMany({ where: { id: ended }, data: { endedAt: old } })
    const running = await start()
    await db.replayJob.updateMany({ where: { id: running }, data: { createdAt: old, updatedAt: old } })

    expect(await deleteEndedJobs(db)).toBe(1)

    expect((await call('GET', jobPath(ended))).status).toBe(404)
    expect((await call('GET', jobPath(running))).status).toBe(200)
  })
})

const minuteMs = 60_000
const perMinute = fc.integer({ min: 1, max: 6_000 })

/** Looks again and again: each look takes the tokens that there are, or fewer. */
function looksAt(rate: number) {
  let pace: Pace = { perMinute: rate, resumeAt: null }
  return (atMs: number, most = Infinity) => {
    const now = new Date(atMs)
    const taken = Math.min(tokensAt(pace, now), most)
    if (taken > 0) pace = { ...pace, resumeAt: resumeAfter(pace, taken, now) }
    return { atMs, taken, resumeMs: pace.resumeAt?.getTime() ?? atMs }
  }
}
const taken = (looks: readonly { readonly taken: number }[]) => looks.reduce((sum, { taken }) => sum + taken, 0)

const waits = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 0, max: 100_000 })),
    most: fc.oneof({ weight: 4, arbitrary: fc.constant(500) }, fc.nat({ max: 20 })),
  }),
  { maxLength: 150 },
)

test('no minute has more than the rate, however late and however often one looks', () => {
  fc.assert(
    fc.property(perMinute, waits, (rate, all) => {
      const look = looksAt(rate)
      let atMs = 1_000_000
      const looks = all.map(({ waitMs, most }) => look((atMs += waitMs), most))
      for (const from of looks) {
        const inMinute = looks.filter((one) => one.atMs >= from.atMs && one.atMs < from.atMs + minuteMs)
        expect(taken(inMinute)).toBeLessThanOrEqual(rate)
      }
    }),
  )
})

test('whoever looks whenever the job goes on gets nearly the rate, at no more than a look a second or for each delivery', () => {
  fc.assert(
    fc.property(perMinute, (rate) => {
      const look = looksAt(rate)
      const looks = []
      for (let atMs = 0; atMs < 10 * minuteMs; atMs = looks.at(-1)?.resumeMs ?? Infinity) looks.push(look(atMs))

      expect(Math.min(...looks.map(({ taken }) => taken))).toBeGreaterThan(0)
      expect(taken(looks)).toBeGreaterThanOrEqual(Math.floor(10 * rate * 0.95))
      expect(taken(looks)).toBeLessThanOrEqual(10 * rate)
      expect(looks.length).toBeLessThanOrEqual(650)
    }),
    { numRuns: 30 },
  )
})

test.each([
  ['slow', 1, 1],
  ['quick', 600, 20],
])('the first goes at once, and what nobody took for an hour does not come all together: a %s job', (_, rate, most) => {
  const look = looksAt(rate)

  const [first, later, again] = [look(0), look(3_600_000), look(3_600_000)].map(({ taken }) => taken)

  expect([first, again]).toEqual([1, 0])
  expect(later).toBeGreaterThan(0)
  expect(later).toBeLessThanOrEqual(most)
})
