// How an answer is packed for whom.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify, type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compressed, encodingFor } from '../../../service/http/answer.ts'

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
  const unchanged = await get('/none', 'gzip')

  expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' })
  expect(head.rawPayload).toHaveLength(0)
  expect([unchanged.statusCode, unchanged.headers['content-encoding'], unchanged.headers['vary']]).toEqual([
    304,
    undefined,
    'accept-encoding',
  ])
})
