// What an MCP body asks for.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkMcpBody } from '../../../gateway/auth/mcp-request.ts'

const checked = (value: unknown) => checkMcpBody(Buffer.from(JSON.stringify(value)))
const tool = (name: unknown, args?: unknown) => ({ id: 1, method: 'tools/call', params: { name, arguments: args } })

test.each([
  [
    { id: 1, method: 'ping' },
    { calls: 1, handshake: false, scope: null, maySendEvents: false },
  ],
  [
    { id: 1, method: 'tools/call', params: { _meta: { progressToken: 0 } } },
    { calls: 1, opensStream: false, maySendEvents: true },
  ],
  [
    { id: 1, method: 'subscriptions/listen', params: { _meta: 'none' } },
    { opensStream: true, maySendEvents: true },
  ],
  [
    { id: 1, method: 'initialize' },
    { calls: 1, handshake: true },
  ],
  [
    { id: 1, method: 'server/discover' },
    { calls: 1, handshake: true },
  ],
  [[{ id: 1, method: 'initialize' }], { calls: 1, handshake: false, client: null, showsNames: false }],
  [
    { id: 1, method: 'initialize', params: { clientInfo: { name: 'x' } } },
    { client: 'x', showsNames: true },
  ],
  [
    { id: 1, method: 'tools/list' },
    { client: null, showsNames: true },
  ],
  [[{ method: 'ping' }, { id: 2, method: 'tools/list' }], { client: null, showsNames: true }],
  [tool('tasks.list'), { client: null, showsNames: false }],
  [Array(50).fill(1), { calls: 50, scope: null }],
  [tool('objects.bulk', { type: 'tasks', items: Array(50).fill('x') }), { calls: 50, scope: 'tasks:write' }],
  [tool('objects_delete', { type: 'tasks', ids: ['WEB-1', 'WEB-2'] }), { calls: 2, scope: 'tasks:delete' }],
  [Array(2).fill(tool('objects.bulk', { type: 'tasks', items: Array(50).fill('x') })), { calls: 100 }],
  [tool('objects.bulk', { items: 'all' }), { calls: 1 }],
  [tool('tasks.list', { items: [1, 2], '': [1, 2] }), { calls: 1 }],
  [[tool('objects.restore', { ids: ['a', 'b', 'c'] }), tool('whoami'), 1], { calls: 5 }],
  [tool('projects.create'), { scope: 'projects:write' }],
  [tool('projects.list', 1), { scope: 'projects:read' }],
  [tool('crm-entities_update'), { scope: 'crm-entities:write' }],
  [tool('projects.restore'), { scope: null }],
  [tool('api-keys.create'), { scope: null }],
  [tool({}), { scope: null }],
  [{ method: 'tools/call' }, { scope: null }],
])('%j asks for %j', (message, expected) => {
  expect(checked(message)).toMatchObject({ fault: null, ...expected })
})

test.each([
  [null, 'body_too_large', 413],
  ['', 'invalid_json', 400],
  ['{', 'invalid_json', 400],
  ['1', 'validation_failed', 400],
  ['null', 'validation_failed', 400],
  ['[]', 'validation_failed', 400],
  [`[${Array(51).fill('{}').join(',')}]`, 'too_many_items', 400],
  [
    JSON.stringify([
      tool('objects.bulk', { items: Array(50).fill('x') }),
      tool('objects.bulk', { items: Array(50) }),
      1,
    ]),
    'too_many_items',
    400,
  ],
])('%j cannot be served: %s', (text, code, status) => {
  const { fault, calls } = checkMcpBody(text === null ? null : Buffer.from(text))
  expect([fault?.code, fault?.status, calls]).toEqual([code, status, 1])
})

test('no JSON whatever makes the check fail, and it always costs something', () => {
  fc.assert(fc.property(fc.json(), (text) => checkMcpBody(Buffer.from(text)).calls > 0))
})
