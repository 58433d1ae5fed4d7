// Commands of two words: `audit verify`, and `deliveries tail`, which says each change as it happens.
import { spawn } from 'node:child_process'
import { expect, test, afterAll, beforeAll } from 'vitest'
import { deliveryErrors } from '#contract/delivery-errors.ts'
import type { Delivery } from '#contract/deliveries.ts'
import { verifyAuditLog, lineOf } from '../../cli/commands.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { must, startSystem, type System } from '../support/system.ts'
import { cli } from './command.ts'

// Of its own, since rows of its audit log are tampered with.
let system: System
beforeAll(async () => {
  system = await startSystem('standalone', { retrySchedule: [] })
})
afterAll(() => system?.[Symbol.asyncDispose]())

test('`audit verify` says in words that the log is intact, or where it is broken, and then exits with 1', async () => {
  const { workspaceId } = await system.tenant()
  const verify = (...words: string[]) => cli(system, 'audit', 'verify', '--workspace', workspaceId, ...words)
  const hook = ['--name', 'Receiver', '--url', 'https://hooks.example.com/', '--eventTypes', 'projects.*']
  expect(await cli(system, 'webhooks.create', '--workspace', workspaceId, ...hook)).toMatchObject({ code: 0 })

  const intact = await verify()
  await system.db.$executeRaw`ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only`
  await system.db.$executeRaw`DELETE FROM audit_entry WHERE workspace_id = ${workspaceId}::uuid AND number = 2`
  const [broken, raw] = await Promise.all([verify(), verify('--json')])

  const [newest] = must(await system.operator('GET', `/settings/api/workspaces/${workspaceId}/audit-entries`)).data
  expect(newest).toMatchObject({ action: 'webhooks.create', surface: 'cli' })
  expect(intact).toMatchObject({ code: 0, stderr: '' })
  expect(intact.stdout).toContain('intact: 3 entries checked, the last is number 3')
  expect(intact.stdout).toContain(newest.hash)
  const said = expect.stringContaining('BROKEN at entry 2: it was taken out')
  expect(broken).toEqual({ code: 1, stdout: '', stderr: said })
  expect(raw).toMatchObject({ code: 1, stdout: '' })
  expect(JSON.parse(raw.stderr)).toMatchObject({ intact: false, brokenAt: 2, reason: 'entry_missing' })
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

test.each([
  ['audit', 'verify'],
  ['deliveries', 'tail'],
])('`%s %s` in a workspace that there is not is told in words', async (...words) => {
  const { code, stderr } = await cli(system, ...words, '--workspace', crypto.randomUUID())

  expect([code, stderr]).toEqual([1, expect.stringMatching(/not_found: .*workspace/)])
})

test('each change is a line of its own, until it is stopped', async () => {
  await using receiver = await startReceiver([500])
  const tenant = await system.tenant()
  must(await tenant.api('POST', '/api/v1/webhooks', { name: 'R', url: receiver.url, eventTypes: ['projects.*'] }))
  const env = { ...process.env, BASE_URL: system.url, OPERATOR_TOKEN: system.operatorToken }
  const words = ['cli/main.ts', 'deliveries', 'tail', '--workspace', tenant.workspaceId]
  const tail = spawn(process.execPath, words, { env })
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

const counts = { attemptCount: 0, maxAttempts: 3, lastStatusCode: null, lastErrorCode: null }
const at = '2026-01-01T00:00:00.000Z'
const delivery = { id: 'd', webhookId: 'h', eventType: 'tasks.created', status: 'pending', createdAt: at, ...counts }

test.each<[string, Partial<Delivery>, string]>([
  ['one that waits', {}, ''],
  [
    'one that is tried again',
    { status: 'retrying', attemptCount: 1, lastErrorCode: 'dns_error', nextAttemptAt: '2026-01-01T00:00:05.000Z' },
    `try 1 of 3, ${deliveryErrors.dns_error}, next 2026-01-01T00:00:05.000Z`,
  ],
  ['one that was taken at last', { status: 'delivered', attemptCount: 2, lastStatusCode: 200 }, 'try 2 of 3'],
])('%s is said with its tries and why', (_what, more, wanted) => {
  const line = lineOf({ ...delivery, ...more } as Delivery)

  expect(line.split('  webhook h  d')[1]?.trim()).toBe(wanted)
})
