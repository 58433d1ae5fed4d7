// Many deliveries sent again at one request.
// Operations: deliveries.replay, deliveries.get-replay-job, deliveries.cancel-replay-job.
import { missingId } from '../support/client.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Delivery } from '#contract/deliveries.ts'
import type { ReplayJob } from '#contract/replay-jobs.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { describeModes, must, startSystem, type System, type Tenant } from '../support/system.ts'

const longAgo = '2020-01-01T00:00:00.000Z'

const create = async (tenant: Tenant, count: number): Promise<void> => {
  for (let n = 0; n < count; n++) must(await tenant.api('POST', '/api/v1/projects', { name: `Project ${n}` }))
}

const count = (tenant: Tenant, query: string, wanted: number): Promise<Delivery[]> =>
  eventually(async () => {
    const found: Delivery[] = must(await tenant.api('GET', `/api/v1/deliveries?limit=200&${query}`)).data
    return found.length === wanted ? found : null
  }, `${wanted} deliveries with ${query}`)

const replay = (tenant: Tenant, filter: object, more: object = {}) =>
  tenant.api('POST', '/api/v1/deliveries/replay', { filter, ...more })

const counted = async (tenant: Tenant, filter: object) => must(await replay(tenant, filter, { dryRun: true }))

const ended = (tenant: Tenant, id: string): Promise<ReplayJob> =>
  eventually(async () => {
    const job: ReplayJob = must(await tenant.api('GET', `/api/v1/deliveries/replay-jobs/${id}`))
    return job.endedAt === null ? null : job
  }, 'the job to end')

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
  async function subscriber(...more: object[]): Promise<{ tenant: Tenant; webhooks: Webhook[] }> {
    status = 200
    const tenant = await system.tenant()
    const webhooks: Webhook[] = []
    for (const each of [{}, ...more]) {
      const webhook = { name: 'Receiver', url: receiver.url, eventTypes: ['projects.*'], ...each }
      webhooks.push(must(await tenant.api('POST', '/api/v1/webhooks', webhook)))
    }
    return { tenant, webhooks }
  }

  test('dead-lettered deliveries are counted first, then sent again with the same ids', async () => {
    const { tenant, webhooks } = await subscriber()
    const webhookId = webhooks[0]?.id
    const before = receiver.calls.length
    status = 500
    await create(tenant, 3)
    const dead = await count(tenant, 'status=dead_letter', 3)

    const estimate = await counted(tenant, { webhookId })
    expect(estimate).toMatchObject({ object: 'replay_estimate', total: 3, filter: { webhookId } })
    expect(await system.db.replayJob.count({ where: { workspaceId: tenant.workspaceId } })).toBe(0)

    status = 200
    const answer = await replay(tenant, { webhookId }, { perMinute: 600 })
    const job = await ended(tenant, answer.body.id)

    expect(answer).toMatchObject({ status: 202, body: { object: 'replay_job', status: 'running', total: 3 } })
    expect(job).toMatchObject({
      status: 'completed',
      total: 3,
      replayed: 3,
      perMinute: 600,
      createdBy: { type: 'api_key' },
    })
    expect((await tenant.api('DELETE', `/api/v1/deliveries/replay-jobs/${job.id}`)).status).toBe(204)
    expect(await ended(tenant, job.id)).toEqual(job)
    const again = await count(tenant, 'status=delivered', 3)
    expect(dead).toMatchObject(again.map(({ id }) => ({ id, attemptCount: 1, maxAttempts: 1 })))
    expect(again).toMatchObject(dead.map(({ id }) => ({ id, origin: 'replay', attemptCount: 2, maxAttempts: 2 })))
    const sent = receiver.calls.slice(before).map(({ headers }) => String(headers['webhook-id']))
    expect(sent.toSorted()).toEqual([...dead, ...dead].map(({ id }) => id).toSorted())
  })

  test('each part of the filter narrows what is replayed', async () => {
    const { tenant, webhooks } = await subscriber({ eventTypes: ['projects.created'] })
    await create((await subscriber()).tenant, 1)
    await create(tenant, 2)
    const [newest] = await count(tenant, 'status=delivered', 4)
    const of = { status: ['delivered'] }

    for (const [filter, total] of [
      [{}, 0],
      [{ status: ['delivered', 'dead_letter'] }, 4],
      [{ ...of, webhookId: webhooks[0]?.id }, 2],
      [{ ...of, eventTypes: ['projects.created'] }, 4],
      [{ ...of, eventTypes: ['projects.deleted'] }, 0],
      [{ ...of, eventTypes: ['projects.*'] }, 4],
      [{ eventTypes: ['documents.*'] }, 0],
      [{ ...of, ids: [newest?.id] }, 1],
      [{ ids: [newest?.id] }, 1],
      [{ ...of, createdBefore: longAgo }, 0],
      [{ ...of, createdAfter: longAgo }, 4],
    ] as const)
      expect([filter, (await counted(tenant, filter)).total]).toEqual([filter, total])

    must(await tenant.api('POST', `/api/v1/webhooks/${webhooks[1]?.id}/pause`))
    expect(await counted(tenant, of)).toMatchObject({
      total: 2,
      leftOut: { paused: 2, disabled: 0, deleted: 0, ungranted: 0 },
    })
  })

  test('a filter that can match nothing is refused by name and never counts 0', async () => {
    const { tenant, webhooks } = await subscriber({ eventTypes: ['tasks.*', 'projects.created'] })
    const { tenant: other } = await subscriber()
    const [webhook, paused] = webhooks
    await create(other, 1)
    await create(tenant, 1)
    const [fine] = await count(tenant, `status=delivered&webhookId=${webhook?.id}`, 1)
    const [theirs] = await count(other, 'status=delivered', 1)
    const projectId = must(await tenant.api('GET', '/api/v1/projects')).data[0].id
    must(await tenant.api('POST', '/api/v1/tasks', { projectId, title: 'Task' }))
    const [held] = await count(tenant, `status=delivered&webhookId=${paused?.id}`, 2)
    must(await tenant.api('POST', `/api/v1/webhooks/${paused?.id}/pause`))
    status = 500
    await create(tenant, 1)
    const [dead] = await count(tenant, 'status=dead_letter', 1)
    const [waiting] = await count(tenant, 'status=pending', 1)
    const ids = [fine?.id]
    const span = { createdAfter: '2026-02-01T00:00:00Z', createdBefore: '2026-01-01T00:00:00Z' }

    for (const [filter, refusal] of [
      ...['projects.creatd', 'project.*', 'everything'].map(
        (kind) => [{ eventTypes: [kind] }, 'validation_failed /filter/eventTypes/0 wrong_format'] as const,
      ),
      [{ eventTypes: ['tasks.*'], status: ['delivered'] }, 'validation_failed /filter/eventTypes not_in_list'],
      ...[missingId, theirs?.id].map(
        (id) => [{ ids: [...ids, id] }, 'reference_not_found /filter/ids/1 not_found'] as const,
      ),
      ...[
        { ids: [dead?.id], status: ['delivered'] },
        { ids, status: ['dead_letter'] },
        { ids, eventTypes: ['projects.deleted'] },
        { ids, createdBefore: longAgo },
        { ids: [held?.id] },
        { ids: [waiting?.id] },
      ].map((left) => [left, 'validation_failed /filter/ids/0 not_in_list'] as const),
      [span, 'validation_failed /filter/createdBefore too_small'],
      [{ createdAfter: '2999-01-01T00:00:00Z' }, 'validation_failed /filter/createdBefore too_small'],
    ] as const) {
      const { body } = await replay(tenant, filter, { dryRun: true })
      const [error] = body.errors ?? []
      expect([filter, `${body.code} ${error?.pointer} ${error?.code}`]).toEqual([filter, refusal])
    }
    expect(await counted(tenant, { ids: [dead?.id, ...ids] })).toMatchObject({
      total: 2,
      filter: { status: ['delivered', 'dead_letter'] },
    })
  })
})
