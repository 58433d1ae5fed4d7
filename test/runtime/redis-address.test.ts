// The forms of REDIS_URL.
import { expect, test } from 'vitest'
import { redisUrl } from '#runtime/shared-settings.ts'
import { redisAddress } from '#runtime/redis-address.ts'

const node = (host: string, port: number) => ({ host, port })
const cluster = { kind: 'cluster', credentials: {}, isTls: false }
const sentinel = { kind: 'sentinel', credentials: { password: 'p' }, isTls: false, sentinelPassword: 's&' }

test.each([
  ['redis://h', { kind: 'one', url: 'redis://h' }],
  ['rediss://u:p@h:6380/1', { kind: 'one', url: 'rediss://u:p@h:6380/1' }],
  ['redis-cluster://h1:7000,h2', { ...cluster, nodes: [node('h1', 7_000), node('h2', 6_379)] }],
  [
    'rediss-cluster://u:p%40%3A@[::1]:7000',
    { ...cluster, credentials: { username: 'u', password: 'p@:' }, isTls: true, nodes: [node('::1', 7_000)] },
  ],
  [
    'redis-sentinel://:p@h1,h2:5000/main/2?sentinelPassword=s%26',
    { ...sentinel, nodes: [node('h1', 26_379), node('h2', 5_000)], name: 'main', database: 2 },
  ],
])('%s is read', (url, address) => {
  expect(redisAddress(url)).toEqual(address)
  expect(redisUrl.parse(url)).toBe(url)
})

const noRedis = ['http://h', 'h:6379']
const ofCluster = ['', 'h1,,h2', 'h1:70000', 'h1/0', 'a:b:c@h1', '%zz@h1'].map((rest) => `redis-cluster://${rest}`)
const ofSentinel = ['', '/', '/name/x', '/name?password=p', ' 1/name'].map((rest) => `redis-sentinel://h1${rest}`)
test.each([...noRedis, ...ofCluster, ...ofSentinel])('%s is refused, without a word of what it contains', (url) => {
  expect(redisAddress(url)).toBeNull()
  expect(() => redisUrl.parse(url)).toThrow(/^must be an address such as redis:\/\//)
  expect(redisUrl.hidden).toBe(true)
})
