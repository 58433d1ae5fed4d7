// Many deliveries sent again at one request.
// Operations: deliveries.replay, deliveries.get-replay-job, deliveries.cancel-replay-job.
import { expect, test } from 'vitest'
import type { Delivery } from '#contract/deliveries.ts'
import type { ReplayJob } from '#contract/replay-jobs.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { describeModes, must, startSystem, type Tenant } from '../support/system.ts'

const missingId = '01999999-0000-7000-8000-000000000000'

const subscribe = async (tenant: Tenant, url: string, more: object = {}): Promise<Webhook> =>
  must(await tenant.api('POST', '/api/v1/webhooks', { name: 'Receiver', url, eventTypes: ['projects.*'], ...more }))

const create = async (tenant: Tenant, count: number): Promise<void> => {
  for (let n = 0; n < count; n++) must(await tenant.api('POST', '/api/v1/projects', { name: `Project ${n}` }))
}

const those = async (tenant: Tenant, query: string): Promise<Delivery[]> =>
  must(await tenant.api('GET', `/api/v1/deliveries?limit=200&${query}`)).data

const count = (tenant: Tenant, query: string, wanted: number) =>
  eventually(async () => {
    const found = await those(tenant, query)
    return found.length === wanted ? found : null
  }, `${wanted} deliveries with ${query}`)

const replay = (tenant: Tenant, filter: object, more: object = {}) =>
  tenant.api('POST', '/api/v1/deliveries/replay', { filter, ...more })

const ended = (tenant: Tenant, id: string): Promise<ReplayJob> =>
  eventually(async () => {
    const job: ReplayJob = must(await tenant.api('GET', `/api/v1/deliveries/replay-jobs/${id}`))
    return job.endedAt === null ? null : job
  }, 'the job to end')

describeModes('replay of many', (mode) => {
  test('dead-lettered deliveries are counted first, then sent again with the same ids', async () => {
    await using system = await startSystem(mode, { retrySchedule: [] })
    let status = 500
    await using receiver = await startReceiver(() => status)
    const tenant = await system.tenant()
    const { id: webhookId } = await subscribe(tenant, receiver.url)
    await create(tenant, 3)
    const dead = await count(tenant, 'status=dead_letter', 3)

    const estimate = must(await replay(tenant, { webhookId }, { dryRun: true }))
    expect(estimate).toMatchObject({ object: 'replay_estimate', total: 3, filter: { webhookId } })
    expect(await system.db.replayJob.count()).toBe(0)

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
    const delivered = await count(tenant, 'status=delivered', 3)
    expect(delivered.map(({ id }) => id)).toEqual(dead.map(({ id }) => id))
    expect(dead.map(({ attemptCount, maxAttempts }) => [attemptCount, maxAttempts])).toEqual(dead.map(() => [1, 1]))
    expect(delivered.map(({ origin, attemptCount }) => [origin, attemptCount])).toEqual(dead.map(() => ['replay', 2]))
    expect(delivered.map(({ maxAttempts }) => maxAttempts)).toEqual(dead.map(() => 2))
    const idOf = (call: (typeof receiver.calls)[number]) => String(call.headers['webhook-id'])
    expect(new Set(receiver.calls.slice(3).map(idOf))).toEqual(new Set(dead.map(({ id }) => id)))
    expect(receiver.calls).toHaveLength(6)
  })

  test('each part of the filter narrows what is replayed', async () => {
    await using system = await startSystem(mode)
    await using receiver = await startReceiver()
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    const { id: webhookId } = await subscribe(tenant, receiver.url)
    const second = await subscribe(tenant, receiver.url, { eventTypes: ['projects.created'] })
    await subscribe(other, receiver.url)
    await create(other, 1)
    await create(tenant, 2)
    const [newest] = await count(tenant, 'status=delivered', 4)
    const delivered = ['delivered']
    const total = async (filter: object) => must(await replay(tenant, filter, { dryRun: true })).total

    expect(await total({})).toBe(0)
    expect(await total({ status: ['delivered', 'dead_letter'] })).toBe(4)
    expect(await total({ status: delivered, webhookId })).toBe(2)
    expect(await total({ status: delivered, eventTypes: ['projects.created'] })).toBe(4)
    expect(await total({ status: delivered, eventTypes: ['projects.deleted'] })).toBe(0)
    expect(await total({ status: delivered, eventTypes: ['projects.*'] })).toBe(4)
    expect(await total({ status: delivered, ids: [newest?.id] })).toBe(1)
    expect(await total({ ids: [newest?.id] })).toBe(1)
    expect(await total({ status: delivered, createdBefore: '2020-01-01T00:00:00.000Z' })).toBe(0)
    expect(await total({ status: delivered, createdAfter: '2020-01-01T00:00:00.000Z' })).toBe(4)

    must(await tenant.api('POST', `/api/v1/webhooks/${second.id}/pause`))
    expect(must(await replay(tenant, { status: delivered }, { dryRun: true }))).toMatchObject({
      total: 2,
      leftOut: { paused: 2, disabled: 0, deleted: 0, ungranted: 0 },
    })
  })

  test('a filter that can match nothing is refused by name and never counts 0', async () => {
    await using system = await startSystem(mode, { retrySchedule: [] })
    let status = 200
    await using receiver = await startReceiver(() => status)
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    const { id: webhookId } = await subscribe(tenant, receiver.url)
    const paused = await subscribe(tenant, receiver.url, { eventTypes: ['tasks.*', 'projects.created'] })
    await subscribe(other, receiver.url)
    await create(other, 1)
    await create(tenant, 1)
    const fine = await count(tenant, `status=delivered&webhookId=${webhookId}`, 1)
    const [theirs] = await count(other, 'status=delivered', 1)
    const project = must(await tenant.api('GET', '/api/v1/projects')).data[0]
    must(await tenant.api('POST', '/api/v1/tasks', { projectId: project.id, title: 'Task' }))
    const [held] = await count(tenant, `status=delivered&webhookId=${paused.id}`, 2)
    must(await tenant.api('POST', `/api/v1/webhooks/${paused.id}/pause`))
    status = 500
    await create(tenant, 1)
    const [dead] = await count(tenant, 'status=dead_letter', 1)
    const [waiting] = await count(tenant, 'status=pending', 1)
    const refused = async (filter: object) => {
      const answer = await replay(tenant, filter, { dryRun: true })
      const [error] = answer.body.errors ?? []
      return [answer.status, answer.body.code, error?.pointer, error?.code]
    }
    const ids = [fine[0]?.id]

    for (const kind of ['projects.creatd', 'project.*', 'everything'])
      expect(await refused({ eventTypes: [kind] })).toEqual([
        422,
        'validation_failed',
        '/filter/eventTypes/0',
        'wrong_format',
      ])
    expect(await refused({ eventTypes: ['tasks.*'], status: ['delivered'] })).toEqual([
      422,
      'validation_failed',
      '/filter/eventTypes',
      'not_in_list',
    ])
    for (const id of [missingId, theirs?.id])
      expect(await refused({ ids: [...ids, id] })).toEqual([422, 'reference_not_found', '/filter/ids/1', 'not_found'])
    for (const left of [
      { ids: [dead?.id], status: ['delivered'] },
      { ids, status: ['dead_letter'] },
      { ids, eventTypes: ['projects.deleted'] },
      { ids, createdBefore: '2020-01-01T00:00:00.000Z' },
      { ids: [held?.id] },
      { ids: [waiting?.id] },
    ])
      expect(await refused(left)).toEqual([422, 'validation_failed', '/filter/ids/0', 'not_in_list'])
    const span = { createdAfter: '2026-02-01T00:00:00Z', createdBefore: '2026-01-01T00:00:00Z' }
    for (const reversed of [span, { createdAfter: '2999-01-01T00:00:00Z' }])
      expect(await refused(reversed)).toEqual([422, 'validation_failed', '/filter/createdBefore', 'too_small'])

    expect(must(await replay(tenant, { eventTypes: ['documents.*'] }, { dryRun: true })).total).toBe(0)
    const both = must(await replay(tenant, { ids: [dead?.id, ...ids] }, { dryRun: true }))
    expect(both).toMatchObject({ total: 2, filter: { status: ['delivered', 'dead_letter'] } })
  })

  test('a job of another workspace is the same 404 as none', async () => {
    await using system = await startSystem(mode)
    const [tenant, other] = [await system.tenant(), await system.tenant()]
    const { id } = must(await replay(tenant, {}))

    for (const method of ['GET', 'DELETE']) {
      for (const unknown of [id, missingId]) {
        const answer = await other.api(method, `/api/v1/deliveries/replay-jobs/${unknown}`)
        expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
      }
    }
    expect(await ended(tenant, id)).toMatchObject({ status: 'completed', total: 0, replayed: 0 })
    expect((await tenant.api('DELETE', `/api/v1/deliveries/replay-jobs/${id}`)).status).toBe(204)
    expect(await ended(tenant, id)).toMatchObject({ status: 'completed' })
  })
})
