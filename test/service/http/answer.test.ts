import { gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
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

test('what is no tag is refused on changes as on reads', () => {
  for (const name of ['projects.update', 'projects.get', 'projects.list'])
    expect(faultOf(() => readFrom(name, { 'if-none-match': '7' }))).toMatchObject({
      code: 'invalid_header',
      members: { errors: [{ header: 'If-None-Match', code: 'wrong_format' }] },
    })
})

test('a list has no version to judge: If-Match is refused by name', () => {
  expect(faultOf(() => readFrom('projects.list', { 'if-match': '"7"' }))).toMatchObject({
    code: 'invalid_header',
    message: 'If-Match: This call takes no If-Match.',
  })
})

test('a read is known by one tag of a list, compared whole, and refused where it must be of another version', () => {
  const asked = (header: string, tags: string) => readFrom('projects.get', { [header]: tags })
  const known = (tags: string) => isNotModified(asked('if-none-match', tags), '"7"')
  const read = (tags: string) => faultOf(() => assertIfMatch(asked('if-match', tags), '"7"', 7))

  expect(['"7"', 'W/"7"', '"6", "7"', '*'].filter((one) => !known(one))).toEqual([])
  expect(['"77"', '"17"', '"a\'7"', '"6","8"', '"6,7,8"'].filter(known)).toEqual([])
  expect(['"7"', '"6","7"', '*'].filter(read)).toEqual([])
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

test('an object that is shown in place of what was asked for has its own address, and nothing else has another', () => {
  const shown = { id: other, externalIds: [{ source: 'erp', id: '2' }] }
  const ofShown = [contentLocation(one, { id }, shown), contentLocation(byTheirs, theirs, shown)]

  expect(ofShown).toEqual(ofShown.map(() => `/api/v1/crm-entities/${other}`))
  for (const location of [
    contentLocation(one, { id }, { id }),
    contentLocation(one, { id: id.toUpperCase() }, { id }),
    contentLocation(byTheirs, theirs, {
      id,
      externalIds: [
        { source: 'erp', id: '2' },
        { source: 'crm', id: '1' },
      ],
    }),
    contentLocation({ ...one, method: 'POST' }, { id }, { id: other }),
    contentLocation({ ...one, path: '/api/v1/webhooks/{id}/stats' }, { id }, { id: other }),
    contentLocation(one, { id }, null),
  ])
    expect(location).toBeNull()
})

test('the workspace in a settings path stays in the address', () => {
  const settings = '/settings/api/workspaces'
  const route = { method: 'GET', path: `${settings}/{workspaceId}/webhooks/{id}` } as const

  expect(contentLocation(route, { workspaceId: 'w', id }, { id: other })).toBe(`${settings}/w/webhooks/${other}`)
  const made = locationOf(`${settings}/{workspaceId}/members`, `${settings}/w/members`, { id })
  expect(made).toBe(`${settings}/w/members/${id}`)
})

test.each([
  ['br', ['br', 'gzip, deflate, br', '*', 'gzip;q=0, *;q=1', '*;q=0.1', 'br;q=.5']],
  ['gzip', ['gzip', 'gzip, deflate', 'GZIP', 'br;q=0.2, gzip;q=0.8', '*, br;q=0', 'identity, gzip;q=0.1']],
  [null, ['', 'identity', 'br;q=0, gzip;q=0', '*;q=0', 'zstd, deflate', 'br;q=nonsense', 'gzip;q=7', ' ,;, ']],
])('an answer goes out as %s to callers that accept %j', (encoding, accepted) => {
  expect(accepted.map(encodingFor)).toEqual(accepted.map(() => encoding))
})

test('caches are told of the packing: HEAD says what GET would, a short answer goes as it is, 304 says nothing', async () => {
  const app = fastify()
  onTestFinished(() => app.close())
  const long = { text: 'word '.repeat(1_000) }
  app.get('/long', { onSend: compressed }, (_request, reply) => reply.header('etag', '"7"').send(long))
  app.get('/short', { onSend: compressed }, () => ({ text: 'word' }))
  app.get('/none', { onSend: compressed }, (_request, reply) => reply.code(304).send())
  const get = (url: string, method: 'GET' | 'HEAD' = 'GET', headers = { 'accept-encoding': 'gzip' }) =>
    app.inject({ method, url, headers })

  const [whole, head, short, none] = await Promise.all([
    get('/long'),
    get('/long', 'HEAD'),
    get('/short'),
    get('/none'),
  ])

  expect(JSON.parse(gunzipSync(whole.rawPayload).toString())).toEqual(long)
  expect(whole.headers).toMatchObject({ 'content-encoding': 'gzip', etag: '"7"' })
  expect(whole.headers['content-length']).toBe(String(whole.rawPayload.length))
  expect([{ ...head.headers, date: '' }, head.body]).toEqual([{ ...whole.headers, date: '' }, ''])
  expect(short.json()).toEqual({ text: 'word' })
  expect([short, none].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, undefined])
  expect([whole, short, none].map(({ headers }) => headers['vary'])).toEqual(Array(3).fill('accept-encoding'))
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
