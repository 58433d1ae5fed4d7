import { expect, test } from 'vitest'
import { verifyAuditLog } from '../../cli/audit-verify.ts'
import { must, startSystem } from '../support/system.ts'
import { cli } from './command.ts'

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
