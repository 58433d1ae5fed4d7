import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { closed } from '#contract/shared-fields.ts'
import { operation, type Operation } from '#contract/operation.ts'
import { operatorToken, startEdge } from '../support/edge.ts'

const text = closed({ text: Type.String() })
const shape = { summary: '', description: '', input: text, output: text, success: 200 } as const
const deprecation = {
  since: new Date('2027-01-31T12:00:00.500Z'),
  sunset: new Date('2028-02-01T00:00:00Z'),
  link: 'https://example.com/docs/changes#old',
}
const old = operation({
  ...{ name: 'old.list', http: 'GET /old', audiences: ['api', 'settings'], tenancy: 'none', scope: null, deprecation },
  ...shape,
})
const startWith = (...more: Operation[]) => startEdge({ operations: [...operations, ...more] })

describe('a deprecated operation', () => {
  const said = [
    '@1801396800',
    'Tue, 01 Feb 2028 00:00:00 GMT',
    '<https://example.com/docs/changes#old>; rel="deprecation"',
  ]
  const saidBy = ({ headers }: { headers: Headers }) =>
    ['deprecation', 'sunset', 'link'].map((name) => headers.get(name))

  test('says so on every answer, of the service and of the gateway, to keys and to operators', async () => {
    await using edge = await startWith(old)
    const { token } = edge.service.key()

    const answers = [
      await edge.call('GET', '/api/v1/old', { token }),
      await edge.call('HEAD', '/api/v1/old', { token }),
      await edge.call('GET', '/settings/api/old', { token: operatorToken }),
      await edge.call('GET', '/api/v1/old'),
      await edge.call('GET', '/api/v1/old', { token: edge.service.key({ scopes: [] }).token }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401, 403])
    for (const answer of answers) expect(saidBy(answer)).toEqual(said)
  })

  test('keeps the link to the next page beside its own', async () => {
    await using edge = await startWith(old)
    edge.service.respond = (_request, response) =>
      void response.setHeader('link', '</api/v1/old?cursor=c>; rel="next"').end('{}')

    const { headers } = await edge.call('GET', '/api/v1/old', { token: edge.service.key().token })

    expect(headers.get('link')).toBe(`</api/v1/old?cursor=c>; rel="next", ${said[2]}`)
  })

  test('nothing else says so', async () => {
    await using edge = await startWith(old)
    const answer = await edge.call('GET', '/api/v1/me', { token: edge.service.key().token })

    expect(saidBy(answer)).toEqual([null, null, null])
  })
})
