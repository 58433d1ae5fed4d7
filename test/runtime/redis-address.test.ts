// The forms of REDIS_URL.
import { expect, test } from 'vitest'
import { redisUrl } from '#runtime/shared-settings.ts'
import { redisAddress } from '#runtime/redis-address.ts'

test.each([
  ['redis://h', { kind: 'one', url: 'redis://h' }],
  ['rediss://u:p@h:6380/1', { kind: 'one', url: 'rediss://u:p@h:6380/1' }],
  [
    'redis-cluster://h1:7000,h2',
    {
      kind: 'cluster',
      credentials: {},
      isTls: false,
      nodes: [
        { host: 'h1', port: 7_000 },
        { host: 'h2', port: 6_379 },
      ],
    },
  ],
  [
    'rediss-cluster://u:p%40%3A@[::1]:7000',
    {
      kind: 'cluster',
      credentials: { username: 'u', password: 'p@:' },
      isTls: true,
      nodes: [{ host: '::1', port: 7_000 }],
    },
  ],
  [
    'redis-sentinel://:p@h1,h2:5000/main/2?sentinelPassword=s%26',
    {
      kind: 'sentinel',
      credentials: { password: 'p' },
      isTls: false,
      nodes: [
        { host: 'h1', port: 26_379 },
        { host: 'h2', port: 5_000 },
      ],
      name: 'main',
      database: 2,
      sentinelPassword: 's&',
    },
  ],
])('%s is read', (url, address) => {
  expect(redisAddress(url)).toEqual(address)
  expect(redisUrl.parse(url)).toBe(url)
})

test.each([
  'http://h',
  'h:6379',
  'redis-cluster://',
  'redis-cluster://h1,,h2',
  'redis-cluster://h1:70000',
  'redis-cluster://h1/0',
  'redis-cluster://a:b:c@h1',
  'redis-cluster://%zz@h1',
  'redis-sentinel://h1',
  'redis-sentinel://h1/',
  'redis-sentinel://h1/name/x',
  'redis-sentinel://h1/name?password=p',
  'redis-sentinel://h 1/name',
])('%s is refused, without a word of what it contains', (url) => {
  expect(redisAddress(url)).toBeNull()
  expect(() => redisUrl.parse(url)).toThrow(/^must be an address such as redis:\/\//)
  expect(redisUrl.hidden).toBe(true)
})
