import { expect, test } from 'vitest'
import type { Answer } from '../../../dispatcher/attempt/send.ts'
import { healthChanges } from '../../../dispatcher/results/webhook-health.ts'

const startedAt = new Date('2026-11-21T12:00:00Z')
const answered = (status: number): Answer => {
  const timings = { dns: null, connect: null, tls: null, firstByte: 1 }
  return { kind: 'answered', status, headers: {}, body: '', truncated: false, timings }
}

const judged = (webhookId: string, ...statuses: number[]) =>
  statuses.map((status, n) => ({
    delivery: { workspaceId: 'w', id: `d${n}`, webhookId },
    startedAt: new Date(startedAt.getTime() + n),
    outcome: { kind: status < 300 ? ('delivered' as const) : ('dead' as const) },
    answer: answered(status),
    command: null,
  }))

const health = (...statuses: number[]) => healthChanges(judged('a', ...statuses))[0]

test('failures add up, and a success resets them', () => {
  const changes = healthChanges([...judged('a', 500, 503), ...judged('b', 500, 200), ...judged('c', 500, 200, 500)])

  expect(changes).toMatchObject([
    { workspace_id: 'w', webhook_id: 'a', failures: 2, recovered: false },
    { workspace_id: 'w', webhook_id: 'b', failures: 0, recovered: true },
    { workspace_id: 'w', webhook_id: 'c', failures: 1, recovered: true },
  ])
})

test('each answer of an unwell receiver counts one, each other answer takes one off, down to nothing', () => {
  const nothing = { answered: true, unhealthy_ids: [] }
  expect(health(500, 503)).toMatchObject({
    answered: false,
    unhealthy_ids: ['d0', 'd1'],
    unhealthy_more: 2,
    unhealthy_least: 2,
  })
  expect(health(500, 503, 200)).toMatchObject({ answered: true, unhealthy_more: 1, unhealthy_least: 1 })
  expect(health(200, 404, 500)).toMatchObject({
    answered: true,
    unhealthy_ids: ['d2'],
    unhealthy_more: -1,
    unhealthy_least: 1,
  })
  expect(health(404, 200)).toMatchObject({ ...nothing, unhealthy_more: -2, unhealthy_least: 0 })
})

test('failing begins with the first failure after the last success', () => {
  expect(health(500, 500)?.failing_since).toEqual(startedAt)
  expect(health(500, 200)?.failing_since).toBeNull()
  expect(health(500, 200, 500, 500)?.failing_since).toEqual(new Date(startedAt.getTime() + 2))
})

test('410 means gone, whatever comes after it; no other status does', () => {
  expect(health(500, 404, 503)?.gone).toBeNull()
  expect(health(500, 410, 500)?.gone).toBe('gone')
  expect(health(410, 200)).toMatchObject({ gone: 'gone', failures: 0 })
})

test('a receiver that asks for it is disabled, on success as well; the first reason holds', () => {
  const asking = (...statuses: number[]) =>
    healthChanges(judged('a', ...statuses).map((each) => ({ ...each, command: 'disable' as const })))[0]

  expect(asking(200)).toMatchObject({ gone: 'asked', failures: 0 })
  expect(asking(500, 410)).toMatchObject({ gone: 'asked', failures: 2 })
  expect(asking(410)).toMatchObject({ gone: 'gone' })
})
