// Many deliveries sent again at one request. What a filter matches is in test/service/deliveries/replay-jobs.test.ts.
// Operations: deliveries.replay, deliveries.get-replay-job, deliveries.cancel-replay-job.
import { expect, test } from 'vitest'
import type { Delivery } from '#contract/deliveries.ts'
import type { ReplayJob } from '#contract/replay-jobs.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { describeMode, startSystem } from '../support/system.ts'
import { callsOf } from './calls.ts'

describeMode('replay of many', 'distributed', (mode) => {
  test('dead-lettered deliveries are counted first, then sent again with the same ids', async () => {
    await using system = await startSystem(mode, { retrySchedule: [] })
    let status = 500
    await using receiver = await startReceiver(() => status)
    const tenant = await system.tenant()
    const { call, get, post } = callsOf(tenant)
    const hook = { name: 'Receiver', url: receiver.url, eventTypes: ['projects.*'] }
    const { id: webhookId } = await post('/webhooks', hook)
    const three = (state: string): Promise<Delivery[]> =>
      eventually(async () => {
        const { data } = await get(`/deliveries?status=${state}`)
        return data.length === 3 ? data : null
      }, `three that are ${state}`)
    const ended = (id: string): Promise<ReplayJob> =>
      eventually(async () => {
        const job = await get(`/deliveries/replay-jobs/${id}`)
        return job.endedAt === null ? null : job
      }, 'the job to end')
    for (const name of ['One', 'Two', 'Three']) await post('/projects', { name })
    const dead = await three('dead_letter')

    const estimate = await post('/deliveries/replay', { filter: { webhookId }, dryRun: true })
    const none = await system.db.replayJob.count({ where: { workspaceId: tenant.workspaceId } })
    status = 200
    const answer = await call('POST', '/deliveries/replay', { filter: { webhookId }, perMinute: 600 })
    const job = await ended(answer.body.id)
    const cancelled = await call('DELETE', `/deliveries/replay-jobs/${job.id}`)
    const again = await three('delivered')

    expect([estimate, none]).toMatchObject([{ object: 'replay_estimate', total: 3, filter: { webhookId } }, 0])
    expect(answer).toMatchObject({ status: 202, body: { object: 'replay_job', status: 'running', total: 3 } })
    const createdBy = { type: 'api_key' }
    expect(job).toMatchObject({ status: 'completed', total: 3, replayed: 3, perMinute: 600, createdBy })
    expect([cancelled.status, await ended(job.id)]).toEqual([204, job])
    expect(dead).toMatchObject(again.map(({ id }) => ({ id, attemptCount: 1, maxAttempts: 1 })))
    expect(again).toMatchObject(dead.map(({ id }) => ({ id, origin: 'replay', attemptCount: 2, maxAttempts: 2 })))
    const sent = receiver.calls.map(({ headers }) => String(headers['webhook-id']))
    expect(sent.toSorted()).toEqual([...dead, ...dead].map(({ id }) => id).toSorted())
  })
})
