// What an MCP body asks for.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkMcpBody } from '../../../gateway/auth/mcp-request.ts'
import { rpcIdIn } from '../../../gateway/request/body.ts'
import { initialize, ping, request } from '../support/messages.ts'

const checked = (value: unknown) => checkMcpBody(Buffer.from(JSON.stringify(value)))
const tool = (name: unknown, args?: unknown) => request('tools/call', { name, arguments: args })
const many = (length: number, item: unknown = 'x'): unknown[] => Array.from({ length }, () => item)

test.each([
  [ping, { calls: 1, handshake: false, scope: null, maySendEvents: false }],
  [request('tools/call', { _meta: { progressToken: 0 } }), { calls: 1, opensStream: false, maySendEvents: true }],
  [request('subscriptions/listen', { _meta: 'none' }), { opensStream: true, maySendEvents: true }],
  [request('server/discover'), { calls: 1, handshake: true }],
  [request('initialize'), { calls: 1, handshake: true, client: null }],
  [[request('initialize')], { calls: 1, handshake: false, client: null, showsNames: false }],
  [initialize({ clientInfo: { name: 'x' } }), { client: 'x', showsNames: true }],
  [request('tools/list'), { client: null, showsNames: true }],
  [[{ method: 'ping' }, request('tools/list')], { client: null, showsNames: true }],
  [tool('tasks.list'), { client: null, showsNames: false }],
  [tool('objects.bulk', { type: 'tasks', items: many(50) }), { calls: 50, scope: 'tasks:write' }],
  [tool('objects_delete', { type: 'tasks', ids: ['WEB-1', 'WEB-2'] }), { calls: 2, scope: 'tasks:delete' }],
  [many(2, tool('objects.bulk', { type: 'tasks', items: many(50) })), { calls: 100 }],
  [[tool('objects.restore', { ids: ['a', 'b', 'c'] }), tool('whoami'), 1], { calls: 5 }],
  [tool('projects.create'), { scope: 'projects:write' }],
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
  [JSON.stringify([...many(2, tool('objects.bulk', { items: many(50) })), 1]), 'too_many_items', 400],
])('%j cannot be served: %s', (text, code, status) => {
  const { fault, calls } = checkMcpBody(text === null ? null : Buffer.from(text))
  expect([fault?.code, fault?.status, calls]).toEqual([code, status, 1])
})

test('no JSON whatever makes the check fail, and it always costs something', () => {
  fc.assert(fc.property(fc.json(), (text) => checkMcpBody(Buffer.from(text)).calls > 0))
})

test.each([
  ['{"id":"a"}', 'a'],
  ['{"id":0}', 0],
  ['{"id":1.5}', null],
  ['{"id":9007199254740993}', null],
  ['{"id":null}', null],
  ['{"id":{}}', null],
  ['{"id":1,"id":2}', 2],
  ['[{"id":1}]', null],
  ['{', null],
])('the id in %s is %j', (text, id) => {
  expect(rpcIdIn(Buffer.from(text))).toBe(id)
})
