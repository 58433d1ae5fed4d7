import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import {
  breakAtEnd,
  breakAtStart,
  follow,
  chained,
  chainStart,
  hashOf,
  type Link,
} from '../../../service/audit/rules.ts'
import { draftIn } from './audit-log-fixture.ts'

const workspaceId = uuid()

function entries(count: number) {
  const made = []
  let end: Link = chainStart
  for (let at = 0; at < count; at += 1) {
    const entry = chained(draftIn(workspaceId), end)
    made.push(entry)
    end = entry
  }
  return made
}

test('a hash is SHA-256 over the previous hash and the canonical JSON of the entry, as anybody can compute it', () => {
  const entry = chained({ ...draftIn(workspaceId), changes: { b: { to: 2, from: 1 } } }, chainStart)
  const { previousHash, hash, changes: _changes, actor: _actor, target, ...rest } = entry
  const spelt = {
    ...rest,
    target: { id: target?.id, name: target?.name, type: target?.type },
    changes: { b: { from: 1, to: 2 } },
    actor: { id: 'operator', keyPrefix: null, name: 'operator', type: 'system' },
  }
  const json = JSON.stringify(Object.fromEntries(Object.entries(spelt).toSorted(([a], [b]) => (a < b ? -1 : 1))))

  expect(hash).toBe(createHash('sha256').update(Buffer.alloc(32)).update(json).digest('hex'))
  expect(previousHash).toBe('0'.repeat(64))
})

test('a chain has no break as it was written, nor from its oldest entry on where its start was deleted', () => {
  const chain = entries(5)

  expect(follow(chain, chainStart)).toEqual({ end: chain.at(-1), chainBreak: null })
  expect(follow(chain.slice(2), null).chainBreak).toBeNull()
})

test.each([
  ['action', { action: 'webhooks.delete' }],
  ['count', { count: 2 }],
  ['time', { at: '2026-01-01T00:00:00.000Z' }],
  ['actor', { actor: { type: 'system', id: 'somebody', name: 'operator', keyPrefix: null } as const }],
  ['changes', { changes: {} }],
  ['target', { target: null }],
  ['workspace', { workspaceId: uuid() }],
])('a changed %s shows at its entry', (_what, change) => {
  const chain = entries(5).map((entry) => (entry.number === 3 ? { ...entry, ...change } : entry))

  expect(follow(chain, chainStart).chainBreak).toEqual({ entryNumber: 3, reason: 'entry_changed' })
})

test('an entry that was changed together with its hash is found at the next entry', () => {
  const chain = entries(5).map((entry) => {
    const changed = { ...entry, code: 'other' }
    return entry.number === 3 ? { ...changed, hash: hashOf(changed) } : entry
  })

  expect(follow(chain, chainStart).chainBreak).toEqual({ entryNumber: 4, reason: 'link_broken' })
})

test('two swapped entries are found', () => {
  const [first, second, third, fourth] = entries(4)
  const swapped = [first!, { ...third!, number: 2 }, { ...second!, number: 3 }, fourth!]

  expect(follow(swapped, chainStart).chainBreak).toEqual({ entryNumber: 2, reason: 'entry_changed' })
})

const at = new Date('2026-06-01T00:00:00Z')
const last = { number: 5, hash: 'b'.repeat(64) }
const ends = { last, newest: 5, oldest: { number: 1, at }, keptSince: at }

test('an end that was cut off, extended or replaced is found', () => {
  expect(breakAtEnd(ends, last)).toBeNull()
  expect(breakAtEnd({ ...ends, newest: 3 }, last)).toEqual({ entryNumber: 4, reason: 'end_mismatch' })
  expect(breakAtEnd({ ...ends, newest: 7 }, last)).toEqual({ entryNumber: 6, reason: 'end_mismatch' })
  expect(breakAtEnd(ends, { ...last, hash: 'c'.repeat(64) })).toEqual({ entryNumber: 5, reason: 'end_mismatch' })
})

test('the start is missing unless the oldest entry that is kept is outdated', () => {
  const before = new Date(at.getTime() - 1)

  expect(breakAtStart(ends)).toBeNull()
  expect(breakAtStart({ ...ends, oldest: null })).toBeNull()
  expect(breakAtStart({ ...ends, oldest: { number: 4, at: before } })).toBeNull()
  expect(breakAtStart({ ...ends, oldest: { number: 4, at } })).toEqual({ entryNumber: 3, reason: 'start_missing' })
})
