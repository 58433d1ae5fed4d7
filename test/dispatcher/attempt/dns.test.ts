// The resolver beside a name server of its own on loopback.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { resolver, type ResolverOptions, dnsCache } from '../../../dispatcher/attempt/dns.ts'
import { startDnsServer, type DnsRecord, type DnsZone } from '../../support/dns-server.ts'

const [four, six] = ['93.184.216.34', '2606:2800:220:1::1']
const a = (value: string, ttl = 30): DnsRecord => ({ type: 'A', value, ttl })
const aaaa = (value: string, ttl = 30): DnsRecord => ({ type: 'AAAA', value, ttl })

const holding =
  (...records: readonly DnsRecord[]): DnsZone =>
  (_name, type) => ({ records: records.filter((record) => record.type === type || record.type === 'CNAME') })

/** With a clock that stands still until it is set on. */
async function given(zone: DnsZone, more: Partial<ResolverOptions> = {}) {
  const server = await startDnsServer(zone)
  let nowMs = 0
  // A machine that is busy shall not be taken for a server that is silent.
  const resolve = resolver({ local: false, servers: [server.address], queryMs: 5_000, now: () => nowMs, ...more })
  return {
    asked: server.asked,
    resolve: async (name: string) => (await resolve(name)).map(({ address }) => address),
    pass: (seconds: number) => void (nowMs += seconds * 1_000),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

test.each<[string, DnsRecord[], string[]]>([
  ['both families', [a(four), a('1.1.1.1'), aaaa(six)], [four, '1.1.1.1', six]],
  ['one family', [aaaa(six)], [six]],
  ['another name', [{ type: 'CNAME', value: 'elsewhere.test', ttl: 30 }, a(four)], [four]],
])('a name has the addresses of %s', async (_what, records, wanted) => {
  await using dns = await given(holding(...records))

  expect(await dns.resolve('receiver.test')).toEqual(wanted)
  expect(new Set(dns.asked)).toEqual(new Set(['A receiver.test', 'AAAA receiver.test']))
})

test.each([
  ['its records say', [a(four, 30), aaaa(six, 20)], 20],
  ['5 seconds, where they say less', [a(four, 0)], 5],
  ['60 seconds, where they say more', [a(four, 86_400)], 60],
  ['the name that it leads to says', [{ type: 'CNAME', value: 'elsewhere.test', ttl: 7 } as const, a(four, 30)], 7],
])('an answer is kept for as long as %s', async (_how, records, seconds) => {
  await using dns = await given(holding(...records))
  const first = await dns.resolve('receiver.test')
  const questions = dns.asked.length

  dns.pass(seconds - 0.001)
  expect(await dns.resolve('receiver.test')).toEqual(first)
  expect(dns.asked).toHaveLength(questions)

  dns.pass(0.001)
  expect(await dns.resolve('receiver.test')).toEqual(first)
  expect(dns.asked.length).toBeGreaterThan(questions)
})

test.each<[string, DnsZone]>([
  ['does not exist', () => ({ code: 3 })],
  ['has no address', () => ({})],
  ['has a server that fails', () => ({ code: 2 })],
])('a name that %s has no address, for 5 seconds', async (_what, zone) => {
  let isThere = false
  await using dns = await given((name, type) => (isThere ? holding(a(four))(name, type) : zone(name, type)))
  expect(await dns.resolve('receiver.test')).toEqual([])
  const questions = dns.asked.length
  isThere = true

  dns.pass(4.999)
  expect(await dns.resolve('receiver.test')).toEqual([])
  expect(dns.asked).toHaveLength(questions)

  dns.pass(0.001)
  expect(await dns.resolve('receiver.test')).toEqual([four])
})

test('a server that never answers is given up after two questions, and holds up no other name, which is asked for once', async () => {
  const isSilent = (name: string) => name.startsWith('silent')
  const zone: DnsZone = (name, type) => (isSilent(name) ? null : holding(a(four))(name, type))
  await using dns = await given(zone, { queryMs: 500 })

  const silent = Promise.all(Array.from({ length: 50 }, (_, n) => dns.resolve(`silent-${n}.test`)))
  // Whoever asks for a name that is being asked for gets the same answer.
  const healthy = Promise.all(Array.from({ length: 20 }, () => dns.resolve('receiver.test')))

  expect(await Promise.race([healthy, silent])).toEqual(Array.from({ length: 20 }, () => [four]))
  expect(await silent).toEqual(Array.from({ length: 50 }, () => []))
  expect(dns.asked.filter((question) => question === 'A silent-7.test')).toHaveLength(2)
  expect(dns.asked.filter((question) => question === 'A receiver.test').length).toBeLessThanOrEqual(2)
})

test('an answer that is too long for one packet is asked for again over TCP; one with more than 64 addresses is none', async () => {
  const records = Array.from({ length: 65 }, (_, n) => a(`93.184.216.${n}`))
  const zone: DnsZone = (name, type) => {
    const some = name === 'many.test' ? records : records.slice(1)
    return { ...holding(...some)(name, type), truncated: true }
  }
  await using dns = await given(zone)

  expect(await dns.resolve('receiver.test')).toEqual(records.slice(1).map(({ value }) => value))
  expect(await dns.resolve('many.test')).toEqual([])
})

test.each([false, true])('nobody is asked where localhost is (private targets allowed: %s)', async (local) => {
  await using dns = await given(() => ({ code: 3 }), { local, hostsFile: '/nowhere' })

  for (const name of ['localhost', 'LOCALHOST.', 'deep.below.localhost'])
    expect(await dns.resolve(name)).toEqual(['127.0.0.1', '::1'])
  expect(dns.asked).toEqual([])
})

test('the hosts file of this machine is read where private targets are allowed, and nowhere else', async () => {
  const hostsFile = join(mkdtempSync(join(tmpdir(), 'wia-hosts-')), 'hosts')
  const lines = ['# no.test 10.0.0.9', '10.0.0.7\tinside.test  Alias.test # more.test', 'fd00::7 inside.test', 'junk']
  writeFileSync(hostsFile, `${lines.join('\n')}\n`)
  const zone: DnsZone = (name) => (name === 'outside.test' ? holding(a(four))(name, 'A') : { code: 3 })
  await using local = await given(zone, { local: true, hostsFile })
  await using other = await given(zone, { hostsFile })

  const names = ['inside.test', 'alias.test.', 'more.test', 'outside.test']
  expect(await Promise.all(names.map(local.resolve))).toEqual([['10.0.0.7', 'fd00::7'], ['10.0.0.7'], [], [four]])
  expect(await other.resolve('inside.test')).toEqual([])
  rmSync(dirname(hostsFile), { recursive: true })
})

const found = { addresses: [{ address: '93.184.216.34', family: 4 as const }], ttlSeconds: 60 }

test('of more names than it holds, those that were asked for longest ago are asked for again, and one whose question failed', async () => {
  const asked: string[] = []
  const ask = async (name: string) => {
    if (asked.push(name) === 1) throw new Error('The hosts file is gone')
    return found
  }
  const resolve = dnsCache(ask, () => 0, { names: 2, questions: 10 })

  await expect(resolve('a')).rejects.toThrow('gone')
  for (const name of ['a', 'b', 'c', 'c', 'b', 'a']) expect(await resolve(name)).toEqual(found.addresses)

  expect(asked).toEqual(['a', 'a', 'b', 'c', 'a'])
})

test('beyond its bound no more names are asked for at a time, and those that are known stay so', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<typeof found>()
  let isSlow = false
  const ask = async () => (isSlow ? promise : found)
  const resolve = dnsCache(ask, () => 0, { names: 10, questions: 2 })
  await resolve('known')
  isSlow = true
  const underWay = [resolve('a'), resolve('b'), resolve('a')]

  await expect(resolve('c')).rejects.toThrow('Too many names')
  expect(await resolve('known')).toEqual(found.addresses)

  answer(found)
  await Promise.all(underWay)
  expect(await resolve('c')).toEqual(found.addresses)
})
