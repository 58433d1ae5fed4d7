// What anybody may read without a key, as it comes out of the gateway.
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { eventCatalogue, operations, schemas, streams, tags } from '#contract/api.ts'
import { openApi } from '#contract/openapi/document.ts'
import type { Audience } from '#contract/operation.ts'
import { memoryRateLimiter } from '../../../gateway/rate-limit/limiter.ts'
import { unzipped } from '../../support/zip.ts'
import { atMost, edgeOfFile, startEdge } from '../support/edge.ts'
import { getBytes } from '../support/get-bytes.ts'

const paths = ['/api/v1/openapi.json', '/api/v1/openapi.yaml', '/api/v1/starter.zip', '/api/v1/health']

const { edge } = edgeOfFile({ rateLimiter: memoryRateLimiter(atMost(1)), trustedProxies: ['127.0.0.1'] })

const get = (path: string, headers?: Record<string, string>, method?: string) =>
  getBytes(edge.gateway.url + path, headers, method)

type Document = { readonly servers: readonly { readonly url: string }[] }

/** What the contract says, at this address. */
function described(audience: Audience, url = edge.gateway.url): Document {
  const contract = { operations, streams, events: eventCatalogue, schemas, tags }
  const document = JSON.parse(JSON.stringify(openApi(contract, audience))) as Document
  return { ...document, servers: document.servers.map((server) => ({ ...server, url })) }
}

const serverIn = ({ servers }: Document): string | undefined => servers[0]?.url
const serverInJson = (body: Buffer) => serverIn(JSON.parse(body.toString()))
const serverInZip = (body: Buffer) => serverInJson(unzipped(body).find(({ path }) => path === 'openapi.json')!.content)
const downloads: [string, (body: Buffer) => string | undefined][] = [
  ['/api/v1/openapi.json', serverInJson],
  ['/api/v1/openapi.yaml', (body) => serverIn(parse(body.toString()))],
  ['/settings/api/openapi.json', serverInJson],
  ['/api/v1/starter.zip', serverInZip],
]

test('the description is served as JSON and as YAML, that of the settings as JSON, and all say what the contract says', async () => {
  const json = await get('/api/v1/openapi.json')
  const yaml = await get('/api/v1/openapi.yaml')
  const settings = await get('/settings/api/openapi.json')

  const expected = described('api')
  for (const { headers } of [json, settings]) expect(headers['content-type']).toMatch(/^application\/json/)
  expect(yaml.headers['content-type']).toMatch(/^application\/yaml/)
  expect(settings.body.toString()).toBe(JSON.stringify(described('settings')))
  expect(parse(yaml.body.toString())).toEqual(expected)
  expect(json.body.toString()).toBe(JSON.stringify(expected))
})

test('health is answered under the API as well', async () => {
  const { status, body } = await get('/api/v1/health')

  expect([status, JSON.parse(body.toString())]).toEqual([200, { status: 'ok' }])
})

test.each(paths)('%s takes no key, asks nothing of the service and is not limited', async (path) => {
  const before = edge.service.calls.length

  const answers = await Promise.all(Array.from({ length: 20 }, () => get(path)))

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(answers[0]?.headers).not.toHaveProperty('ratelimit')
  expect(edge.service.calls.length).toBe(before)
})

test.each(paths)('%s answers HEAD with the headers of GET and no body', async (path) => {
  const { headers: whole, body } = await get(path)
  const { status, headers, body: none } = await get(path, {}, 'HEAD')

  expect([status, none.length]).toEqual([200, 0])
  expect(headers['content-length']).toBe(String(body.length))
  expect(headers['etag']).toBe(whole['etag'])
})

test.each(paths)('%s takes no other method, and says which', async (path) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const { status, headers } = await get(path, {}, method)

    expect([method, status, headers['allow']]).toEqual([method, 405, 'GET, HEAD'])
  }
})

test.each(paths.slice(0, 3))('%s is not sent again to whoever has it', async (path) => {
  const { headers } = await get(path)
  const tag = String(headers['etag'])

  const again = await get(path, { 'if-none-match': `"other", ${tag}` })
  const weakly = await get(path, { 'if-none-match': `W/${tag}` })
  const any = await get(path, { 'if-none-match': '*' })
  const changed = await get(path, { 'if-none-match': '"other"' })
  const longer = await get(path, { 'if-none-match': `"x,${tag.slice(1)}` })

  expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, tag])
  expect([weakly.status, any.status, longer.status]).toEqual([304, 304, 200])
  expect(headers['cache-control']).toMatch(/^private, max-age=\d+$/)
  expect(changed.status).toBe(200)
})

test('the starter archive is the same to the byte, small, and holds the description', async () => {
  const [first, second] = [await get('/api/v1/starter.zip'), await get('/api/v1/starter.zip')]

  const files = unzipped(first.body)
  const names = files.map(({ path }) => path)
  expect(first.headers['content-type']).toBe('application/zip')
  expect(first.body.equals(second.body)).toBe(true)
  expect(first.body.length).toBeLessThan(300_000)
  expect(names).toEqual([...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1)))
  expect(names).toEqual(expect.arrayContaining(['.env.example', 'README.md', 'mcp/claude-code/.mcp.json']))
  const described = files.find(({ path }) => path === 'openapi.json')?.content
  expect(described?.equals((await get('/api/v1/openapi.json')).body)).toBe(true)
  expect(files.find(({ path }) => path === 'curl/quickstart.sh')?.mode).toBe(0o100755)
})

test.each(downloads)('%s names the address that it was asked at as its server', async (path, serverOf) => {
  const asked = [
    [{ host: 'api.acme.example:8443' }, 'http://api.acme.example:8443'],
    [{ host: '[::1]:8080' }, 'http://[::1]:8080'],
    [{ host: 'api.acme.example', 'x-forwarded-proto': 'https' }, 'https://api.acme.example'],
  ] as const
  for (const [headers, address] of asked) expect(serverOf((await get(path, headers)).body)).toBe(address)
})

test.each(downloads)('%s of one address is not taken for that of another', async (path, serverOf) => {
  const [one, other] = [await get(path, { host: 'one.example' }), await get(path, { host: 'other.example' })]

  const again = await get(path, { host: 'other.example', 'if-none-match': String(one.headers['etag']) })

  expect(one.headers['cache-control']).toMatch(/^private, /)
  expect(one.headers['etag']).not.toBe(other.headers['etag'])
  expect([again.status, serverOf(again.body)]).toEqual([200, 'http://other.example'])
})

test.each(downloads)('%s names PUBLIC_URL where it is set, and every cache may keep it', async (path, serverOf) => {
  const publicUrl = 'https://api.example.com'
  await using known = await startEdge({ publicUrl, trustedProxies: ['127.0.0.1'] })
  const from = (headers: Record<string, string>) => getBytes(known.gateway.url + path, headers)

  const [one, other] = [await from({ host: 'one.example' }), await from({ host: '127.0.0.1' })]

  expect([serverOf(one.body), serverOf(other.body)]).toEqual([publicUrl, publicUrl])
  expect(one.headers['cache-control']).toMatch(/^public, max-age=\d+$/)
  expect(one.headers['etag']).toBe(other.headers['etag'])
})

test.each(downloads.slice(0, 3))(
  '%s comes packed where gzip is taken, at any address, with a tag of its own',
  async (path, serverOf) => {
    for (const host of ['a', 'a-long-name-with-much-in-it.acme.example:65535']) {
      const plain = await get(path, { host })
      const packed = await get(path, { host, 'accept-encoding': 'br, gzip;q=0.5' })
      const refused = await get(path, { host, 'accept-encoding': 'gzip;q=0' })

      expect([packed.headers['content-encoding'], packed.headers['vary']]).toEqual(['gzip', 'accept-encoding'])
      expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
      expect(packed.body.length).toBeLessThan(plain.body.length / 5)
      expect(packed.headers['etag']).not.toBe(plain.headers['etag'])
      expect(refused.headers).not.toHaveProperty('content-encoding')
      expect(serverOf(plain.body)).toBe(`http://${host}`)
    }
  },
)

test('an address that could do harm in a file is not taken into one', async () => {
  for (const host of ['a.example$(reboot)', 'a.example/"; rm -rf', 'a b', '-a', "a'b"]) {
    const { status, body } = await get('/api/v1/starter.zip', { host })
    const json = await get('/api/v1/openapi.json', { host })
    if (json.status === 200) expect(serverIn(JSON.parse(json.body.toString()))).toBe('/')

    const text = status === 200 ? unzipped(body).map(({ content }) => content.toString()) : []
    expect([host, text.some((content) => content.includes(`://${host}`))]).toEqual([host, false])
    if (status === 200) expect(text.join('')).toContain('WORKSPACE_API_URL=https://workspace.example\n')
  }
})
