// Text and numbers in requests over HTTP and MCP: they are stored as they were sent, or refused. What is refused, and
// where, is seen in test/service/text and test/service/validation; here, that every request meets it.
import { describe, expect, test } from 'vitest'
import { modes, must, sharedSystem, type Answer } from '../support/system.ts'

const composed = 'Caf\u00e9'
const decomposed = 'Cafe\u0301'

describe.each(modes.slice(-1))('text, %s', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  /** The very bytes, which no JSON.stringify has tidied. */
  async function send(method: string, path: string, bytes: string | Uint8Array): Promise<Answer> {
    const headers = { authorization: `Bearer ${tenant.secret}`, 'content-type': 'application/json' }
    const body = typeof bytes === 'string' ? bytes : new Uint8Array(bytes)
    const response = await fetch(system.url + path, { method, headers, body })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const create = (bytes: string | Uint8Array): Promise<Answer> => send('POST', '/api/v1/projects', bytes)
  const callTool = (argumentText: string): Promise<Answer> => {
    const params = `{"name":"projects.create","arguments":${argumentText}}`
    return send('POST', '/api/mcp', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)
  }
  const list = (query: string) => tenant.api('GET', `/api/v1/projects?${query}`)
  const refused = (
    status: 400 | 422,
    error: object,
    code = status === 400 ? 'invalid_parameter' : 'validation_failed',
  ) => ({
    status,
    body: { code, errors: [error] },
  })

  test('text is kept in NFC, however it was sent, in HTTP and in MCP', async () => {
    const { id } = must(await create(JSON.stringify({ name: decomposed, labels: [decomposed] })))
    const { result } = must(await callTool(JSON.stringify({ name: decomposed })))
    const equal = await create(JSON.stringify({ name: 'x', labels: [composed, decomposed] }))

    const read = await tenant.api('GET', `/api/v1/projects/${id}`)
    expect(read.body).toMatchObject({ name: composed, labels: [composed] })
    expect(result.structuredContent.name).toBe(composed)
    expect(equal).toMatchObject(refused(422, { pointer: '/labels', code: 'not_unique' }))
  })

  test('white space around a name, every character of another script, and lines of Markdown are kept', async () => {
    const name = ' \u00a0日本語 שלום\u200f 👩‍👩‍👧 𝒳 '
    const description = 'one\r\n\ttwo\u2028three \u202ereversed\u202c'

    const { id } = must(await create(JSON.stringify({ name, description })))

    expect((await tenant.api('GET', `/api/v1/projects/${id}`)).body).toMatchObject({ name, description })
    const inName = await create(JSON.stringify({ name: description }))
    expect(inName).toMatchObject(refused(422, { pointer: '/name', code: 'wrong_format' }))
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
      expect(answer).toMatchObject(refused(422, { pointer: '/name', code: 'wrong_format', detail }))
    }

    await system.db.member.updateMany({ where: { id }, data: { name: 'Ad\u200bmin' } })
    expect(must(await tenant.settings('GET', at)).name).toBe('Ad\u200bmin')
    expect(must(await tenant.settings('PATCH', at, { email: 'admin@example.com' })).name).toBe('Ad\u200bmin')
  })

  test.each(['\\u0000', '\\ud83d', '\\u001b[31m'])('%s is refused where it stands, in HTTP and in MCP', async (bad) => {
    const body = `{"name":"x","description":"a${bad}b"}`

    expect(await create(body)).toMatchObject(refused(422, { pointer: '/description', code: 'wrong_format' }))
    expect(must(await callTool(body)).result).toMatchObject({ isError: true })
  })

  test.each(['%00', '%1B', '%ED%A0%80', '%FF'])('%s in a path or a query is refused', async (bytes) => {
    for (const answer of [await tenant.api('GET', `/api/v1/projects/${bytes}`), await list(`labels=${bytes}`)])
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } })
  })

  test.each(['9007199254740993', '-1e400', `1${'0'.repeat(400)}`])(
    'the number %s, which would be read as another, is refused',
    async (number) => {
      const inBody = await create(`{"name":"a","customFields":{"size":[${number}]}}`)
      const inQuery = await tenant.api('GET', `/api/v1/events?after=${number}`)

      expect(inBody).toMatchObject(refused(422, { pointer: '/customFields/size/0' }))
      expect(inQuery).toMatchObject(refused(400, { parameter: 'after' }))
    },
  )

  test.each([
    ['a name that stands twice', '{"name":"a","n\\u0061me":"b"}'],
    ['`__proto__` as a name', '{"name":"a","customFields":{"__proto__":1}}'],
    ['10,000 nested lists', `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['Latin-1', Buffer.from('{"name":"Caf\u00e9"}', 'latin1')],
    ['two values', '{"name":"a"}{"name":"b"}'],
  ])('%s is refused as invalid JSON, in HTTP and in MCP', async (_name, body) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
    expect(await send('POST', '/api/mcp', body)).toMatchObject({ status: 400, body: { error: { code: -32_700 } } })
  })

  test.each([
    ...['labels=', 'labels', 'labels=a&labels=', 'limit=1&limit=2', 'customFields.__proto__=x'],
    'customFields.size[gte]=1&customFields.size[gte]=2',
    `customFields.size[gte]=${'9'.repeat(300)}`,
  ])('a parameter that is empty, repeated or not to be had is refused by name: %s', async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { errors: [{ parameter: query.split(/[=&]/)[0] }] } })
  })
})
