// Many deliveries sent again at one request.
// Operations: deliveries.replay, deliveries.get-replay-job, deliveries.cancel-replay-job.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Delivery } from '#contract/deliveries.ts'
import type { ReplayJob } from '#contract/replay-jobs.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import { missingId } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { describeModes, must, startSystem, type System } from '../support/system.ts'
import { callsOf, told } from './calls.ts'

const longAgo = '2020-01-01T00:00:00.000Z'

describeModes('replay of many', (mode) => {
  let system: System
  let receiver: Receiver
  let status: number
  beforeAll(async () => {
    system = await startSystem(mode, { retrySchedule: [] })
    receiver = await startReceiver(() => status)
  })
  afterAll(async () => {
    await receiver?.[Symbol.asyncDispose]()
    await system?.[Symbol.asyncDispose]()
  })

  /** `more`: of a second webhook beside one for all events of projects. */
  async function subscriber(...more: object[]) {
    status = 200
    const tenant = await system.tenant()
    const { call, get, post } = callsOf(tenant)
    const webhooks: Webhook[] = []
    for (const each of [{}, ...more])
      webhooks.push(
        await post('/webhooks', { name: 'Receiver', url: receiver.url, eventTypes: ['projects.*'], ...each }),
      )
    const replay = (filter: object, dryRun = true, limits = {}) =>
      call('POST', '/deliveries/replay', { filter, ...(dryRun && { dryRun }), ...limits })
    return {
      tenant,
      ids: webhooks.map(({ id }) => id),
      call,
      get,
      post,
      replay,
      create: async (count: number) => {
        for (let n = 0; n < count; n++) await post('/projects', { name: `Project ${n}` })
      },
      count: (query: string, wanted: number): Promise<Delivery[]> =>
        eventually(async () => {
          const { data } = await get(`/deliveries?limit=200&${query}`)
          return data.length === wanted ? data : null
        }, `${wanted} deliveries with ${query}`),
      counted: async (filter: object) => must(await replay(filter)),
      ended: (id: string): Promise<ReplayJob> =>
        eventually(async () => {
          const job = await get(`/deliveries/replay-jobs/${id}`)
          return job.endedAt === null ? null : job
        }, 'the job to end'),
    }
  }

  test('dead-lettered deliveries are counted first, then sent again with the same ids', async () => {
    const { tenant, call, ids, create, count, counted, replay, ended } = await subscriber()
    const [webhookId] = ids
    const before = receiver.calls.length
    status = 500
    await create(3)
    const dead = await count('status=dead_letter', 3)

    const estimate = await counted({ webhookId })
    const none = await system.db.replayJob.count({ where: { workspaceId: tenant.workspaceId } })
    status = 200
    const answer = await replay({ webhookId }, false, { perMinute: 600 })
    const job = await ended(answer.body.id)
    const cancelled = await call('DELETE', `/deliveries/replay-jobs/${job.id}`)
    const again = await count('status=delivered', 3)

    expect([estimate, none]).toMatchObject([{ object: 'replay_estimate', total: 3, filter: { webhookId } }, 0])
    expect(answer).toMatchObject({ status: 202, body: { object: 'replay_job', status: 'running', total: 3 } })
    const createdBy = { type: 'api_key' }
    expect(job).toMatchObject({ status: 'completed', total: 3, replayed: 3, perMinute: 600, createdBy })
    expect([cancelled.status, await ended(job.id)]).toEqual([204, job])
    expect(dead).toMatchObject(again.map(({ id }) => ({ id, attemptCount: 1, maxAttempts: 1 })))
    expect(again).toMatchObject(dead.map(({ id }) => ({ id, origin: 'replay', attemptCount: 2, maxAttempts: 2 })))
    const sent = receiver.calls.slice(before).map(({ headers }) => String(headers['webhook-id']))
    expect(sent.toSorted()).toEqual([...dead, ...dead].map(({ id }) => id).toSorted())
  })

  test('each part of the filter narrows what is replayed', async () => {
    const other = await subscriber()
    await other.create(1)
    const { ids, create, count, counted, post } = await subscriber({ eventTypes: ['projects.created'] })
    await create(2)
    const [newest] = await count('status=delivered', 4)
    const of = { status: ['delivered'] }

    for (const [filter, total] of [
      [{}, 0],
      [{ status: ['delivered', 'dead_letter'] }, 4],
      [{ ...of, webhookId: ids[0] }, 2],
      [{ ...of, eventTypes: ['projects.created'] }, 4],
      [{ ...of, eventTypes: ['projects.deleted'] }, 0],
      [{ ...of, eventTypes: ['projects.*'] }, 4],
      [{ eventTypes: ['documents.*'] }, 0],
      [{ ...of, ids: [newest?.id] }, 1],
      [{ ids: [newest?.id] }, 1],
      [{ ...of, createdBefore: longAgo }, 0],
      [{ ...of, createdAfter: longAgo }, 4],
    ] as const)
      expect([filter, (await counted(filter)).total]).toEqual([filter, total])
    await post(`/webhooks/${ids[1]}/pause`)
    const leftOut = { paused: 2, disabled: 0, deleted: 0, ungranted: 0 }
    expect(await counted(of)).toMatchObject({ total: 2, leftOut })
  })

  test('a filter that can match nothing is refused by name and never counts 0', async () => {
    const eventTypes = ['tasks.*', 'projects.created']
    const { ids: webhooks, create, count, counted, get, post, replay } = await subscriber({ eventTypes })
    const other = await subscriber()
    const [webhook, paused] = webhooks
    await other.create(1)
    await create(1)
    const [fine] = await count(`status=delivered&webhookId=${webhook}`, 1)
    const [theirs] = await other.count('status=delivered', 1)
    const projectId = (await get('/projects')).data[0].id
    await post('/tasks', { projectId, title: 'Task' })
    const [held] = await count(`status=delivered&webhookId=${paused}`, 2)
    await post(`/webhooks/${paused}/pause`)
    status = 500
    await create(1)
    const [dead] = await count('status=dead_letter', 1)
    const [waiting] = await count('status=pending', 1)
    const ids = [fine?.id]
    const span = { createdAfter: '2026-02-01T00:00:00Z', createdBefore: '2026-01-01T00:00:00Z' }

    const [invalid, notAmong] = ['422 validation_failed /filter', '422 validation_failed /filter/ids/0 not_in_list']
    for (const [filter, refusal] of [
      [{ eventTypes: ['projects.creatd'] }, `${invalid}/eventTypes/0 wrong_format`],
      [{ eventTypes: ['project.*'] }, `${invalid}/eventTypes/0 wrong_format`],
      [{ eventTypes: ['everything'] }, `${invalid}/eventTypes/0 wrong_format`],
      [{ eventTypes: ['tasks.*'], status: ['delivered'] }, `${invalid}/eventTypes not_in_list`],
      [{ ids: [...ids, missingId] }, '422 reference_not_found /filter/ids/1 not_found'],
      [{ ids: [...ids, theirs?.id] }, '422 reference_not_found /filter/ids/1 not_found'],
      [{ ids: [dead?.id], status: ['delivered'] }, notAmong],
      [{ ids, status: ['dead_letter'] }, notAmong],
      [{ ids, eventTypes: ['projects.deleted'] }, notAmong],
      [{ ids, createdBefore: longAgo }, notAmong],
      [{ ids: [held?.id] }, notAmong],
      [{ ids: [waiting?.id] }, notAmong],
      [span, `${invalid}/createdBefore too_small`],
      [{ createdAfter: '2999-01-01T00:00:00Z' }, `${invalid}/createdBefore too_small`],
    ] as const)
      expect([filter, told(await replay(filter))]).toEqual([filter, refusal])
    const filter = { status: ['delivered', 'dead_letter'] }
    expect(await counted({ ids: [dead?.id, ...ids] })).toMatchObject({ total: 2, filter })
  })
})
