import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { itemsOfList } from '#contract/text-values.ts'
import { sharedSystem } from '../support/system.ts'
import { cli, run } from './command.ts'

describe('with a system', () => {
  const { system } = sharedSystem('standalone')

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

  test('an empty list takes away what was there', async () => {
    const { id: workspace } = await answerTo('workspaces.create', '--name', 'Acme')
    const given = ['--name', 'k', '--scopes', 'projects:read', '--ipAllowlist', '10.0.0.0/8']
    const key = await answerTo('api-keys.create', '--workspace', workspace, ...given)

    const opened = await answerTo('api-keys.update', '--workspace', workspace, '--id', key.id, '--ipAllowlist', '')

    expect([key.ipAllowlist, opened.ipAllowlist]).toEqual([['10.0.0.0/8'], []])
  })

  test('people are shown tables and fields, the key’s secret among them', async () => {
    const { id: workspace } = await answerTo('workspaces.create', '--name', 'Acme')
    const given = ['--name', 'Nightly', '--scopes', 'projects:read']

    const made = await cli(system, 'api-keys.create', '--workspace', workspace, ...given)
    const listed = await cli(system, 'api-keys.list', '--workspace', workspace)

    expect(made.stdout).toMatch(/^secret +wsk_\w+$/m)
    expect(listed.stdout.split('\n')[0]).toMatch(/^id +name +prefix +status/)
    expect(listed.stdout).toMatch(/ Nightly +wsk_\w+ +active/)
  })

  test('what the API refuses is said in words, or as it is with --json, and the exit code is 1', async () => {
    const words = await cli(system, 'workspaces.create', '--name', '')
    const raw = await cli(system, 'workspaces.create', '--name', '', '--json')

    expect([words.code, raw.code]).toEqual([1, 1])
    expect([words.stdout, raw.stdout]).toEqual(['', ''])
    expect(words.stderr).toMatch(/^validation_failed: /)
    expect(words.stderr).toMatch(/^ {2}--name: /m)
    expect(JSON.parse(raw.stderr)).toMatchObject({ code: 'validation_failed', status: 422 })
  })

  test('a token that is none is refused by the API, with exit code 1', async () => {
    const { code, stderr } = await cli({ url: system.url, operatorToken: 'x'.repeat(40) }, 'workspaces.list')

    expect([code, stderr]).toEqual([1, expect.stringContaining('invalid')])
  })
})

async function answering(body: string): Promise<AsyncDisposable & { url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked, [Symbol.asyncDispose]: async () => void server.close() }
}

test('a comma or a backslash of a value is sent as part of it', async () => {
  await using api = await answering('{"data":[],"page":{}}')
  const words = ['--workspace', 'w', '--action', JSON.stringify(['a,b', 'c\\d', 'e'])]

  const { code } = await cli({ url: api.url, operatorToken: 'token' }, 'audit-entries.list', ...words)

  const query = new URL(api.asked[0] ?? '', api.url).searchParams
  expect(code).toBe(0)
  expect(itemsOfList(query.get('action') ?? '')).toEqual(['a,b', 'c\\d', 'e'])
})

test('an answer that is none of the API’s is told in words, with exit code 1', async () => {
  await using balancer = await answering('<html>Bad gateway</html>')

  const { code, stderr } = await cli({ url: balancer.url, operatorToken: 'token' }, 'workspaces.list')

  expect([code, stderr]).toEqual([1, `${balancer.url} answered 200, with something that is no JSON.\n`])
})

// Port 9 of this machine: whoever gets there has sent something.
const nobody = { url: 'http://127.0.0.1:9', operatorToken: 'token' }

test('an address that nothing listens at is named, with exit code 1', async () => {
  const { code, stderr } = await cli(nobody, 'workspaces.list')

  expect([code, stderr]).toEqual([1, expect.stringContaining('http://127.0.0.1:9 does not answer: ')])
})

test.each([
  [['nonsense'], 'There is no operation nonsense here. `npm run cli` lists them all.'],
  [['nonsense', '--help'], 'There is no operation nonsense here. `npm run cli` lists them all.'],
  [
    ['members.lst'],
    'There are members.access, members.add, members.get, members.list, members.remove, members.update.',
  ],
  [['projects.list'], 'There is no operation projects.list here. It is called with an API key.'],
  [['audit', 'vrify'], 'There is no operation audit here.'],
  [['workspaces.create', '--nam', 'x'], 'workspaces.create has no field nam'],
  [['workspaces.create'], 'workspaces.create needs --name.'],
  [['api-keys.list'], 'api-keys.list needs --workspace.'],
])('%j is never sent: it is told in words, with exit code 2', async (words, said) => {
  const { code, stdout, stderr } = await cli(nobody, ...words)

  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(said) })
})

test.each([
  [{}, 'OPERATOR_TOKEN is missing.'],
  [{ OPERATOR_TOKEN: '' }, 'OPERATOR_TOKEN is missing.'],
  [{ OPERATOR_TOKEN: 'x', BASE_URL: '' }, 'BASE_URL must be an address such as http://127.0.0.1:8080, not "".'],
  [{ OPERATOR_TOKEN: 'x', BASE_URL: 'localhost:1' }, 'BASE_URL must be an address'],
])('%j as environment is told in words, with exit code 2', async (environment, said) => {
  const { code, stderr } = await run(environment, 'workspaces.list')

  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) })
})

test.each([[[]], [['--help']], [['help']], [['api-keys.create', '--help']], [['audit', 'verify', '--help']]])(
  '%j helps without a token, on standard output, with exit code 0',
  async (words) => {
    const { code, stdout, stderr } = await run({}, ...words)

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/npm run cli --/)
  },
)
