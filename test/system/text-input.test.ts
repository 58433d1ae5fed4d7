// Text and numbers over HTTP and MCP meet what test/service/text and test/service/validation see of them.
import { expect, test } from 'vitest'
import { describeOnce, must, sharedSystem } from '../support/system.ts'
import { sendBytes, type Bytes } from './calls.ts'

const composed = 'Caf\u00e9'
const decomposed = 'Cafe\u0301'

describeOnce('text', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const send = (path: string, body: Bytes) => sendBytes({ system, tenant }, path, body)
  const create = (body: Bytes) => send('/api/v1/projects', body)
  const callTool = (argumentText: string) => {
    const params = `{"name":"projects.create","arguments":${argumentText}}`
    return send('/api/mcp', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)
  }
  const refused = (error: object) => ({ status: 422, body: { code: 'validation_failed', errors: [error] } })

  test('text is kept in NFC, however it was sent, in HTTP and in MCP', async () => {
    const { id } = must(await create(JSON.stringify({ name: decomposed, labels: [decomposed] })))
    const { result } = must(await callTool(JSON.stringify({ name: decomposed })))
    const equal = await create(JSON.stringify({ name: 'x', labels: [composed, decomposed] }))

    const read = await tenant.api('GET', `/api/v1/projects/${id}`)
    expect(read.body).toMatchObject({ name: composed, labels: [composed] })
    expect(result.structuredContent.name).toBe(composed)
    expect(equal).toMatchObject(refused({ pointer: '/labels', code: 'not_unique' }))
  })

  test('names of people, keys and workspaces hold nothing invisible; those from before can be read and changed', async () => {
    const ali = { name: 'علی\u200cاکبر 👩‍💻', email: 'ali@example.com' }
    const { id } = must(await tenant.settings('POST', '/members', ali))
    const at = `/members/${id}`

    for (const [answer, character] of [
      [await tenant.settings('PATCH', at, { name: 'Ad\u200bmin' }), 'U+200B'],
      [await tenant.settings('POST', '/api-keys', { name: 'Ad\u200bmin', scopes: ['projects:read'] }), 'U+200B'],
      [await tenant.api('PATCH', '/api/v1/workspaces/current', { name: '\u0430cme' }), 'U+0430'],
    ] as const) {
      const detail = expect.stringContaining(character)
      expect(answer).toMatchObject(refused({ pointer: '/name', code: 'wrong_format', detail }))
    }

    await system.db.member.updateMany({ where: { id }, data: { name: 'Ad\u200bmin' } })
    expect(must(await tenant.settings('GET', at)).name).toBe('Ad\u200bmin')
    expect(must(await tenant.settings('PATCH', at, { email: 'admin@example.com' })).name).toBe('Ad\u200bmin')
  })

  test.each<[string, Bytes, string]>([
    ['a lone surrogate', '{"name":"x","description":"a\\ud83db"}', '/description'],
    ['a control character', '{"name":"x","description":"a\\u0000b"}', '/description'],
    ['a number that would be read as another', '{"name":"a","customFields":{"size":-1e400}}', '/customFields/size'],
    ['a name that stands twice', '{"name":"a","n\\u0061me":"b"}', ''],
    ['`__proto__` as a name', '{"name":"a","customFields":{"__proto__":1}}', ''],
    ['10,000 nested lists', `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, ''],
    ['Latin-1', new Uint8Array(Buffer.from('{"name":"Caf\u00e9"}', 'latin1')), ''],
  ])('%s is refused where it stands, or is no JSON, in HTTP and in MCP', async (_what, body, pointer) => {
    const [answer, told] = [await create(body), await send('/api/mcp', body)]

    if (pointer === '') {
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
      expect(told).toMatchObject({ status: 400, body: { error: { code: -32_700 } } })
    } else {
      expect(answer).toMatchObject(refused({ pointer }))
      expect(must(await callTool(String(body))).result).toMatchObject({ isError: true })
    }
  })

  test.each([
    ...['%00', '%1B', '%ED%A0%80', '%FF'].flatMap((bytes) => [`/${bytes}`, `?labels=${bytes}`]),
    ...['?labels=', '?labels', '?labels=a&labels=', '?limit=1&limit=2', '?customFields.__proto__=x'],
    ...['?customFields.size[gte]=1&customFields.size[gte]=2', `?customFields.size[gte]=${'9'.repeat(300)}`],
  ])('a parameter that is no text, empty, repeated or not to be had is refused by name: %s', async (rest) => {
    const { status, body } = await tenant.api('GET', `/api/v1/projects${rest}`)

    expect([status, body.code]).toEqual([400, 'invalid_parameter'])
    if (rest.startsWith('?')) expect(body.errors).toMatchObject([{ parameter: rest.slice(1).split(/[=&]/)[0] }])
  })
})
