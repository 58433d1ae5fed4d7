import { expect, test, afterAll, beforeAll } from 'vitest'
import { verifyAuditLog, lineOf } from '../../cli/commands.ts'
import { must, startSystem, type System } from '../support/system.ts'
import { cli } from './command.ts'
import { spawn } from 'node:child_process'
import { deliveryErrors } from '#contract/delivery-errors.ts'
import type { Delivery } from '#contract/deliveries.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'

test('`audit verify` says in words that the log is intact, or where it is broken, and then exits with 1', async () => {
  await using system = await startSystem('standalone')
  const { workspaceId } = await system.tenant()
  const made = await cli(system, 'webhooks.create', '--workspace', workspaceId, ...hook)
  expect(made.code).toBe(0)

  const intact = await cli(system, 'audit', 'verify', '--workspace', workspaceId)
  await system.db.$executeRaw`ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only`
  await system.db.$executeRaw`DELETE FROM audit_entry WHERE number = 2`
  const broken = await cli(system, 'audit', 'verify', '--workspace', workspaceId)
  const raw = await cli(system, 'audit', 'verify', '--workspace', workspaceId, '--json')

  const [newest] = must(await system.operator('GET', `/settings/api/workspaces/${workspaceId}/audit-entries`)).data
  expect(newest).toMatchObject({ action: 'webhooks.create', surface: 'cli' })
  expect(intact).toMatchObject({ code: 0, stderr: '' })
  expect(intact.stdout).toContain('intact: 3 entries checked, the last is number 3')
  expect(intact.stdout).toContain(newest.hash)
  expect(broken).toMatchObject({ code: 1, stdout: '' })
  expect(broken.stderr).toContain('BROKEN at entry 2: it was taken out')
  expect(raw).toMatchObject({ code: 1, stdout: '' })
  expect(JSON.parse(raw.stderr)).toMatchObject({ intact: false, brokenAt: 2, reason: 'entry_missing' })
})

const hook = ['--name', 'Receiver', '--url', 'https://hooks.example.com/', '--eventTypes', 'projects.*']

test('`audit verify` without a workspace, and in one that is none, is told in words', async () => {
  await using system = await startSystem('standalone')

  expect(await cli(system, 'audit', 'verify')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('needs --workspace'),
  })
  expect(await cli(system, 'audit', 'verify', '--workspace', '01999999-0000-7000-8000-000000000000')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not_found'),
  })
})

test('a long log is verified in as many calls as it takes', async () => {
  const asked: unknown[] = []
  const part = { intact: true, brokenAt: null, reason: null, lastHash: 'a'.repeat(64) }
  const answers = [
    { ...part, checked: 20_000, complete: false, lastNumber: 20_000 },
    { ...part, checked: 7, complete: true, lastNumber: 20_007 },
  ]
  const call = async (_name: string, input: unknown) => answers[asked.push(input) - 1] as never

  const verdict = await verifyAuditLog({ call }, {})

  expect(asked).toEqual([{}, { from: 20_001 }])
  expect(verdict).toMatchObject({ intact: true, text: expect.stringContaining('20007 entries checked') })
})

// `deliveries tail`: what it says of each delivery, and that it says so as it happens.

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
