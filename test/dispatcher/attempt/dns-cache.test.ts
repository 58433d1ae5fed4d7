import { expect, test } from 'vitest'
import { dnsCache } from '../../../dispatcher/attempt/dns.ts'

const found = { addresses: [{ address: '93.184.216.34', family: 4 as const }], ttlSeconds: 60 }

test('of more names than it holds, those that were asked for longest ago are asked for again', async () => {
  const asked: string[] = []
  const ask = async (name: string) => {
    asked.push(name)
    return found
  }
  const resolve = dnsCache(ask, () => 0, { names: 2, questions: 10 })

  for (const name of ['a', 'b', 'c', 'c', 'b', 'a']) await resolve(name)

  expect(asked).toEqual(['a', 'b', 'c', 'a'])
})

test('beyond its bound no more names are asked for at a time, and those that are known stay so', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<typeof found>()
  let isSlow = false
  const resolve = dnsCache(
    async () => (isSlow ? promise : found),
    () => 0,
    { names: 10, questions: 2 },
  )
  await resolve('known')
  isSlow = true
  const underWay = [resolve('a'), resolve('b'), resolve('a')]

  await expect(resolve('c')).rejects.toThrow('Too many names')
  expect(await resolve('known')).toEqual(found.addresses)

  answer(found)
  await Promise.all(underWay)
  expect(await resolve('c')).toEqual(found.addresses)
})

test('a question that fails is asked again', async () => {
  let questions = 0
  const ask = async () => {
    if (questions++ === 0) throw new Error('The hosts file is gone')
    return found
  }
  const resolve = dnsCache(ask, () => 0)

  await expect(resolve('a')).rejects.toThrow('gone')
  expect(await resolve('a')).toEqual(found.addresses)
})
