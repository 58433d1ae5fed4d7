// How long something is believed, and what makes it forgotten, by a clock of the test's own.
import { expect, test } from 'vitest'
import { keyMemory, keysMax } from '../../gateway/key-cache.ts'
import { keyFrom, type Key } from '../../gateway/policies/key.ts'
import { recordOf } from './support/service.ts'

function given(answer: () => Key | null) {
  let now = 1_000_000
  let asked = 0
  const changes = { known: true }
  const memory = keyMemory(
    async () => (asked++, answer()),
    () => changes.known,
    () => now,
  )
  return { memory, changes, pass: (ms: number) => void (now += ms), asked: () => asked }
}
const key = keyFrom(recordOf())

test('a key is believed for 30 s while changes are known, and for 4 s while they may go unheard', async () => {
  const { memory, changes, pass, asked } = given(() => key)
  await memory.get('h')
  pass(29_999)
  expect([await memory.get('h'), asked()]).toEqual([key, 1])
  pass(1)
  await memory.get('h')
  expect(asked()).toBe(2)
  changes.known = false
  pass(3_999)
  await memory.get('h')
  expect(asked()).toBe(2)
  pass(1)
  await memory.get('h')
  expect(asked()).toBe(3)
})

test('that a key does not exist is believed for 5 s', async () => {
  let answer: Key | null = null
  const { memory, pass, asked } = given(() => answer)
  expect([memory.knows('h'), await memory.get('h'), await memory.get('h'), asked()]).toEqual([false, null, null, 1])
  expect(memory.knows('h')).toBe(true)
  pass(5_000)
  expect(memory.knows('h')).toBe(false)
  answer = key
  expect([await memory.get('h'), memory.knows('h')]).toEqual([key, true])
})

test('a change of another key or workspace forgets nothing', async () => {
  const { memory, asked } = given(() => key)
  await memory.get('h')
  memory.forget({ kind: 'api-key', id: 'another' })
  await memory.get('h')
  expect(asked()).toBe(1)
  memory.forget({ kind: 'workspace', id: key.workspaces[0]!.id })
  await memory.get('h')
  expect(asked()).toBe(2)
})

test('a change that is forgotten, for all that have changed since, counts as one of every key', async () => {
  const { memory, asked } = given(() => key)
  await memory.get('h')
  memory.forget({ kind: 'api-key', id: key.id })
  for (let n = 0; n < keysMax; n++) memory.forget({ kind: 'api-key', id: `another ${n}` })
  await memory.get('h')
  expect(asked()).toBe(2)
})

test('a change is remembered for as long as there is a place for it', async () => {
  const { memory, asked } = given(() => key)
  await memory.get('h')
  for (let n = 0; n < keysMax; n++) memory.forget({ kind: 'api-key', id: `another ${n}` })
  await memory.get('h')
  expect(asked()).toBe(1)
})

test('a key that changes with every answer is not believed: the caller is asked to come again', async () => {
  const { memory } = given(() => {
    memory.forget({ kind: 'api-key', id: key.id })
    return key
  })
  await expect(memory.get('h')).rejects.toMatchObject({ code: 'unavailable' })
})

test('a failed question is not remembered', async () => {
  let fail = true
  const { memory } = given(() => {
    if (fail) throw new Error('away')
    return key
  })
  await expect(memory.get('h')).rejects.toThrow('away')
  fail = false
  expect(await memory.get('h')).toBe(key)
})
