// Answers over the wire, packed or as they are. What is packed, and HEAD and 304: test/service/http/answer.test.ts.
import { request, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { modes, must, sharedSystem } from '../support/system.ts'

type Wire = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }

describe.each(modes.slice(-1))('answers, %s', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  /** Without the help of a client that unpacks. */
  const ask = (method: string, path: string, more: Record<string, string> = {}, body?: object): Promise<Wire> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${tenant.secret}`, 'content-type': 'application/json', ...more }
      const sent = request(system.url + path, { method, headers }, (response) => {
        const { statusCode: status = 0, headers: told } = response
        buffer(response).then((bytes) => resolve({ status, headers: told, bytes }), reject)
      })
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })

  test('a long answer is compressed as the caller accepts, and is the same object with the same ETag; to MCP clients never', async () => {
    const project = { name: 'Website', description: 'All about it. '.repeat(200) }
    const path = `/api/v1/projects/${must(await tenant.api('POST', '/api/v1/projects', project)).id}`

    const plain = await ask('GET', path)
    const br = await ask('GET', path, { 'accept-encoding': 'gzip, deflate, br' })
    const gzip = await ask('GET', path, { 'accept-encoding': 'gzip' })
    const ofMcp = { 'accept-encoding': 'br, gzip', accept: 'application/json, text/event-stream' }
    const tools = await ask('POST', '/api/mcp', ofMcp, { jsonrpc: '2.0', id: 1, method: 'tools/list' })

    const encodings = [plain, br, gzip, tools].map(({ headers }) => headers['content-encoding'])
    expect(encodings).toEqual([undefined, 'br', 'gzip', undefined])
    expect(brotliDecompressSync(br.bytes)).toEqual(plain.bytes)
    expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes)
    for (const { headers, bytes } of [plain, br, gzip])
      expect(headers).toMatchObject({ etag: '"1"', vary: 'accept-encoding', 'content-length': String(bytes.length) })
    expect(tools.bytes.length).toBeGreaterThan(1_024)
    expect(tools.bytes.toString()).toContain('"result"')
  })
})
