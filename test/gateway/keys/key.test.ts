// The one deadline of a key's record, against the checks that it stands for: each asked by itself, at every moment.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import type { PolicyRule } from '#contract/key-policy.ts'
import { keyFrom, lastUseOf, warningHeaders } from '../../../gateway/keys/key.ts'
import { at, dayMs, now, keyOf } from '../support/checks.ts'
import { recordOf, within, workspaceA, workspaceB } from '../support/service.ts'
import { startEdge } from '../support/edge.ts'

const moment = fc.integer({ min: -20, max: 20 }).map((days) => days * dayMs)
const timestamp = moment.map(at)
const refusal = fc.record({ rule: fc.constant<PolicyRule>('maxKeyAgeDays'), from: timestamp })
const records = fc.record({
  bound: fc.boolean(),
  workspaces: fc.array(refusal, { maxLength: 3 }).map((refusals) => [within(workspaceA, { refusals })]),
  expiresAt: fc.option(timestamp),
  revokedAt: fc.option(timestamp, { freq: 6 }),
  maxAgeDays: fc.option(fc.integer({ min: 1, max: 30 })),
  secret: fc.record({ createdAt: timestamp, expiresAt: fc.option(timestamp) }),
})

test('a key is before its deadline exactly while nothing has ended', () => {
  const property = fc.property(records, moment, (generated, after) => {
    const record = { ...recordOf(), ...generated }

    expect(now + after < keyFrom(record).deadline).toBe(!hasEnded(record, new Date(now + after)))
  })
  fc.assert(property, { numRuns: 1_000 })
})

function hasEnded({ bound, workspaces, expiresAt, revokedAt, maxAgeDays, secret }: KeyRecord, at: Date): boolean {
  const isOver = (timestamp: string | null): boolean => timestamp !== null && new Date(timestamp) <= at
  const days = (at.getTime() - Date.parse(secret.createdAt)) / dayMs
  return [
    revokedAt !== null,
    isOver(expiresAt),
    isOver(secret.expiresAt),
    maxAgeDays !== null && days >= maxAgeDays,
    bound && workspaces.some(({ refusals }) => refusals.some(({ from }) => isOver(from))),
  ].includes(true)
}

const made = { createdAt: at(0), expiresAt: null }
const days = (count: number): number => count * dayMs
const endingIn = (count: number) => ({ ...made, expiresAt: at(days(count)) })

test.each([
  { of: 'a key that expires', record: { expiresAt: at(days(10)) }, header: 'x-key-expires-at', end: 10 },
  { of: 'a secret in its overlap', record: { secret: endingIn(5) }, header: 'x-key-expires-at', end: 5 },
  { of: 'a rotation policy', record: { maxAgeDays: 90 }, header: 'x-key-rotate-by', end: 90 },
])('$of is told of from 80 % of the time on', ({ record, header, end }) => {
  const { warnings } = keyOf({ secret: made, ...record })

  expect(warningHeaders(warnings, now + days(end * 0.8) - 1)).toBeNull()
  expect(warningHeaders(warnings, now + days(end * 0.8))).toEqual({ [header]: at(days(end)) })
})

test('the age that a workspace demands counts like the key’s own, the earliest holds; one without an end is never warned of', () => {
  const inWorkspace = (id: string, from: number) =>
    within(id, { refusals: [{ rule: 'maxKeyAgeDays', from: at(days(from)) }] })
  const workspaces = [inWorkspace(workspaceA, 20), inWorkspace(workspaceB, 10)]
  const { warnings } = keyOf({ secret: made, maxAgeDays: 30, bound: false, workspaces })

  expect(warningHeaders(warnings, now + days(9))).toEqual({ 'x-key-rotate-by': at(days(10)) })
  expect(keyOf({ secret: made }).warnings).toEqual([])
})

test('every answer to a call with the key of a sandbox says so, over REST and MCP, the refused ones included; no other does', async () => {
  await using edge = await startEdge()
  const ofSandbox = edge.service.key({ workspaces: [within(workspaceA, { sandbox: true })], scopes: ['tasks:read'] })
  const other = edge.service.key({})
  const said = async (path: string, token: string, body?: object) => {
    const { status, headers } = await edge.call(body === undefined ? 'GET' : 'POST', path, { token, body })
    return [status, headers.get('x-sandbox')]
  }
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  expect([
    await said('/api/v1/me', ofSandbox.token),
    await said('/api/v1/projects', ofSandbox.token),
    await said('/api/mcp', ofSandbox.token, ping),
    await said('/api/v1/me', other.token),
  ]).toEqual([
    [200, 'true'],
    [403, 'true'],
    [200, 'true'],
    [200, null],
  ])
})

test('every answer to the key’s calls has the warning, over REST and MCP, the refused ones included', async () => {
  await using edge = await startEdge()
  const day = (count: number) => new Date(Date.now() + days(count)).toISOString()
  const secret = { createdAt: day(-9), expiresAt: null }
  const { token } = edge.service.key({ maxAgeDays: 10, secret, scopes: ['tasks:read'] })
  const young = edge.service.key({ maxAgeDays: 10 })
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  const answers = [
    await edge.call('GET', '/api/v1/me', { token }),
    await edge.call('GET', '/api/v1/projects', { token }),
    await edge.call('POST', '/api/mcp', { token, body: ping }),
    await edge.call('POST', '/api/mcp', { token, body: [] }),
    await edge.call('GET', '/api/v1/me', { token: young.token }),
  ]

  const due = day(1).slice(0, 10)
  const shown = answers.map(({ status, headers }) => [status, headers.get('x-key-rotate-by')?.slice(0, 10)].join(' '))
  expect(shown).toEqual([...[200, 403, 200, 400].map((status) => `${status} ${due}`), '200 '])
})

test('a key that is bound to no workspace may be used in one until the policy there refuses it, or until it ends itself', () => {
  const refusals = [{ rule: 'requireExpiry', from: at(days(3)) } as const]
  const workspaces = [within(workspaceA, { refusals }), within(workspaceB)]
  const lastUses = (more: Partial<KeyRecord>) =>
    [workspaceA, workspaceB, null].map((id) => lastUseOf(keyOf({ bound: false, workspaces, ...more }), id))

  expect(lastUses({})).toEqual([now + days(3), Infinity, Infinity])
  expect(lastUses({ expiresAt: at(days(1)) })).toEqual([now + days(1), now + days(1), now + days(1)])
})
