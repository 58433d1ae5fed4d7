// `logs tail` and `trigger` of the package against the product.
import { expect, onTestFinished, test } from 'vitest'
import type { LoggedRequest } from '#contract/api-calls.ts'
import { scopes } from '#contract/scopes.ts'
import { lineOf } from '../../cli/logs.ts'
import { eventually } from '../support/eventually.ts'
import { describeOnce, must, sharedSystem } from '../support/system.ts'
import { start, workspace } from './packaged.ts'

describeOnce('the API log', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  test('is followed: each call that fits the filter is said once, in order, until it is stopped', async () => {
    const { secret } = await tenant.key(scopes)
    const env = { WORKSPACE_API_URL: system.url, WORKSPACE_API_KEY: secret }
    const { child, said, ended } = await start(['logs', 'tail', '--status', '4xx', '--json'], { env })
    onTestFinished(() => void child.kill('SIGKILL'))
    must(await tenant.api('GET', '/api/v1/projects'))
    const missing = ['1', '2', '3'].map((n) => `/api/v1/projects/01999999-0000-7000-8000-00000000000${n}`)
    for (const path of missing) await tenant.api('GET', path)

    const calls = (): LoggedRequest[] =>
      said.stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    await eventually(() => calls().length >= missing.length, 'the calls in the log', 40_000)
    child.kill('SIGINT')

    expect(await ended).toMatchObject({ code: 0, stderr: '' })
    expect(calls().map(({ status, path }) => [status, path])).toEqual(missing.map((path) => [404, path]))
  })

  test('an event is triggered in a sandbox, and nowhere else', async () => {
    const given = { name: 'Tried', sandbox: true, owner: { name: 'Ada', email: 'ada@example.com' } }
    const { id } = must(await system.operator('POST', '/settings/api/workspaces', given))
    const env = { BASE_URL: system.url, OPERATOR_TOKEN: system.operatorToken }
    const words = ['trigger', 'tasks.created', '--json', '--workspace']

    const made = await workspace([...words, id], { env })
    const elsewhere = await workspace([...words, tenant.workspaceId], { env })
    const unknown = await workspace(['trigger', 'tasks.exploded', '--workspace', id], { env })

    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(made.stdout)).toMatchObject({ eventType: 'tasks.created', eventId: expect.any(String) })
    expect([elsewhere.code, JSON.parse(elsewhere.stderr).code]).toEqual([1, 'sandbox_only'])
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('<type> is one of') })
  })

  test('a filter that is none, and a key without the scope, are told in words', async () => {
    const env = async (secret: string) => ({ WORKSPACE_API_URL: system.url, WORKSPACE_API_KEY: secret })
    const { secret } = await tenant.key(['projects:read'])

    const filter = await workspace(['logs', 'tail', '--status', '9xx'], { env: await env(tenant.secret) })
    const scope = await workspace(['logs', 'tail'], { env: await env(secret) })
    const own = await workspace(['logs', 'tail', '--cursor', 'x'], { env: await env(secret) })

    expect(filter).toMatchObject({ code: 1, stderr: expect.stringContaining('status') })
    expect(scope).toMatchObject({ code: 1, stderr: expect.stringMatching(/insufficient_scope[^]*requests:read/) })
    expect(own).toMatchObject({ code: 2, stderr: expect.stringContaining('logs tail has no field cursor') })
  })
})

test('a line says when, what, by which key, how long it took, and why it was refused', () => {
  const call = { at: '2026-01-01T00:00:00.000Z', status: 404, method: 'GET', path: '/api/v1/tasks/{id}', ms: 3.4 }
  const more = {
    operation: 'tasks.get',
    apiKeyPrefix: 'wsk_abc',
    code: 'not_found',
    detail: 'No task\u001b[31m.',
    leftOut: 2,
  }

  expect(lineOf({ ...call, ...more } as LoggedRequest)).toBe(
    '2026-01-01T00:00:00.000Z  404  GET /api/v1/tasks/{id}  tasks.get  wsk_abc  3 ms  not_found: No task�[31m.  and 2 like it before',
  )
})
