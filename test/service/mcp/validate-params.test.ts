// Params that fit no method are refused in a sentence, and not with a dump of somebody's schema.
import { describe, expect, test } from 'vitest'
import { type Message, paramsFlaw } from '../../../service/mcp/json-rpc.ts'
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
    '`params.clientInfo.name` must be text.',
  ],
]
const request = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 7, method, params }) as Message

test.each(broken)('%s with %s is refused in a sentence', (method, _how, params, message) => {
  expect(paramsFlaw(method, params as object)).toBe(message)
})

test('what fits is served', () => {
  expect(paramsFlaw('tools/call', { name: 'x' })).toBeNull()
  expect(paramsFlaw('tools/list', undefined)).toBeNull()
  expect(paramsFlaw('initialize', { protocolVersion: 'x', capabilities: {}, clientInfo: info })).toBeNull()
})

describe('through the gateway', () => {
  test('alone and in a batch, in either era, the sentence is all that comes', async () => {
    await using system = await startSystem('standalone')
    const { api } = await system.tenant()
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    for (const [method, , params, message] of broken) {
      const one = request(method, params)
      const now = request(method, { _meta: envelope, ...(params as object) })
      const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': 'x' }

      const answers = [
        (await api('POST', '/api/mcp', one)).body,
        // It has no place in a batch or in the current version, whatever its params.
        method === 'initialize' ? [] : (await api('POST', '/api/mcp', now, modern)).body,
        method === 'initialize' ? [] : (await api('POST', '/api/mcp', [one])).body,
      ]

      for (const answer of answers.flat()) expect(answer.error).toMatchObject({ code: -32_602, message })
    }
  })
})
