// From when on answers say that a key's time is ending, and when that is.
import { expect, test } from 'vitest'
import { warningHeaders } from '../../../gateway/keys/key.ts'
import { keyOf, at, dayMs, now } from '../support/checks.ts'
import { startEdge } from '../support/edge.ts'
import { workspaceA, workspaceB } from '../support/service.ts'

const made = { createdAt: at(0), expiresAt: null }
const days = (count: number): number => count * dayMs

test.each([
  { of: 'a key that expires', record: { expiresAt: at(days(10)) }, header: 'x-key-expires-at', end: 10 },
  {
    of: 'a secret in its overlap',
    record: { secret: { ...made, expiresAt: at(days(5)) } },
    header: 'x-key-expires-at',
    end: 5,
  },
  { of: 'a rotation policy', record: { maxAgeDays: 90 }, header: 'x-key-rotate-by', end: 90 },
])('$of is told of from 80 % of the time on', ({ record, header, end }) => {
  const { warnings } = keyOf({ secret: made, ...record })

  expect(warningHeaders(warnings, now + days(end * 0.8) - 1)).toBeNull()
  expect(warningHeaders(warnings, now + days(end * 0.8))).toEqual({ [header]: at(days(end)) })
})

test('the age that a workspace demands counts like the key’s own: the earliest holds', () => {
  const inWorkspace = (id: string, from: number) => ({
    ...{ id, suspended: false, refusals: [{ rule: 'maxKeyAgeDays' as const, from: at(days(from)) }] },
  })
  const workspaces = [inWorkspace(workspaceA, 20), inWorkspace(workspaceB, 10)]
  const { warnings } = keyOf({ secret: made, maxAgeDays: 30, bound: false, workspaces })

  expect(warningHeaders(warnings, now + days(9))).toEqual({ 'x-key-rotate-by': at(days(10)) })
})

test('a key without an end is never warned of', () => {
  expect(keyOf({ secret: made }).warnings).toEqual([])
})

test('every answer to the key’s calls has the warning, over REST and MCP, the refused ones included', async () => {
  await using edge = await startEdge()
  const ago = (count: number) => new Date(Date.now() - days(count)).toISOString()
  const { token } = edge.service.key({
    maxAgeDays: 10,
    secret: { createdAt: ago(9), expiresAt: null },
    scopes: ['tasks:read'],
  })
  const young = edge.service.key({ maxAgeDays: 10 })

  const answers = [
    await edge.call('GET', '/api/v1/me', { token }),
    await edge.call('GET', '/api/v1/projects', { token }),
    await edge.call('POST', '/api/mcp', { token, body: { jsonrpc: '2.0', id: 1, method: 'ping' } }),
    await edge.call('POST', '/api/mcp', { token, body: [] }),
    await edge.call('GET', '/api/v1/me', { token: young.token }),
  ]

  expect(answers.map(({ status }) => status)).toEqual([200, 403, 200, 400, 200])
  const shown = answers.map(({ headers }) => headers.get('x-key-rotate-by')?.slice(0, 10))
  const due = new Date(Date.now() + days(1)).toISOString().slice(0, 10)
  expect(shown).toEqual([due, due, due, due, undefined])
})
