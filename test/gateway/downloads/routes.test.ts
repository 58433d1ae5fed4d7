// What anybody may read without a key, as it comes out of the gateway.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { eventCatalogue, operations, schemas, streams, tags, transfers } from '#contract/api.ts'
import { openApi } from '#contract/openapi/document.ts'
import type { Audience } from '#contract/operation.ts'
import own from '../../../package.json' with { type: 'json' }
import { startupSentence } from '#runtime/process.ts'
import { commandLinePackage } from '../../../gateway/downloads/built-files.ts'
import { memoryRateLimiter } from '../../../gateway/rate-limit/limiter.ts'
import { thrownBy } from '../support/checks.ts'
import { unzipped } from '../../support/zip.ts'
import { atMost, edgeOfFile, startEdge } from '../support/edge.ts'
import { getBytes } from '../support/get-bytes.ts'

const pages = [
  ...['/', '/docs', '/docs/errors', '/docs/errors/not_found', '/docs/scopes', '/docs/changelog'],
  ...['/docs.md', '/docs/limits', '/docs/limits.md', '/docs/errors/not_found.md'],
]
/** They name the address that they are asked at. */
const addressed = ['/docs/quick-start', '/docs/quick-start.md', '/docs/search.json', '/llms.txt', '/llms-full.txt']
const { edge } = edgeOfFile({ rateLimiter: memoryRateLimiter(atMost(1)), trustedProxies: ['127.0.0.1'] })

const get = (path: string, headers?: Record<string, string>, method?: string) =>
  getBytes(edge.gateway.url + path, headers, method)

type Document = { readonly servers: readonly { readonly url: string }[] }

function described(audience: Audience, url = edge.gateway.url): Document {
  const contract = { operations, streams, transfers, events: eventCatalogue, schemas, tags }
  const document = JSON.parse(JSON.stringify(openApi(contract, audience))) as Document
  return { ...document, servers: document.servers.map((server) => ({ ...server, url })) }
}

const serverIn = ({ servers }: Document): string | undefined => servers[0]?.url
const serverInJson = (body: Buffer) => serverIn(JSON.parse(body.toString()))
const serverInZip = (body: Buffer) => serverInJson(unzipped(body).find(({ path }) => path === 'openapi.json')!.content)
const downloads: [string, (body: Buffer) => string | undefined][] = [
  ['/api/v1/openapi.json', serverInJson],
  ['/api/v1/openapi.yaml', (body) => /^servers:\n {2}- url: (.*)$/m.exec(body.toString())?.[1]],
  ['/settings/api/openapi.json', serverInJson],
  ['/api/v1/starter.zip', serverInZip],
  ['/api/v1/openapi-3.0.json', serverInJson],
  ['/docs/generators.overlay.yaml', (body) => /^extends: (.*)\/api\/v1\/openapi\.json$/m.exec(body.toString())?.[1]],
  ['/docs/collections/postman.json', (body) => valueOf('baseUrl', JSON.parse(body.toString()).variable)],
  ['/docs/collections/bruno.zip', (body) => /^ {2}baseUrl: (.*)$/m.exec(environmentIn(body))?.[1]],
  ['/docs/collections/requests.http', (body) => /^@baseUrl = (.*)$/m.exec(body.toString())?.[1]],
  ['/docs/workflows.arazzo.yaml', (body) => /url: (.*)\/api\/v1\/openapi\.json$/m.exec(body.toString())?.[1]],
]
type Variables = readonly { readonly key: string; readonly value: string }[]
const valueOf = (name: string, variables: Variables) => variables.find(({ key }) => key === name)?.value
const environmentIn = (body: Buffer): string =>
  String(unzipped(body).find(({ path }) => path === 'environments/installation.bru')?.content)

test('the description is served as JSON and as YAML, that of the settings as JSON, and all say what the contract says', async () => {
  const json = await get('/api/v1/openapi.json')
  const yaml = await get('/api/v1/openapi.yaml')
  const settings = await get('/settings/api/openapi.json')

  const expected = described('api')
  for (const { headers } of [json, settings]) expect(headers['content-type']).toMatch(/^application\/json/)
  expect(yaml.headers['content-type']).toMatch(/^application\/yaml/)
  expect(settings.body.toString()).toBe(JSON.stringify(described('settings')))
  expect(parse(yaml.body.toString(), { uniqueKeys: false })).toEqual(expected)
  expect(json.body.toString()).toBe(JSON.stringify(expected))
})

/** How long whom may keep it; health, which has no tag, is kept by nobody. */
const asked = downloads.map(([path]) => path).filter((path) => !path.startsWith('/settings'))
const kept: readonly (readonly [string, RegExp | null])[] = [
  ['/api/v1/health', null],
  ['/api/v1/workspace-cli.tgz', /^public, max-age=0$/],
  ...[...asked, ...addressed].map((path) => [path, /^private, max-age=\d+$/] as const),
  ...['/settings', '/settings/w/1/keys'].map((path) => [path, /^no-cache$/] as const),
  ['a script of the console', /^public, max-age=31536000, immutable$/],
  ['a script of the documentation', /^public, max-age=31536000, immutable$/],
  ...pages.map((path) => [path, /^public, max-age=[1-9]/] as const),
]

describe.each(kept)('%s', (name, cacheControl) => {
  let path: string
  let whole: Awaited<ReturnType<typeof get>>
  beforeAll(async () => {
    const from = name.endsWith('documentation') ? '/docs' : '/settings'
    const [, script = ''] = /src="([^"]+\.js)"/.exec(String((await get(from)).body)) ?? []
    path = name.startsWith('/') ? name : script
    whole = await get(path)
  })

  test('takes no key, asks nothing of the service, is not limited, and answers HEAD and no other method', async () => {
    const answers = await Promise.all(Array.from({ length: 3 }, () => get(path)))
    const head = await get(path, {}, 'HEAD')

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(whole.headers).not.toHaveProperty('ratelimit')
    expect(whole.headers['x-content-type-options']).toBe('nosniff')
    const { etag } = whole.headers
    expect(head).toMatchObject({ status: 200, body: Buffer.alloc(0) })
    expect([head.headers['etag'], head.headers['content-length']]).toEqual([etag, String(whole.body.length)])
    // What only the console knows is no address of the router.
    const refused = path.startsWith('/settings/') ? { status: 404 } : { status: 405, headers: { allow: 'GET, HEAD' } }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(await get(path, {}, method)).toMatchObject(refused)
    expect(edge.service.calls).toEqual([])
  })

  if (cacheControl !== null)
    test('may be kept, and is not sent again to whoever has it', async () => {
      const tag = String(whole.headers['etag'])
      const statusWith = async (tags: string) => (await get(path, { 'if-none-match': tags })).status

      const again = await get(path, { 'if-none-match': `"other", ${tag}` })

      expect(whole.headers['cache-control']).toMatch(cacheControl)
      expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, tag])
      expect([await statusWith(`W/${tag}`), await statusWith('*')]).toEqual([304, 304])
      expect([await statusWith('"other"'), await statusWith(`"x,${tag.slice(1)}`)]).toEqual([200, 200])
    })
})

test('the starter archive is the same to the byte, small, and holds the description', async () => {
  const [first, second] = [await get('/api/v1/starter.zip'), await get('/api/v1/starter.zip')]

  const files = unzipped(first.body)
  const names = files.map(({ path }) => path)
  expect(first.headers['content-type']).toBe('application/zip')
  expect(first.body.equals(second.body)).toBe(true)
  expect(first.body.length).toBeLessThan(350_000)
  expect(names).toEqual([...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1)))
  expect(names).toEqual(expect.arrayContaining(['.env.example', 'README.md', 'mcp/claude-code/.mcp.json']))
  const described = files.find(({ path }) => path === 'openapi.json')?.content
  expect(described?.equals((await get('/api/v1/openapi.json')).body)).toBe(true)
  expect(files.find(({ path }) => path === 'curl/quickstart.sh')?.mode).toBe(0o100755)
})

test('the command line is served as the package that npm installs, of the version of the product', async () => {
  const { headers, body } = await get('/api/v1/workspace-cli.tgz')
  const folder = mkdtempSync(join(tmpdir(), 'command-line-'))
  execFileSync('tar', ['-xz', '-C', folder], { input: body })
  const manifest = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'))
  const program = readFileSync(join(folder, 'package/dist/main.js'), 'utf8')
  rmSync(folder, { recursive: true })

  expect(headers['content-type']).toBe('application/gzip')
  expect(manifest).toMatchObject({ name: 'workspace-integration-cli', version: own.version })
  expect(program).toMatch(/^#!/)
})

test('a folder without the command line fails the start in a sentence', () => {
  const error = thrownBy(() => commandLinePackage('/nowhere/cli.tgz'))

  expect(startupSentence(error)).toBe(
    'The command line in /nowhere/cli.tgz cannot be read. Run "npm run openapi" first.',
  )
})

test.each(downloads)('%s names the address that it was asked at, and no other', async (path, serverOf) => {
  const asked = [
    [{ host: 'api.acme.example:8443' }, 'http://api.acme.example:8443'],
    [{ host: '[::1]:8080' }, 'http://[::1]:8080'],
    [{ host: 'api.acme.example', 'x-forwarded-proto': 'https' }, 'https://api.acme.example'],
  ] as const
  const { headers: ofOther } = await get(path, { host: 'other.example' })

  for (const [headers, address] of asked) {
    const answer = await get(path, { ...headers, 'if-none-match': String(ofOther['etag']) })

    expect([answer.status, serverOf(answer.body)]).toEqual([200, address])
    expect(answer.headers['cache-control']).toMatch(/^private, /)
    expect(answer.headers['etag']).not.toBe(ofOther['etag'])
  }
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

test.each(downloads.slice(0, 3))('%s comes packed where gzip is taken, with its own tag', async (path, serverOf) => {
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
})

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
