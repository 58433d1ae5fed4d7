// `deliveries tail`: what it says of each delivery, and that it says so as it happens.
import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveryErrors } from '#contract/delivery-errors.ts'
import type { Delivery } from '#contract/deliveries.ts'
import { lineOf } from '../../cli/deliveries-tail.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { must, startSystem, type System } from '../support/system.ts'
import { cli } from './command.ts'

let system: System
beforeAll(async () => {
  system = await startSystem('standalone', { retrySchedule: [] })
})
afterAll(() => system?.[Symbol.asyncDispose]())

test('each change is a line of its own, until it is stopped', async () => {
  await using receiver = await startReceiver([500])
  const tenant = await system.tenant()
  must(await tenant.api('POST', '/api/v1/webhooks', { name: 'R', url: receiver.url, eventTypes: ['projects.*'] }))
  const env = { ...process.env, BASE_URL: system.url, OPERATOR_TOKEN: system.operatorToken }
  const tail = spawn(process.execPath, ['cli/main.ts', 'deliveries', 'tail', '--workspace', tenant.workspaceId], {
    env,
  })
  let said = ''
  tail.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  try {
    await eventually(async () => (await system.db.deliveryWatch.count()) > 0, 'the command to follow')
    must(await tenant.api('POST', '/api/v1/projects', { name: 'Heard' }))
    await eventually(() => said.includes('dead_letter'), 'the line')
  } finally {
    tail.kill()
  }

  const [last = ''] = said.trimEnd().split('\n').slice(-1)
  expect(last).toMatch(/^\S+Z {2}dead_letter {2}projects\.created {2}webhook \S+ {2}\S+ {2}try 1 of 1, answered 500$/)
})

test('a workspace that there is not is said in words', async () => {
  const { code, stderr } = await cli(system, 'deliveries', 'tail', '--workspace', crypto.randomUUID())

  expect([code, stderr]).toEqual([1, expect.stringContaining('workspace')])
})

const delivery: Delivery = {
  ...{ id: 'd', object: 'delivery', workspaceId: 'w', eventId: 'e', eventType: 'tasks.created', webhookId: 'h' },
  ...{ status: 'pending', origin: 'live', attemptCount: 0, maxAttempts: 3, nextAttemptAt: '2026-01-01T00:00:00.000Z' },
  ...{ lastStatusCode: null, lastErrorCode: null, createdAt: '2026-01-01T00:00:00.000Z' },
  ...{ deliveredAt: null, deadLetteredAt: null },
}

test.each<[string, Partial<Delivery>, string]>([
  ['one that waits', {}, ''],
  [
    'one that is tried again',
    { status: 'retrying', attemptCount: 1, lastErrorCode: 'dns_error', nextAttemptAt: '2026-01-01T00:00:05.000Z' },
    `try 1 of 3, ${deliveryErrors.dns_error}, next 2026-01-01T00:00:05.000Z`,
  ],
  ['one that was taken at last', { status: 'delivered', attemptCount: 2, lastStatusCode: 200 }, 'try 2 of 3'],
])('%s is said with its tries and why', (_what, more, wanted) => {
  const line = lineOf({ ...delivery, ...more })

  expect(line.split('  webhook h  d')[1]?.trim()).toBe(wanted)
})
