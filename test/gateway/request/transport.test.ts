import { expect, test } from 'vitest'
import { ranges } from '#runtime/ip-address.ts'
import { arrivalOf } from '../../../gateway/request/trusted-proxies.ts'

const trustedProxies = ranges(['10.0.0.0/8'])
const alone = { trustedProxies, publicUrl: null }
const known = { trustedProxies, publicUrl: 'https://console.example.com' }
const host = 'console.example.com'
const https = { 'x-forwarded-proto': 'https' }

test.each([
  ['a trusted proxy says https', { host, ...https }, '10.0.0.1', alone, 'https'],
  ['anybody else says https', { host, ...https }, '192.0.2.1', alone, 'open'],
  ['nothing is said', { host }, '192.0.2.1', alone, 'open'],
  ['PUBLIC_URL says that this name is reached by https', { host: `${host}:8080` }, '192.0.2.1', known, 'https'],
  ['PUBLIC_URL speaks of another name', { host: 'other.example.com' }, '192.0.2.1', known, 'open'],
  ['PUBLIC_URL says http', { host }, '192.0.2.1', { ...alone, publicUrl: `http://${host}` }, 'open'],
  ['the browser names its own machine', { host: 'localhost:8080' }, '127.0.0.1', alone, 'loopback'],
  ['it does by address', { host: '[::1]:8080' }, '::1', alone, 'loopback'],
  ['a name only begins like that', { host: 'localhost.example.com' }, '127.0.0.1', alone, 'open'],
  ['there is no name', {}, '127.0.0.1', alone, 'open'],
] as const)('%s', (_case, headers, peer, how, transport) => {
  expect(arrivalOf(headers, peer, how).transport).toBe(transport)
})

test('our origins are that of the request and that which callers use', () => {
  expect(arrivalOf({ host: 'gateway:8080' }, '10.0.0.1', known).ownOrigins).toEqual([
    'http://gateway:8080',
    'https://console.example.com',
  ])
})

test('the port is the one that the browser has named, or that of http', () => {
  const portOf = (name: string) => arrivalOf({ host: name }, '127.0.0.1', alone).port

  expect([portOf('localhost:8081'), portOf('[::1]:9'), portOf('localhost')]).toEqual(['8081', '9', '80'])
})
