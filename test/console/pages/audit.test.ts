// What the pages of the audit log and of events work out without a browser: the verification part after part, what a
// break means, and how the stream is sifted.
import { expect, test } from 'vitest'
import type { EventRecord } from '#contract/event.ts'
import { ChainFlaw } from '#contract/audit-entries.ts'
import { meaningOf } from '../../../console/pages/audit/break-words.ts'
import { verifiedInParts } from '../../../console/pages/audit/verify-in-parts.ts'
import { eventInput, eventSearch, matches } from '../../../console/pages/events/event-search.ts'

const hash = 'ab'.repeat(32)
const part = (first: number, last: number, complete: boolean) => ({
  checked: last - first + 1,
  since: `2026-01-${String(first).padStart(2, '0')}T00:00:00.000Z`,
  intact: true,
  brokenAt: null,
  brokenEntry: null,
  reason: null,
  complete,
  lastNumber: last,
  lastHash: hash,
})

test('a log of three parts is verified from the first entry to the last, and says since when and up to which entry', async () => {
  const asked: number[] = []
  const told: number[] = []

  const verdict = await verifiedInParts(
    async (from) => {
      asked.push(from)
      return part(from, from + 9, from === 21)
    },
    (checked) => told.push(checked),
  )

  expect([asked, told]).toEqual([
    [1, 11, 21],
    [10, 20, 30],
  ])
  expect(verdict).toMatchObject({ checked: 30, since: '2026-01-01T00:00:00.000Z', head: { number: 30, hash } })
  expect(verdict.broken).toBeNull()
})

test('the verification ends at the first break, and keeps the last entry before it', async () => {
  const entry = { at: '2026-01-15T00:00:00.000Z', action: 'api-keys.revoke', actorName: 'Eve' }
  const broken = { intact: false, brokenAt: 15, brokenEntry: entry, reason: 'entry_changed' as const }
  const asked: number[] = []

  const verdict = await verifiedInParts(
    async (from) => {
      asked.push(from)
      return from === 1 ? part(1, 10, false) : { ...part(11, 14, false), ...broken }
    },
    () => {},
  )

  expect(asked).toEqual([1, 11])
  expect(verdict).toMatchObject({ checked: 14, head: { number: 14 } })
  expect(verdict.broken).toEqual({ at: 15, reason: 'entry_changed', entry })
})

test('each kind of break has words of its own, which name the entry', () => {
  const words = ChainFlaw.enum.map((reason) => meaningOf(reason, 4_711))

  expect(new Set(words).size).toBe(ChainFlaw.enum.length)
  for (const each of words) expect(each.toLowerCase()).toContain('entry 4,711')
})

test('an event of the stream is shown where the search would find it', () => {
  const event = {
    type: 'projects.updated',
    actor: { type: 'api_key', id: 'k1', name: 'Sync' },
    resource: { type: 'projects', id: 'p1' },
    requestId: 'r1',
    data: { name: 'Website "relaunch"' },
  } as unknown as EventRecord

  for (const search of [{}, { actor: 'k1' }, { object: 'p1' }, { request: 'r1' }, { q: 'WEBSITE "re' }])
    expect([search, matches(event, search)]).toEqual([search, true])
  for (const search of [
    { actor: 'k2' },
    { object: 'p2' },
    { request: 'r2' },
    { q: 'shop' },
    { actor: 'k1', q: 'shop' },
  ])
    expect([search, matches(event, search)]).toEqual([search, false])
})

test('the address of the events keeps their filters, and leaves out what it does not know', () => {
  const search = eventSearch({
    q: 'a',
    kind: 'tasks.*',
    actor: 'k',
    object: 'o',
    request: 'r',
    since: '1h',
    colour: 'b',
  })
  const strange = eventSearch({ since: '3h', kind: '' })

  expect(eventInput(search, Date.parse('2026-11-22T12:00:30.000Z'))).toEqual({
    search: 'a',
    eventTypes: ['tasks.*'],
    actorId: 'k',
    resourceId: 'o',
    requestId: 'r',
    occurredAfter: '2026-11-22T11:00:00.000Z',
  })
  expect(eventInput(strange, 0)).toEqual({})
})
