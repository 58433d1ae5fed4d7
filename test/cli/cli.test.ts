// The command line as an operator runs it: a process of its own against a system of its own.
import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test, afterAll, beforeAll } from 'vitest'
import { deliveryErrors } from '#contract/delivery-errors.ts'
import type { Delivery } from '#contract/deliveries.ts'
import { verifyAuditLog, lineOf } from '../../cli/commands.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { must, startSystem, type System } from '../support/system.ts'
import { cli, run } from './command.ts'

// Rows of its audit log are tampered with.
let system: System
beforeAll(async () => {
  system = await startSystem('standalone', { retrySchedule: [] })
})
afterAll(() => system?.[Symbol.asyncDispose]())

const answerTo = async (...words: string[]) => JSON.parse((await cli(system, ...words, '--json')).stdout)

test('the operator makes a workspace and a key, which is shown in tables and fields, and revokes the key', async () => {
  const inWorkspace = ['--workspace', (await answerTo('workspaces.create', '--name', 'Acme')).id]
  const given = ['--name=k', '--scopes', 'projects:read,events:read', '--rotationPolicy', '{"maxAgeDays":30}']
  const key = await answerTo('api-keys.create', ...inWorkspace, ...given)
  const named = [...inWorkspace, '--id', key.id]
  const made = await cli(system, 'api-keys.create', ...inWorkspace, '--name', 'Nightly', '--scopes', 'projects:read')
  const listed = await cli(system, 'api-keys.list', ...inWorkspace)
  await answerTo('api-keys.rotate', ...named)
  const ended = await answerTo('api-keys.expire-previous-secret', ...named)
  const revoked = await cli(system, 'api-keys.revoke', ...named)

  const scopes = ['projects:read', 'events:read']
  expect(key).toMatchObject({ scopes, rotationPolicy: { maxAgeDays: 30 }, secret: expect.stringMatching(/^wsk_/) })
  expect(made.stdout).toMatch(/^secret +wsk_\w+$/m)
  expect(listed.stdout).toMatch(/^id +name +prefix +status[^]* Nightly +wsk_\w+ +active/)
  expect(ended).toMatchObject({ version: 3, previousSecretExpiresAt: null })
  expect(revoked).toEqual({ code: 0, stdout: 'Done.\n', stderr: '' })
  expect((await answerTo('api-keys.get', ...named)).status).toBe('revoked')
})

test('what the API refuses is said in words, or as it is with --json, and the exit code is 1', async () => {
  const refused = ['workspaces.create', '--name', '']
  const stranger = { url: system.url, operatorToken: 'x'.repeat(40) }
  const [words, raw, unknown] = await Promise.all([
    cli(system, ...refused),
    cli(system, ...refused, '--json'),
    cli(stranger, 'workspaces.list'),
  ])

  const said = expect.stringMatching(/^validation_failed: .*\n {2}--name: /)
  expect(words).toEqual({ code: 1, stdout: '', stderr: said })
  expect(raw).toMatchObject({ code: 1, stdout: '' })
  expect(JSON.parse(raw.stderr)).toMatchObject({ code: 'validation_failed', status: 422 })
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('invalid') })
})

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

test.each([['audit verify'], ['deliveries tail']])('`%s` in no workspace is told in words', async (name) => {
  const { code, stderr } = await cli(system, ...name.split(' '), '--workspace', crypto.randomUUID())

  expect([code, stderr]).toEqual([1, expect.stringMatching(/not_found: .*workspace/)])
})

test('`deliveries tail` says each change in a line of its own, until it is stopped', async () => {
  await using receiver = await startReceiver([500])
  const tenant = await system.tenant()
  must(await tenant.api('POST', '/api/v1/webhooks', { name: 'R', url: receiver.url, eventTypes: ['projects.*'] }))
  const env = { ...process.env, BASE_URL: system.url, OPERATOR_TOKEN: system.operatorToken }
  const words = ['cli/main.ts', 'deliveries', 'tail', '--workspace', tenant.workspaceId]
  const tail = spawn(process.execPath, words, { env })
  onTestFinished(() => void tail.kill())
  let said = ''
  tail.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  await eventually(async () => (await system.db.deliveryWatch.count()) > 0, 'the command to follow')

  must(await tenant.api('POST', '/api/v1/projects', { name: 'Heard' }))

  await eventually(() => said.includes('dead_letter'), 'the line')
  const [last = ''] = said.trimEnd().split('\n').slice(-1)
  expect(last).toMatch(/^\S+Z {2}dead_letter {2}projects\.created {2}webhook \S+ {2}\S+ {2}try 1 of 1, answered 500$/)
})

test('a delivery that is tried again is said with its tries, why, and when', () => {
  const nextAttemptAt = '2026-01-01T00:00:05.000Z'
  const counts = { attemptCount: 1, maxAttempts: 3, lastStatusCode: null, lastErrorCode: 'dns_error' }
  const delivery = { id: 'd', webhookId: 'h', eventType: 'tasks.created', status: 'retrying', createdAt: nextAttemptAt }

  const line = lineOf({ ...delivery, ...counts, nextAttemptAt } as Delivery)

  expect(line).toContain(`webhook h  d  try 1 of 3, ${deliveryErrors.dns_error}, next ${nextAttemptAt}`)
})

test('`jobs.result` writes the file of a job as it is, and what is refused to the error output', async () => {
  const { workspaceId, api } = await system.tenant()
  const inWorkspace = ['--workspace', workspaceId]
  const { id } = must(await api('POST', '/api/v1/jobs', { kind: 'export', resources: ['projects'] }))
  const isDone = async () => (await answerTo('jobs.get', ...inWorkspace, '--id', id)).status === 'completed'
  await eventually(isDone, 'the export')

  const env = { ...process.env, BASE_URL: system.url, OPERATOR_TOKEN: system.operatorToken }
  const words = ['cli/main.ts', 'jobs.result', ...inWorkspace, '--id', id]
  const { stdout: written } = await promisify(execFile)(process.execPath, words, { env, encoding: 'buffer' })
  const refused = await cli(system, 'jobs.refusals', ...inWorkspace, '--id', id)

  const [first = ''] = gunzipSync(written).toString().split('\n')
  expect(JSON.parse(first)).toHaveProperty('sequence')
  expect(refused).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('not_found: ') })
})

// Port 9 of this machine: whoever gets there has sent something.
const nobody = { BASE_URL: 'http://127.0.0.1:9', OPERATOR_TOKEN: 'token' }
const members = 'There are members.access, members.add, members.get, members.list, members.remove, members.update.'

test.each<[string, Record<string, string>, string, number]>([
  ['workspaces.list', {}, 'http://127.0.0.1:9 does not answer: ', 1],
  ['nonsense --help', {}, 'There is no operation nonsense here. `npm run cli` lists them all.', 2],
  ['members.lst', {}, members, 2],
  ['projects.list', {}, 'There is no operation projects.list here. Use an API key.', 2],
  ['audit vrify', {}, 'There is no operation audit here.', 2],
  ['workspaces.create', {}, 'workspaces.create needs --name.', 2],
  ['workspaces.list', { OPERATOR_TOKEN: '' }, 'OPERATOR_TOKEN is missing.', 2],
  ['workspaces.list', { BASE_URL: 'localhost:1' }, 'BASE_URL must be an address such as http://127.0.0.1:8080', 2],
])('%s with %j is told in words: %s', async (words, environment, said, code) => {
  const ended = await run({ ...nobody, ...environment }, ...words.split(' '))

  expect(ended).toEqual({ code, stdout: '', stderr: expect.stringContaining(said) })
})

test.each(['', 'api-keys.create --help', 'audit verify --help'])(
  '"%s" helps without a token, with exit code 0',
  async (words) => {
    const ended = await run({}, ...words.split(' ').filter(Boolean))

    expect(ended).toEqual({ code: 0, stdout: expect.stringMatching(/npm run cli --/), stderr: '' })
  },
)
