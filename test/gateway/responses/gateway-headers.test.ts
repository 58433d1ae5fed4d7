// Every answer says that it is no page, and none for one caller may be kept. Of calls of the API: listener.test.ts.
import { beforeEach, expect, test } from 'vitest'
import { edgeOfFile, operatorToken, startEdge, type Edge } from '../support/edge.ts'
import { answerWith } from '../support/service.ts'
import { Type } from 'typebox'
import { operations } from '#contract/api.ts'
import { closed } from '#contract/shared-fields.ts'
import { operation } from '#contract/operation.ts'

const { edge, token } = edgeOfFile()
beforeEach(() => {
  edge.service.respond = answerWith(200, { 'cache-control': 'public' })
})

type Ask = Parameters<Edge['call']>
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

test.each<[number, string, () => Ask]>([
  [200, 'a call of the operator', () => ['GET', '/settings/api/workspaces', { token: operatorToken }]],
  [200, 'a tool call', () => ['POST', '/api/mcp', { token, body: ping }]],
  [401, 'a tool call without a key', () => ['POST', '/api/mcp', { body: ping }]],
  [200, 'health', () => ['GET', '/health']],
  [200, 'readiness', () => ['GET', '/ready']],
])('%i: %s', async (expected, _what, ask) => {
  const { status, headers } = await edge.call(...ask())

  const said = ['x-content-type-options', 'cache-control'].map((name) => headers.get(name))
  expect([status, ...said]).toEqual([expected, 'nosniff', 'no-store'])
})

const text = closed({ text: Type.String() })
const since = new Date('2027-01-31T12:00:00.500Z')
const sunset = new Date('2028-02-01T00:00:00Z')
const deprecation = { since, sunset, link: 'https://example.com/docs/changes#old' }
const audiences = ['api', 'settings'] as const
const declared = { name: 'old.list', http: 'GET /old', audiences, tenancy: 'none', scope: null, deprecation } as const
const old = operation({ ...declared, summary: '', description: '', input: text, output: text, success: 200 })

const link = '<https://example.com/docs/changes#old>; rel="deprecation"'
const said = ['@1801396800', 'Tue, 01 Feb 2028 00:00:00 GMT', link]
const saidBy = ({ headers }: { headers: Headers }) => ['deprecation', 'sunset', 'link'].map((name) => headers.get(name))

test('a deprecated operation says so on every answer, of the service and of the gateway, to keys and to operators; nothing else does', async () => {
  await using edge = await startEdge({ operations: [...operations, old] })
  const { token } = edge.service.key()

  const answers = [
    await edge.call('GET', '/api/v1/old', { token }),
    await edge.call('HEAD', '/api/v1/old', { token }),
    await edge.call('GET', '/settings/api/old', { token: operatorToken }),
    await edge.call('GET', '/api/v1/old'),
    await edge.call('GET', '/api/v1/old', { token: edge.service.key({ scopes: [] }).token }),
  ]
  const other = await edge.call('GET', '/api/v1/me', { token })
  edge.service.respond = answerWith(200, { link: '</api/v1/old?cursor=c>; rel="next"' })
  const withLink = await edge.call('GET', '/api/v1/old', { token })

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401, 403])
  for (const answer of answers) expect(saidBy(answer)).toEqual(said)
  expect(saidBy(other)).toEqual([null, null, null])
  // The link to the next page is kept beside its own.
  expect(withLink.headers.get('link')).toBe(`</api/v1/old?cursor=c>; rel="next", ${link}`)
})
