import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSystem, type System } from '../support/system.ts'

const main = join(import.meta.dirname, '../../cli/main.ts')

const cli = (
  system: Pick<System, 'url' | 'operatorToken'>,
  ...words: string[]
): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', BASE_URL: system.url, OPERATOR_TOKEN: system.operatorToken }
    execFile(process.execPath, [main, ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, stdout, stderr }),
    )
  })

test('the operator makes a workspace and a key, and revokes the key', async () => {
  await using system = await startSystem('standalone')

  const workspace = JSON.parse((await cli(system, 'workspaces.create', '--name', 'Acme')).stdout)
  const made = await cli(
    system,
    'api-keys.create',
    '--workspace',
    workspace.id,
    '--name',
    'k',
    '--scopes',
    'projects:read,events:read',
    '--rotationPolicy',
    '{"maxAgeDays":30}',
  )
  const key = JSON.parse(made.stdout)
  const revoked = await cli(system, 'api-keys.revoke', '--workspace', workspace.id, '--id', key.id)

  expect(key).toMatchObject({
    scopes: ['projects:read', 'events:read'],
    rotationPolicy: { maxAgeDays: 30 },
    secret: expect.stringMatching(/^wsk_/),
  })
  expect(revoked.code).toBe(0)
  expect(
    JSON.parse((await cli(system, 'api-keys.get', '--workspace', workspace.id, '--id', key.id)).stdout).status,
  ).toBe('revoked')
})

test('what the API refuses is printed with its code, and the exit code is 1', async () => {
  await using system = await startSystem('standalone')

  const { code, stderr } = await cli(system, 'workspaces.create', '--name', '')

  expect(code).toBe(1)
  expect(JSON.parse(stderr)).toMatchObject({ code: 'validation_failed' })
})

test('an unknown operation, an unknown field and a missing workspace are told in words', async () => {
  await using system = await startSystem('standalone')

  expect((await cli(system, 'nonsense')).stderr).toContain('There is no operation nonsense')
  expect((await cli(system, 'workspaces.create', '--nam', 'x')).stderr).toContain('workspaces.create has no field nam')
  expect((await cli(system, 'api-keys.list')).stderr).toContain('needs --workspace')
})

test('an address that nothing listens at is named', async () => {
  const nobody = { url: 'http://127.0.0.1:9', operatorToken: 'token' }
  const { code, stderr } = await cli(nobody, 'workspaces.list')

  expect([code, stderr]).toEqual([1, expect.stringContaining('http://127.0.0.1:9 does not answer: ')])
})
