import { expect, test } from 'vitest'
import { version } from 'uuid'
import { newId } from '#runtime/new-id.ts'

test('ids differ, however many are made, and are UUIDs of version 7', () => {
  const ids = Array.from({ length: 1_000 }, () => newId())

  expect(new Set(ids).size).toBe(1_000)
  expect(new Set(ids.map((id) => id.slice(24))).size).toBe(1_000)
  expect(new Set(ids.map(version))).toEqual(new Set([7]))
})

test('ids sort by their times', () => {
  const times = [0, 1, 1_000, 1_774_747_800_123, 1_774_747_800_124].map((ms) => new Date(ms))

  const ids = times.map((time) => newId(time))

  expect(ids.toSorted()).toEqual(ids)
})
