import { describe, expect, test } from 'vitest'
import { sharedSystem } from '../support/system.ts'
import { cli, run } from './command.ts'

describe('with a system', () => {
  const { system, tenant } = sharedSystem('standalone')

  const answerTo = async (...words: string[]) => JSON.parse((await cli(system, ...words, '--json')).stdout)

  test('the operator makes a workspace and a key, and revokes the key', async () => {
    const { id: workspace } = await answerTo('workspaces.create', '--name', 'Acme')
    const given = ['--name=k', '--scopes', 'projects:read,events:read', '--rotationPolicy', '{"maxAgeDays":30}']
    const key = await answerTo('api-keys.create', '--workspace', workspace, ...given)
    const named = ['--workspace', workspace, '--id', key.id]
    const revoked = await cli(system, 'api-keys.revoke', ...named)

    expect(key).toMatchObject({
      scopes: ['projects:read', 'events:read'],
      rotationPolicy: { maxAgeDays: 30 },
      secret: expect.stringMatching(/^wsk_/),
    })
    expect(revoked).toEqual({ code: 0, stdout: 'Done.\n', stderr: '' })
    expect((await answerTo('api-keys.get', ...named)).status).toBe('revoked')
  })

  test('people are shown tables and fields, the key’s secret among them', async () => {
    const { workspaceId } = tenant
    const given = ['--name', 'Nightly', '--scopes', 'projects:read']

    const made = await cli(system, 'api-keys.create', '--workspace', workspaceId, ...given)
    const listed = await cli(system, 'api-keys.list', '--workspace', workspaceId)

    expect(made.stdout).toMatch(/^secret +wsk_\w+$/m)
    expect(listed.stdout.split('\n')[0]).toMatch(/^id +name +prefix +status/)
    expect(listed.stdout).toMatch(/ Nightly +wsk_\w+ +active/)
  })

  test('what the API refuses is said in words, or as it is with --json, and the exit code is 1', async () => {
    const refused = ['workspaces.create', '--name', '']
    const [words, raw] = await Promise.all([cli(system, ...refused), cli(system, ...refused, '--json')])

    expect(words).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^validation_failed: .*\n {2}--name: /),
    })
    expect(raw).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(raw.stderr)).toMatchObject({ code: 'validation_failed', status: 422 })
  })

  test('a token that is none is refused by the API, with exit code 1', async () => {
    const { code, stderr } = await cli({ url: system.url, operatorToken: 'x'.repeat(40) }, 'workspaces.list')

    expect([code, stderr]).toEqual([1, expect.stringContaining('invalid')])
  })
})

// Port 9 of this machine: whoever gets there has sent something.
const nobody = { url: 'http://127.0.0.1:9', operatorToken: 'token' }

test('an address that nothing listens at is named, with exit code 1', async () => {
  const { code, stderr } = await cli(nobody, 'workspaces.list')

  expect([code, stderr]).toEqual([1, expect.stringContaining('http://127.0.0.1:9 does not answer: ')])
})

test.each([
  [['nonsense', '--help'], 'There is no operation nonsense here. `npm run cli` lists them all.'],
  [
    ['members.lst'],
    'There are members.access, members.add, members.get, members.list, members.remove, members.update.',
  ],
  [['projects.list'], 'There is no operation projects.list here. It is called with an API key.'],
  [['audit', 'vrify'], 'There is no operation audit here.'],
  [['workspaces.create'], 'workspaces.create needs --name.'],
])('%j is never sent: it is told in words, with exit code 2', async (words, said) => {
  expect(await cli(nobody, ...words)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(said) })
})

test.each([
  [{ OPERATOR_TOKEN: '' }, 'OPERATOR_TOKEN is missing.'],
  [{ OPERATOR_TOKEN: 'x', BASE_URL: '' }, 'BASE_URL must be an address such as http://127.0.0.1:8080, not "".'],
  [{ OPERATOR_TOKEN: 'x', BASE_URL: 'localhost:1' }, 'BASE_URL must be an address'],
])('%j as environment is told in words, with exit code 2', async (environment, said) => {
  expect(await run(environment, 'workspaces.list')).toMatchObject({ code: 2, stderr: expect.stringContaining(said) })
})

test.each([[[]], [['api-keys.create', '--help']], [['audit', 'verify', '--help']]])(
  '%j helps without a token, on standard output, with exit code 0',
  async (words) => {
    expect(await run({}, ...words)).toEqual({ code: 0, stdout: expect.stringMatching(/npm run cli --/), stderr: '' })
  },
)
