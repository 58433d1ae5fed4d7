// How long an entry is used, and what invalidates it, by a clock of the test's own.
import { expect, test } from 'vitest'
import { keyCache, keysMax } from '../../gateway/key-cache.ts'
import { keyFrom, type Key } from '../../gateway/policies/key.ts'
import { recordOf } from './support/service.ts'

function given(answer: () => Key | null) {
  let now = 1_000_000
  let fetched = 0
  const changes = { upToDate: true }
  const cache = keyCache(
    async () => (fetched++, answer()),
    () => changes.upToDate,
    () => now,
  )
  return { cache, changes, pass: (ms: number) => void (now += ms), fetched: () => fetched }
}
const key = keyFrom(recordOf())

test('an entry is used for 30 s while the gateway is up to date with changes, and for 4 s while it may not be', async () => {
  const { cache, changes, pass, fetched } = given(() => key)
  await cache.get('h')
  pass(29_999)
  expect([await cache.get('h'), fetched()]).toEqual([key, 1])
  pass(1)
  await cache.get('h')
  expect(fetched()).toBe(2)
  changes.upToDate = false
  pass(3_999)
  await cache.get('h')
  expect(fetched()).toBe(2)
  pass(1)
  await cache.get('h')
  expect(fetched()).toBe(3)
})

test('a miss is used for 5 s', async () => {
  let answer: Key | null = null
  const { cache, pass, fetched } = given(() => answer)
  expect([cache.has('h'), await cache.get('h'), await cache.get('h'), fetched()]).toEqual([false, null, null, 1])
  expect(cache.has('h')).toBe(true)
  pass(5_000)
  expect(cache.has('h')).toBe(false)
  answer = key
  expect([await cache.get('h'), cache.has('h')]).toEqual([key, true])
})

test('a change of another key or workspace invalidates nothing', async () => {
  const { cache, fetched } = given(() => key)
  await cache.get('h')
  cache.invalidate({ kind: 'api-key', id: 'another' })
  await cache.get('h')
  expect(fetched()).toBe(1)
  cache.invalidate({ kind: 'workspace', id: key.workspaces[0]!.id })
  await cache.get('h')
  expect(fetched()).toBe(2)
})

test('a change that no longer fits into the log of changes counts as one of every key', async () => {
  const { cache, fetched } = given(() => key)
  await cache.get('h')
  cache.invalidate({ kind: 'api-key', id: key.id })
  for (let n = 0; n < keysMax; n++) cache.invalidate({ kind: 'api-key', id: `another ${n}` })
  await cache.get('h')
  expect(fetched()).toBe(2)
})

test('as long as every change fits into the log, other keys stay valid', async () => {
  const { cache, fetched } = given(() => key)
  await cache.get('h')
  for (let n = 0; n < keysMax; n++) cache.invalidate({ kind: 'api-key', id: `another ${n}` })
  await cache.get('h')
  expect(fetched()).toBe(1)
})

test('a key that changes during every fetch is not used: the caller is told to try again', async () => {
  const { cache } = given(() => {
    cache.invalidate({ kind: 'api-key', id: key.id })
    return key
  })
  await expect(cache.get('h')).rejects.toMatchObject({ code: 'unavailable' })
})

test('a failed fetch is not cached', async () => {
  let fail = true
  const { cache } = given(() => {
    if (fail) throw new Error('away')
    return key
  })
  await expect(cache.get('h')).rejects.toThrow('away')
  fail = false
  expect(await cache.get('h')).toBe(key)
})
