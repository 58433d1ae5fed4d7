// Answers as they come over the wire, from the service through the gateway: packed, unchanged, or without a body.
import { request, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { describeModes, must, sharedSystem } from '../support/system.ts'

type Wire = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }

describeModes('answers', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  let path: string
  beforeAll(async () => {
    const project = { name: 'Website', description: 'All about it. '.repeat(200) }
    path = `/api/v1/projects/${must(await tenant.api('POST', '/api/v1/projects', project)).id}`
  })

  /** Without the help of a client that unpacks. */
  const ask = (method: string, target: string, more: Record<string, string> = {}, body?: string): Promise<Wire> =>
    new Promise((resolve, reject) => {
      const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
      const headers = { authorization: `Bearer ${tenant.secret}`, ...type, ...more }
      const sent = request(system.url + target, { method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
        )
      })
      sent.on('error', reject)
      sent.end(body)
    })

  test('a long answer is compressed as the caller accepts, and is the same object with the same ETag', async () => {
    const plain = await ask('GET', path)
    const br = await ask('GET', path, { 'accept-encoding': 'gzip, deflate, br' })
    const gzip = await ask('GET', path, { 'accept-encoding': 'gzip' })

    const encodings = [plain, br, gzip].map(({ headers }) => headers['content-encoding'])
    expect(encodings).toEqual([undefined, 'br', 'gzip'])
    expect(brotliDecompressSync(br.bytes)).toEqual(plain.bytes)
    expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes)
    for (const { headers, bytes } of [plain, br, gzip]) {
      expect(headers).toMatchObject({ etag: '"1"', vary: 'accept-encoding', 'content-length': String(bytes.length) })
    }
  })

  test('the ETag of a compressed answer makes the next read 304', async () => {
    const packed = { 'accept-encoding': 'br' }
    const { headers } = await ask('GET', path, packed)

    const again = await ask('GET', path, { ...packed, 'if-none-match': headers.etag ?? '' })

    expect([again.status, again.bytes.length, again.headers['content-encoding']]).toEqual([304, 0, undefined])
    expect([again.headers.etag, again.headers.vary]).toEqual(['"1"', 'accept-encoding'])
  })

  test.each(['identity', 'gzip'])('HEAD answers with the headers of GET, %s', async (encoding) => {
    const said = ({ headers }: Wire) => ({ ...headers, date: '', 'x-request-id': '', ratelimit: '' })

    const get = await ask('GET', path, { 'accept-encoding': encoding })
    const head = await ask('HEAD', path, { 'accept-encoding': encoding })

    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(said(head)).toEqual(said(get))
  })

  test('answers to MCP clients are never compressed', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

    const { status, headers, bytes } = await ask(
      'POST',
      '/api/mcp',
      { 'accept-encoding': 'br, gzip', accept: 'application/json, text/event-stream' },
      JSON.stringify(call),
    )

    expect([status, headers['content-encoding']]).toEqual([200, undefined])
    expect(bytes.length).toBeGreaterThan(1_024)
    expect(bytes.toString()).toContain('"result"')
  })

  test('a refusal is readable without decompression, whatever the caller accepts', async () => {
    const { status, headers, bytes } = await ask('GET', `${path}?nothing=1`, { 'accept-encoding': 'br' })

    expect(status).toBe(400)
    expect(headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'unknown_parameter' })
  })
})
