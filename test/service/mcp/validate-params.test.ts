// Params that fit no method are refused in a sentence, and not with a dump of somebody's schema.
import { describe, expect, test } from 'vitest'
import type { Message } from '../../../service/mcp/json-rpc-messages.ts'
import { paramsError } from '../../../service/mcp/validate-params.ts'
import { startSystem } from '../../support/system.ts'

const info = { name: 'x', version: '1' }
const broken: [string, string, unknown, string][] = [
  ['tools/call', 'no name', {}, '`params.name` must be text.'],
  ['tools/call', 'a number for a name', { name: 3 }, '`params.name` must be text.'],
  ['tools/call', 'a list of arguments', { name: 'x', arguments: [] }, '`params.arguments` must be an object.'],
  ['tools/call', 'text for arguments', { name: 'x', arguments: 'x' }, '`params.arguments` must be an object.'],
  ['tools/list', 'a number for a cursor', { cursor: 3 }, '`params.cursor` must be text.'],
  ['tools/list', 'a list for _meta', { _meta: [] }, '`params._meta` must be an object.'],
  ['initialize', 'no version', { capabilities: {}, clientInfo: info }, '`params.protocolVersion` must be text.'],
  [
    'initialize',
    'no capabilities',
    { protocolVersion: 'x', clientInfo: info },
    '`params.capabilities` must be an object.',
  ],
  [
    'initialize',
    'a client without a name',
    { protocolVersion: 'x', capabilities: {}, clientInfo: {} },
    '`params.clientInfo` must be an object with the texts `name` and `version`.',
  ],
]
const request = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 7, method, params }) as Message

test.each(broken)('%s with %s is refused in a sentence', (method, _how, params, message) => {
  expect(paramsError(request(method, params))).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32_602, message } })
})

test('what fits is served', () => {
  expect(paramsError(request('tools/call', { name: 'x' }))).toBeNull()
  expect(paramsError(request('tools/list', undefined))).toBeNull()
  expect(paramsError(request('initialize', { protocolVersion: 'x', capabilities: {}, clientInfo: info }))).toBeNull()
})

describe('through the gateway', () => {
  test('alone and in a batch, in either era, the sentence is all that comes', async () => {
    await using system = await startSystem('standalone')
    const { api } = await system.tenant()
    const modern = { 'mcp-protocol-version': '2026-07-28' }
    for (const [method, , params, message] of broken) {
      const one = request(method, params)

      const answers = [
        (await api('POST', '/api/mcp', one)).body,
        (await api('POST', '/api/mcp', one, modern)).body,
        // A batch has no place for it, whatever its params.
        method === 'initialize' ? [] : (await api('POST', '/api/mcp', [one])).body,
      ]

      for (const answer of answers.flat()) expect(answer.error).toMatchObject({ code: -32_602, message })
    }
  })
})
