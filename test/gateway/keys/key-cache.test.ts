// How long an entry is used, and what invalidates it, by a clock of the test's own.
import { expect, test } from 'vitest'
import { unavailable } from '#contract/faults/fault.ts'
import { fetchesMax, keyFetches } from '../../../gateway/keys/key-fetches.ts'
import { keyCache, keysMax } from '../../../gateway/keys/key-cache.ts'
import { keyFrom, type Key } from '../../../gateway/keys/key.ts'
import { eventually } from '../../support/eventually.ts'
import { recordOf } from '../support/service.ts'

/** Polls are answered and Redis is there, unless the test says otherwise. */
function given(answer: () => Key | null | Promise<Key | null>) {
  let now = 1_000_000
  const changes = { lag: 0, notified: true }
  const questions: (readonly string[])[] = []
  const cache = keyCache(
    {
      fetchKey: async () => answer(),
      fetchKeys: async (hashes) => (questions.push(hashes), await Promise.all(hashes.map(async () => answer()))),
    },
    { lagMs: () => changes.lag, isNotified: () => changes.notified },
    () => now,
  )
  const fetched = (): number => cache.stats().fetches
  return { cache, changes, questions, pass: (ms: number) => void (now += ms), fetched }
}
async function known(answer: Parameters<typeof given>[0] = () => key) {
  const it = given(answer)
  await it.cache.get('h')
  return it
}
const key = keyFrom(recordOf())
const away = (): never => {
  throw unavailable('away')
}

test('an entry is fresh for 30 s, is refreshed behind the call up to 120 s, and then before it', async () => {
  let answer = key
  const { cache, pass, fetched } = await known(() => answer)
  pass(29_999)
  expect([cache.get('h'), fetched()]).toEqual([key, 1])

  const newer = { ...key, name: 'newer' }
  answer = newer
  pass(1)
  expect([cache.get('h'), cache.get('h')]).toEqual([key, key])
  await eventually(() => cache.get('h') === newer, 'the refreshed entry')
  expect(fetched()).toBe(2)

  answer = key
  pass(120_000)
  expect([await cache.get('h'), fetched()]).toEqual([key, 3])
})

test('while changes may be missing, no entry is used for longer than 4 s without asking', async () => {
  const { cache, changes, pass, fetched } = await known()
  changes.lag = 4_000

  pass(3_999)
  expect([await cache.get('h'), fetched()]).toEqual([key, 1])
  pass(1)
  expect([await cache.get('h'), fetched()]).toEqual([key, 2])
})

test('a refresh that fails is tried again after a second, and the entry is used on', async () => {
  let answer: () => Key = () => key
  const { cache, pass, fetched } = await known(() => answer())
  answer = away
  pass(30_000)
  void cache.get('h')
  await eventually(() => fetched() === 2, 'the refresh')

  const meanwhile = [cache.get('h'), cache.get('h')]
  expect([meanwhile, fetched()]).toEqual([[key, key], 2])
  pass(1_000)
  expect(cache.get('h')).toBe(key)
  await eventually(() => fetched() === 3, 'the next refresh')
})

test('where neither service nor Redis answers, a known key is used until it is 120 s old; then nobody can say', async () => {
  let answer: () => Key = () => key
  const { cache, changes, pass, fetched } = await known(() => answer())
  answer = away
  changes.lag = Infinity
  pass(4_000)

  await expect(cache.get('h')).rejects.toMatchObject({ code: 'unavailable' })
  changes.notified = false
  expect(cache.get('h')).toBe(key)
  pass(1_000)
  expect(await cache.get('h')).toBe(key)
  expect([cache.get('h'), fetched(), cache.stats().staleServed]).toEqual([key, 3, 3])

  pass(115_000)
  await expect(cache.get('h')).rejects.toMatchObject({ code: 'unavailable', members: { retryAfterSeconds: 1 } })
})

test('a key that is known to have changed is not used, though nobody can say how', async () => {
  let answer: () => Key = () => key
  const { cache, changes } = await known(() => answer())
  answer = away
  Object.assign(changes, { lag: Infinity, notified: false })

  cache.invalidate({ kind: 'api-key', id: key.id })

  await expect(cache.get('h')).rejects.toMatchObject({ code: 'unavailable' })
})

test('however many keys are asked for at once, the service gets 64 questions at a time, and one for each key', async () => {
  const { promise, resolve } = Promise.withResolvers<Key>()
  const { cache, fetched } = given(() => promise)
  const all = Array.from({ length: 400 }, async (_, n) => cache.get(`h${n % 200}`))
  await eventually(() => fetched() > 0, 'questions')
  expect(fetched()).toBe(fetchesMax)
  resolve(key)
  await Promise.all(all)
  expect(fetched()).toBe(200)
})

test('keys that are refreshed at the same time are asked for by the hundred, each of them once', async () => {
  let answer = key
  const { cache, pass, questions } = given(() => answer)
  const hashes = Array.from({ length: 250 }, (_, n) => `h${n}`)
  await Promise.all(hashes.map(async (hash) => cache.get(hash)))
  pass(30_000)
  answer = { ...key, name: 'newer' }

  const served = [...hashes, ...hashes].map(cache.get)
  await eventually(() => hashes.every((hash) => cache.get(hash) === answer), 'refreshed entries')

  expect(served.every((each) => each === key)).toBe(true)
  expect(questions.map(({ length }) => length)).toEqual([100, 100, 50])
  expect(questions.flat().toSorted()).toEqual(hashes.toSorted())
})

test('a key that has not changed stays the same when it is refreshed', async () => {
  const { cache, pass, questions } = given(() => structuredClone(key))
  const first = await cache.get('h')
  pass(30_000)
  void cache.get('h')
  await eventually(() => questions.length === 1, 'the refresh')
  pass(29_999)
  expect([cache.get('h') === first, questions.length]).toEqual([true, 1])
})

test('a known key that the service knows no more is none from then on', async () => {
  let answer: Key | null = key
  const { cache, pass } = await known(() => answer)
  answer = null
  pass(30_000)
  expect(cache.get('h')).toBe(key)
  await eventually(() => cache.get('h') === null, 'the refresh')
})

test('a refresh that a change has overtaken is thrown away, and the next call asks anew', async () => {
  let overtaken = false
  const { cache, pass, questions } = given(() => {
    if (questions.length === 1 && !overtaken) {
      overtaken = true
      cache.invalidate({ kind: 'api-key', id: key.id })
      return { ...key, name: 'from before the change' }
    }
    return overtaken ? { ...key, name: 'changed' } : key
  })
  await cache.get('h')
  pass(30_000)
  void cache.get('h')
  await eventually(() => overtaken, 'the refresh')
  expect(await cache.get('h')).toMatchObject({ name: 'changed' })
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

test('a change of another key or workspace invalidates nothing; one that is told twice is fetched once', async () => {
  const { cache, fetched } = await known(() => ({ ...key, version: 2 }))
  const fetchesAfter = async (change: Parameters<typeof cache.invalidate>[0]) => {
    cache.invalidate(change)
    await cache.get('h')
    return fetched()
  }

  expect(await fetchesAfter({ kind: 'api-key', id: 'another' })).toBe(1)
  expect(await fetchesAfter({ kind: 'workspace', id: key.workspaces[0]!.id })).toBe(2)
  // By Redis and by a poll.
  for (let told = 0; told < 2; told++) expect(await fetchesAfter({ kind: 'api-key', id: key.id, version: 2 })).toBe(3)
})

test('a fetch that answers with a version below the change is thrown away, whenever it began', async () => {
  const versions = [1, 1, 2]
  const { cache } = await known(() => ({ ...key, version: versions.shift()! }))

  cache.invalidate({ kind: 'api-key', id: key.id, version: 2 })

  expect(await cache.get('h')).toMatchObject({ version: 2 })
})

test('a fetch that began before a change is thrown away, even with the version that the change has made', async () => {
  const versions = [2, 3]
  const { cache } = given(() => {
    const version = versions.shift()!
    if (version === 2) cache.invalidate({ kind: 'api-key', id: key.id, version: 2 })
    return { ...key, version }
  })

  expect(await cache.get('h')).toMatchObject({ version: 3 })
})

test('once the gateway is told that the database was restored, lower versions are believed at once, and nothing cached is', async () => {
  const { cache } = given(() => ({ ...key, version: 1 }))
  cache.invalidate({ kind: 'api-key', id: key.id, version: 9 })

  cache.beginAnew()

  expect(await cache.get('h')).toMatchObject({ version: 1 })
  const before = cache.changeNumber()
  cache.beginAnew()
  expect(cache.areUnchanged([key.id], before)).toBe(false)
})

test('a database that was restored to lower versions is believed after some minutes', async () => {
  const { cache, pass } = given(() => ({ ...key, version: 1 }))
  cache.invalidate({ kind: 'api-key', id: key.id, version: 9 })
  await expect(cache.get('h')).rejects.toMatchObject({ code: 'unavailable' })
  pass(150_000)
  expect(await cache.get('h')).toMatchObject({ version: 1 })
})

test('a change that no longer fits into the log of changes counts as one of every key', async () => {
  const { cache, fetched } = await known()
  for (let n = 0; n < keysMax; n++) cache.invalidate({ kind: 'api-key', id: `another ${n}` })
  expect([await cache.get('h'), fetched()]).toEqual([key, 1])
  cache.invalidate({ kind: 'api-key', id: 'one more' })
  expect([await cache.get('h'), fetched()]).toEqual([key, 2])
})

test('a key that changes during every fetch is not used, and a fetch that failed is not cached', async () => {
  let change = true
  const { cache } = given(() => {
    if (change) cache.invalidate({ kind: 'api-key', id: key.id })
    return key
  })

  await expect(cache.get('h')).rejects.toMatchObject({ code: 'unavailable' })
  change = false
  expect(await cache.get('h')).toBe(key)
})

test('many keys are asked for at once, many more wait, and whoever finds no room is told so at once', async () => {
  const answers: (() => void)[] = []
  const { fetch } = keyFetches((hash) => new Promise<string>((resolve) => answers.push(() => resolve(hash))), 2)
  const asked = Array.from({ length: fetchesMax + 2 }, (_, n) => fetch(`hash ${n}`))

  const members = { retryAfterSeconds: 1, 'violated-policies': ['key-lookups'] }
  await expect(fetch('one more')).rejects.toMatchObject({ code: 'unavailable', members })
  expect(answers).toHaveLength(fetchesMax)
  for (const [at, one] of asked.entries()) {
    await expect.poll(() => answers.length).toBeGreaterThan(at)
    answers[at]?.()
    expect(await one).toBe(`hash ${at}`)
  }
})
