import { expect, test } from 'vitest'
import { ranges } from '#runtime/ip-address.ts'
import { baseUrlOf } from '../../../gateway/request/trusted-proxies.ts'

const trusted = ranges(['10.0.0.0/8'])
const urlOf = (host: string | undefined, proto?: string, peer = '10.0.0.1'): string | null =>
  baseUrlOf({ ...(host !== undefined && { host }), ...(proto && { 'x-forwarded-proto': proto }) }, peer, trusted)

test.each([
  ['api.example', 'http://api.example'],
  ['API.Example:8080', 'http://api.example:8080'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['[::1]:8080', 'http://[::1]:8080'],
])('%s is an address', (host, expected) => {
  expect(urlOf(host)).toBe(expected)
})

test.each([
  undefined,
  '',
  'a b',
  'a/b',
  'a@b',
  'a$(b)',
  '`a`',
  'a;b',
  "a'b",
  'a"b',
  'a\nb',
  '-a',
  'a:99999999',
  '[a]b',
])('%j is none', (host) => {
  expect(urlOf(host)).toBeNull()
})

test('only a trusted proxy can say that it was https', () => {
  expect(urlOf('api.example', 'https')).toBe('https://api.example')
  expect(urlOf('api.example', 'https', '192.0.2.1')).toBe('http://api.example')
  expect(urlOf('api.example', 'javascript')).toBe('http://api.example')
})
