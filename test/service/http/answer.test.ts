import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify, type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationNamed } from '#contract/api.ts'
import {
  assertIfMatch,
  isNotModified,
  preconditionsOf,
  locationOf,
  contentLocation,
  compressed,
  encodingFor,
} from '../../../service/http/answer.ts'
import { codeOf, faultOf } from '../../support/faults.ts'
import { quietService } from '../quiet-service.ts'

const readFrom = (name: string, headers: object) => preconditionsOf(operationNamed(name), headers)
const tag = (opaque: string, weak = false) => ({ weak, opaque })

test('a change takes entity tags in lists, weak ones as such, and * for any', () => {
  expect(readFrom('projects.update', { 'if-match': '"7", W/"8"', 'if-none-match': '*' })).toEqual({
    ifMatch: [tag('7'), tag('8', true)],
    ifNoneMatch: '*',
  })
  expect(readFrom('projects.upsert', { 'if-match': '*' })).toEqual({ ifMatch: '*' })
  expect(readFrom('projects.delete', {})).toEqual({})
})

test.each(['7', '"7', '"1" "2"', '', '"1", *'])('%j is no tag, and refused on changes as on reads', (text) => {
  for (const name of ['projects.update', 'projects.get', 'projects.list'])
    expect(faultOf(() => readFrom(name, { 'if-none-match': text }))).toMatchObject({
      code: 'invalid_header',
      members: { errors: [{ header: 'If-None-Match', code: 'wrong_format' }] },
    })
})

test.each([
  ['projects.create', 'If-None-Match'],
  ['projects.archive', 'If-Match'],
  ['projects.batch', 'If-Match'],
  ['projects.list', 'If-Match'],
])('%s has no version to judge: %s is refused by name', (name, header) => {
  expect(faultOf(() => readFrom(name, { [header.toLowerCase()]: '"7"' }))).toMatchObject({
    code: 'invalid_header',
    message: `${header}: This call takes no ${header}.`,
  })
})

test('what somebody has is known by one tag of a list, compared whole', () => {
  const known = (ifNoneMatch: string) =>
    isNotModified(readFrom('projects.get', { 'if-none-match': ifNoneMatch }), '"7"')

  expect(['"7"', 'W/"7"', '"6", "7"', '*'].filter((one) => !known(one))).toEqual([])
  expect(['"77"', '"17"', '"a\'7"', '"6","8"', '"6,7,8"'].filter(known)).toEqual([])
})

test('a read that must be of one version is refused where it is of another', () => {
  const read = (ifMatch: string) =>
    faultOf(() => assertIfMatch(readFrom('projects.get', { 'if-match': ifMatch }), '"7"', 7))

  for (const fine of ['"7"', '"6","7"', '*']) expect(read(fine)).toBeNull()
  for (const other of ['"6"', 'W/"7"'])
    expect(read(other)).toMatchObject({ code: 'version_mismatch', members: { currentVersion: 7 } })
})

test('of the ETag of an answer that shows more than the object a change is judged by the version, a read by all of it', () => {
  const etag = '"7-0123456789abcdef"'
  const read = (ifMatch: string) =>
    codeOf(() => assertIfMatch(readFrom('projects.get', { 'if-match': ifMatch }), etag, 7))

  expect(readFrom('projects.update', { 'if-match': `"6", ${etag}, W/${etag}` })).toEqual({
    ifMatch: [tag('6'), tag('7'), tag('7', true)],
  })
  for (const other of ['7-', '7-0123', '7-0123456789ABCDEF'])
    expect(readFrom('projects.update', { 'if-match': `"${other}"` })).toEqual({ ifMatch: [tag(other)] })
  expect([etag, '"7"', '"7-fedcba9876543210"'].map(read)).toEqual([null, 'version_mismatch', 'version_mismatch'])
})

const [id, other] = ['0199f0a0-0000-7000-8000-00000000000a', '0199f0a0-0000-7000-8000-00000000000b']

const comment = { id, subject: { id: other } }

test.each([
  ['below the address of the call', '/projects', '/projects', { id }, `/projects/${id}`],
  ['by our id', '/tasks/by-external-id/{source}/{externalId}', '/tasks/by-external-id/erp/7', { id }, `/tasks/${id}`],
  ['below its task', '/tasks/{id}/comments', `/tasks/${other}/comments?x=1`, comment, `/tasks/${other}/comments/${id}`],
  ['below its task', '/tasks/{id}/comments', '/tasks/WEB-42/comments', comment, `/tasks/${other}/comments/${id}`],
])('what was made is addressed %s: %s, %s', (_what, template, path, made, location) => {
  expect(locationOf(`/api/v1${template}`, `/api/v1${path}`, made)).toBe(`/api/v1${location}`)
})

const one = { method: 'GET', path: '/api/v1/crm-entities/{id}' } as const
const byTheirs = { method: 'GET', path: '/api/v1/crm-entities/by-external-id/{source}/{externalId}' } as const
const theirs = { source: 'crm', externalId: '1' }

test('what was asked for has no other address', () => {
  expect(contentLocation(one, { id }, { id })).toBeNull()
  expect(contentLocation(one, { id: id.toUpperCase() }, { id })).toBeNull()
  expect(contentLocation(byTheirs, theirs, { id, externalSource: 'crm', externalId: '1' })).toBeNull()
})

test('what is shown in place of it has its own', () => {
  const shown = { id: other, externalSource: 'erp', externalId: '2' }

  expect(contentLocation(one, { id }, shown)).toBe(`/api/v1/crm-entities/${other}`)
  expect(contentLocation(byTheirs, theirs, shown)).toBe(`/api/v1/crm-entities/${other}`)
})

test('the workspace in a settings path stays in the address', () => {
  const settings = '/settings/api/workspaces'
  const route = { method: 'GET', path: `${settings}/{workspaceId}/webhooks/{id}` } as const

  expect(contentLocation(route, { workspaceId: 'w', id }, { id: other })).toBe(`${settings}/w/webhooks/${other}`)
  expect(locationOf(`${settings}/{workspaceId}/members`, `${settings}/w/members`, { id })).toBe(
    `${settings}/w/members/${id}`,
  )
})

test('only the address of one object, read, is looked at', () => {
  expect(contentLocation({ ...one, method: 'POST' }, { id }, { id: other })).toBeNull()
  expect(contentLocation({ ...one, path: '/api/v1/webhooks/{id}/stats' }, { id }, { id: other })).toBeNull()
  expect(contentLocation(one, { id }, null)).toBeNull()
})

// How an answer is packed for whom.

test.each([
  ['', null],
  ['identity', null],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0.2, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['gzip;q=0, *', 'br'],
  ['zstd, deflate', null],
  ['br;q=nonsense', null],
  ['gzip;q=7', null],
  [' ,;, ', null],
])('to a caller that accepts “%s” an answer goes out as %s', (accepted, expected) => {
  expect(encodingFor(accepted)).toBe(expected)
})

const long = { text: 'word '.repeat(1_000) }
let app: FastifyInstance
beforeAll(async () => {
  app = fastify()
  app.get('/long', { onSend: compressed }, (_request, reply) => reply.header('etag', '"7"').send(long))
  app.get('/short', { onSend: compressed }, () => ({ text: 'word' }))
  app.get('/none', { onSend: compressed }, (_request, reply) => reply.code(304).send())
  await app.ready()
})
afterAll(() => app.close())
const get = (url: string, accepted?: string, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
])('a long answer in %s is the same answer, with its length and its ETag', async (encoding, unpacked) => {
  const { headers, rawPayload } = await get('/long', encoding)

  expect(JSON.parse(unpacked(rawPayload).toString())).toEqual(long)
  expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding', etag: '"7"' })
  expect(Number(headers['content-length'])).toBe(rawPayload.length)
  expect(rawPayload.length).toBeLessThan(1_000)
})

test('a caller that says nothing, and a short answer, get it as it is; caches are told all the same', async () => {
  for (const answer of [await get('/long'), await get('/short', 'br')]) {
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.headers['vary']).toBe('accept-encoding')
    expect(answer.json()).toHaveProperty('text')
  }
})

test('HEAD says what GET would, and 304 says nothing of a packing', async () => {
  const [head, whole] = [await get('/long', 'gzip', 'HEAD'), await get('/long', 'gzip')]
  const { statusCode, headers } = await get('/none', 'gzip')

  expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' })
  expect(head.rawPayload).toHaveLength(0)
  expect([statusCode, headers['content-encoding'], headers['vary']]).toEqual([304, undefined, 'accept-encoding'])
})

// The addresses that an answer names are whole where the public address is known.

test.each([
  ['https://api.example.com', 'https://api.example.com/api/v1/projects'],
  [null, '/api/v1/projects'],
])('with PUBLIC_URL %s the next page and what was made are at %s', async (publicUrl, projects) => {
  await using service = await quietService('pglite', undefined, { publicUrl })
  const sent = async (method: 'GET' | 'POST', url: string, body?: object) =>
    service.app.inject({ method, url, headers: service.headersFor(method, url), ...(body && { body }) })

  const made = await sent('POST', '/api/v1/projects', { name: 'One' })
  await sent('POST', '/api/v1/projects', { name: 'Two' })
  const { headers, body } = await sent('GET', '/api/v1/projects?limit=1&sort=name')

  const { id } = made.json<{ id: string }>()
  const { page } = JSON.parse(body) as { page: { nextCursor: string } }
  const next = `limit=1&sort=name&cursor=${page.nextCursor}`
  expect(made.headers['location']).toBe(`${projects}/${id}`)
  expect(headers['link']).toBe(`<${projects}?${next}>; rel="next"`)
})
