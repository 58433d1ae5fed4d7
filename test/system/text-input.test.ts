// Text and numbers in requests over HTTP and MCP: they are stored as they were sent, or refused.
import { expect, test } from 'vitest'
import { describeModes, must, sharedSystem, type Answer } from '../support/system.ts'

const composed = 'Caf\u00e9'
const decomposed = 'Cafe\u0301'

describeModes('text', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  /** The very bytes, which no JSON.stringify has tidied. */
  async function send(method: string, path: string, bytes: string | Uint8Array): Promise<Answer> {
    const headers = { authorization: `Bearer ${tenant.secret}`, 'content-type': 'application/json' }
    const body = typeof bytes === 'string' ? bytes : new Uint8Array(bytes)
    const response = await fetch(system.url + path, { method, headers, body })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const create = (bytes: string | Uint8Array): Promise<Answer> => send('POST', '/api/v1/projects', bytes)
  const tool = (name: string, argumentText: string): Promise<Answer> =>
    send(
      'POST',
      '/api/mcp',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${argumentText}}}`,
    )

  test('text is kept in NFC, however it was sent', async () => {
    const { id } = must(await create(JSON.stringify({ name: decomposed, labels: [decomposed] })))

    const read = await tenant.api('GET', `/api/v1/projects/${id}`)

    expect(read.body).toMatchObject({ name: composed, labels: [composed] })
  })

  test('labels that are equal in NFC are equal', async () => {
    expect(await create(JSON.stringify({ name: 'x', labels: [composed, decomposed] }))).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/labels', code: 'not_unique' }] },
    })
  })

  test('a tool’s arguments are kept in NFC as well', async () => {
    const { result } = must(await tool('projects.create', JSON.stringify({ name: decomposed })))

    expect(result.structuredContent.name).toBe(composed)
  })

  test('white space around a name, and every character of another script, is kept', async () => {
    const name = ' \u00a0日本語 שלום\u200f 👩‍👩‍👧 𝒳 '

    const { id } = must(await create(JSON.stringify({ name })))

    expect((await tenant.api('GET', `/api/v1/projects/${id}`)).body.name).toBe(name)
  })

  test('names of people, keys and workspaces hold nothing invisible; those from before can be read and changed', async () => {
    const member = must(
      await tenant.settings('POST', '/members', { name: 'علی\u200cاکبر 👩‍💻', email: 'ali@example.com' }),
    )
    const at = `/members/${member.id}`
    for (const [method, path, body] of [
      ['PATCH', at, { name: 'Ad\u200bmin' }],
      ['POST', '/api-keys', { name: 'Ad\u200bmin', scopes: ['projects:read'] }],
    ] as const)
      expect(await tenant.settings(method, path, body)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/name', code: 'wrong_format', detail: expect.stringContaining('U+200B') }] },
      })
    expect(await tenant.api('PATCH', '/api/v1/workspaces/current', { name: '\u0430cme' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/name', detail: expect.stringContaining('U+0430') }] },
    })

    await system.db.member.updateMany({ where: { id: member.id }, data: { name: 'Ad\u200bmin' } })
    expect(must(await tenant.settings('GET', at)).name).toBe('Ad\u200bmin')
    expect(must(await tenant.settings('PATCH', at, { email: 'admin@example.com' })).name).toBe('Ad\u200bmin')
  })

  test('Markdown may have line breaks and tabs, a name may not', async () => {
    const text = 'one\r\n\ttwo\u2028three \u202ereversed\u202c'

    expect(must(await create(JSON.stringify({ name: 'x', description: text }))).description).toBe(text)
    for (const name of ['a\nb', 'a\tb', 'a\u2028b', 'a\u202eb', ' ', '\u200b']) {
      expect(await create(JSON.stringify({ name }))).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/name', code: 'wrong_format' }] },
      })
    }
  })

  test.each(['\\u0000', '\\ud83d', '\\ude00\\ud83d', '\\u001b[31m', '\\u007f'])(
    '%s is refused where it stands, in HTTP and in MCP',
    async (character) => {
      const body = `{"name":"x","description":"a${character}b"}`

      expect(await create(body)).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: '/description', code: 'wrong_format' }] },
      })
      expect(must(await tool('projects.create', body)).result).toMatchObject({ isError: true })
    },
  )

  test.each(['%00', '%1B', '%ED%A0%80', '%FF'])(
    '%s in a path or a query is refused, and harms nobody',
    async (bytes) => {
      const inPath = await tenant.api('GET', `/api/v1/projects/${bytes}`)
      const inQuery = await tenant.api('GET', `/api/v1/projects?labels=${bytes}`)

      expect(inPath).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } })
      expect(inQuery).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } })
    },
  )

  test.each([
    ['{"name":"a","name":"b"}', '/name'],
    ['{"name":"a","n\\u0061me":"b"}', '/name'],
    ['{"name":"a","customFields":{"a":1,"a":2}}', '/customFields/a'],
  ])('a duplicate name is refused: %s', async (body, pointer) => {
    const error = { pointer, code: 'not_unique' }

    expect(await create(body)).toMatchObject({ status: 400, body: { code: 'invalid_json', errors: [error] } })
    expect(await tool('projects.create', body)).toMatchObject({
      status: 400,
      body: { error: { code: -32_700, data: { code: 'invalid_json', errors: [{ code: 'not_unique' }] } } },
    })
  })

  test('`__proto__` is refused as a name at any depth', async () => {
    for (const body of ['{"name":"a","__proto__":{}}', '{"name":"a","customFields":{"__proto__":1}}']) {
      expect(await create(body)).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
      expect(await tool('projects.create', body)).toMatchObject({
        status: 400,
        body: { error: { data: { code: 'invalid_json' } } },
      })
    }
    expect(await tenant.api('GET', '/api/v1/projects?customFields.__proto__=x')).toMatchObject({
      status: 400,
      body: { errors: [{ parameter: 'customFields.__proto__' }] },
    })
  })

  test('`constructor` that holds `prototype` is refused', async () => {
    const body = '{"name":"a","customFields":{"constructor":{"prototype":{"x":1}}}}'

    expect(await create(body)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/customFields/constructor', code: 'wrong_format' }] },
    })
    expect(must(await tool('projects.create', body)).result).toMatchObject({ isError: true })
  })

  test.each(['9007199254740993', '1e400', '-1e400', `1${'0'.repeat(400)}`])(
    'the number %s, which would be read as another, is refused',
    async (number) => {
      expect(await create(`{"name":"a","customFields":{"size":[${number}]}}`)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/customFields/size/0' }] },
      })
      expect(await tenant.api('GET', `/api/v1/events?after=${number}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_parameter', errors: [{ parameter: 'after' }] },
      })
    },
  )

  test.each([
    ['10,000 nested lists', `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['10,000 open objects', '{"a":'.repeat(10_000)],
    ['a byte order mark', '\ufeff{"name":"a"}'],
    ['bytes that are no UTF-8', Buffer.from([...Buffer.from('{"name":"a'), 0xff, ...Buffer.from('"}')])],
    ['Latin-1', Buffer.from('{"name":"Caf\u00e9"}', 'latin1')],
    ['two values', '{"name":"a"}{"name":"b"}'],
    ['a trailing comma', '{"name":"a",}'],
    ['NaN', '{"name":NaN}'],
  ])('%s is refused as invalid JSON, in HTTP and in MCP', async (_name, body) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
    expect(await send('POST', '/api/mcp', body)).toMatchObject({ status: 400, body: { error: { code: -32_700 } } })
  })

  test('an unknown field of an inner object is refused with a suggestion', async () => {
    const webhook = { name: 'x', url: 'https://example.com', eventTypes: ['*'], filter: { project_ids: [] } }

    expect(await tenant.api('POST', '/api/v1/webhooks', webhook)).toMatchObject({
      status: 422,
      body: {
        code: 'unknown_field',
        errors: [{ pointer: '/filter/project_ids', detail: 'Unknown field. Did you mean `projectIds`?' }],
      },
    })
  })

  test('an empty parameter, and one that takes one value and is repeated, are refused by name', async () => {
    for (const query of [
      'labels=',
      'labels',
      'labels=a&labels=',
      'limit=1&limit=2',
      'customFields.size[gte]=1&customFields.size[gte]=2',
    ]) {
      const name = query.split(/[=&]/)[0]
      expect(await tenant.api('GET', `/api/v1/projects?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_parameter', errors: [{ parameter: name }] },
      })
    }
  })

  test('an invalid custom field parameter is named as it was sent', async () => {
    expect(await tenant.api('GET', `/api/v1/projects?customFields.size[gte]=${'9'.repeat(300)}`)).toMatchObject({
      status: 400,
      body: { errors: [{ parameter: 'customFields.size[gte]', code: 'too_long' }] },
    })
  })
})
