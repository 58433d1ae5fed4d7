// The console as it comes out of the gateway: one page at every address of its own, and the files that the page loads.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { consoleHeaders } from '../../../gateway/downloads/console.ts'
import { edgeOfFile } from '../support/edge.ts'
import { getBytes } from '../support/get-bytes.ts'

const { edge } = edgeOfFile()
const get = (path: string, headers?: Record<string, string>) => getBytes(edge.gateway.url + path, headers)
let script: string
beforeAll(async () => {
  const { body } = await get('/settings')
  script = /src="([^"]+\.js)"/.exec(body.toString())?.[1] ?? ''
})

const pages = ['/settings', '/settings/', '/settings/w/1/keys/', '/settings/sign-in', '/settings/a/b/c/d']
test.each([...pages, '/settings/w/1/keys?status=active', '/settings/apis'])('%s is the page', async (path) => {
  const { status, headers, body } = await get(path)

  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(body.equals((await get('/settings')).body)).toBe(true)
})

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

test('a file that the page loads has its content in its name, and the headers of the page', async () => {
  const { headers } = await get(script)

  expect(headers).toMatchObject({ ...consoleHeaders, 'content-type': 'text/javascript; charset=utf-8' })
})

test.each([
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
