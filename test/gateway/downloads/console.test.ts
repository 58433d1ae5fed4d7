// The console as it comes out of the gateway: one page at every address of its own, and the files that the page loads.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startupSentence } from '#runtime/process.ts'
import { readConsole, consoleHeaders } from '../../../gateway/downloads/console.ts'
import { edgeOfFile } from '../support/edge.ts'
import { thrownBy } from '../support/checks.ts'
import { getBytes } from '../support/get-bytes.ts'

const { edge } = edgeOfFile()
const get = (path: string, headers?: Record<string, string>, method?: string) =>
  getBytes(edge.gateway.url + path, headers, method)
let script: string
beforeAll(async () => {
  const { body } = await get('/settings')
  script = /src="([^"]+\.js)"/.exec(body.toString())?.[1] ?? ''
})

const pages = ['/settings', '/settings/', '/settings/w/1/keys/', '/settings/sign-in', '/settings/a/b/c/d']
test.each([...pages, '/settings/w/1/keys?status=active', '/settings/apis'])(
  '%s is the page, which may be kept only as long as it is the same',
  async (path) => {
    const { status, headers, body } = await get(path)

    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['cache-control']).toBe('no-cache')
    expect(body.equals((await get('/settings')).body)).toBe(true)
  },
)

test('the page runs and loads nothing but files of this address, and is framed by nobody', async () => {
  const { headers, body } = await get('/settings')

  expect(headers).toMatchObject(consoleHeaders)
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  )
  expect(body.toString()).not.toMatch(
    /<style|style=|https?:|<script(?! type="module" crossorigin src="\/settings\/assets\/)/,
  )
})

test('a file that the page loads has its content in its name, and is never asked for again', async () => {
  const { status, headers } = await get(script)

  expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(headers).toMatchObject(consoleHeaders)
})

test.each([
  ['br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  // Of two that a browser takes alike, the smaller is sent.
  ['gzip, deflate, br', 'br', brotliDecompressSync],
])('where %s is taken, files come packed with %s and a tag of their own', async (accepted, encoding, unpack) => {
  const plain = await get(script)
  const packed = await get(script, { 'accept-encoding': accepted })

  expect([packed.headers['content-encoding'], packed.headers['vary']]).toEqual([encoding, 'accept-encoding'])
  expect(unpack(packed.body).equals(plain.body)).toBe(true)
  expect(packed.headers['etag']).not.toBe(plain.headers['etag'])
})

test.each(['/settings/keys', 'script'])('%s is not sent again to whoever has it', async (asked) => {
  const path = asked === 'script' ? script : asked
  const { headers } = await get(path)

  const again = await get(path, { 'if-none-match': String(headers['etag']) })

  expect([again.status, again.body.length]).toEqual([304, 0])
})

test('HEAD has the headers of GET and no body, and no other method is taken', async () => {
  const { headers: whole } = await get('/settings/keys')
  const { status, headers, body } = await get('/settings/keys', {}, 'HEAD')
  const posted = await get('/settings', {}, 'POST')

  expect([status, headers['etag'], body.length]).toEqual([200, whole['etag'], 0])
  expect([posted.status, posted.headers['allow']]).toEqual([405, 'GET, HEAD'])
})

test.each(['/settings/assets/none.js', '/settings/assets', '/settings/api', '/settings/api/none'])(
  '%s is no page: what is not there is not found',
  async (path) => {
    const { status, headers, body } = await get(path)

    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8'])
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'route_not_found' })
  },
)

test('an address of the API that takes other methods says so, as before', async () => {
  const { status, headers } = await get('/settings/api/workspaces/1/api-keys/2/rotate')

  expect([status, headers['allow']]).toEqual([405, 'POST'])
})

test('where the console was not built, the start fails in a sentence that says what to run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))

  const error = thrownBy(() => readConsole(folder))

  expect(startupSentence(error)).toBe(`The console in ${folder} cannot be read. Run "npm run console:build" first.`)
})
