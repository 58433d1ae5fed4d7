import { expect, test } from 'vitest'
import {
  openDatabaseSlots,
  slotsFor,
  type SlotBounds,
  type SlotCaller,
} from '../../../service/execution/database-slots.ts'

const key = (id: string, workspaceId: string) => ({ kind: 'api_key' as const, id, workspaceId })
const person = { kind: 'member' as const, id: 'm', workspaceId: 'A' }
const operator = { kind: 'operator' as const, id: 'operator', workspaceId: 'A' }
const busy = { code: 'unavailable', status: 503, members: { retryAfterSeconds: 1 } }

/** Nothing here waits for anything outside: what is due comes before the next turn of events. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Slots, and calls by name that begin when they may and end when they are told to. */
function slotsOf(connections: number, bounds: Partial<SlotBounds> = {}, now?: () => number) {
  const all = { waitMs: 60_000, workspaceChangesMax: 20, keyChangesMax: 10, ...bounds }
  const slots = openDatabaseSlots(connections, all, now)
  const begun: string[] = []
  const ends = new Map<string, (() => void)[]>()
  const calls: Promise<unknown>[] = []
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<void>((resolve) => ends.set(name, [...(ends.get(name) ?? []), resolve]))
  }
  const send = (how: 'read' | 'change') => (name: string, caller: SlotCaller, signal?: AbortSignal) =>
    slots[how](caller, signal, work(name))
  const begin = (how: 'read' | 'change') => (name: string, caller: SlotCaller) =>
    void calls.push(send(how)(name, caller))
  const end = async (...names: readonly string[]) => {
    for (const name of names) {
      for (const resolve of ends.get(name) ?? []) resolve()
      await settled()
    }
  }
  /** In the order in which they begin, until none is left. */
  const endAll = async () => {
    await settled()
    for (const name of begun) await end(name)
    await Promise.all(calls)
  }
  const tried = { tryChange: send('change'), tryRead: send('read') }
  return { slots, begun, work, change: begin('change'), read: begin('read'), ...tried, end, endAll }
}

test('changes of one workspace run one at a time, those of another next to them; one that waits holds no slot', async () => {
  const { change, read, begun, end, endAll } = slotsOf(6)
  expect(slotsFor(6)).toMatchObject({ total: 4, perWorkspace: 3 })

  for (const name of ['a1', 'a2', 'a3', 'b1']) change(name, key(name.charAt(0), name.charAt(0)))
  read('other', key('c', 'C'))
  await settled()

  expect(begun.toSorted()).toEqual(['a1', 'b1', 'other'])
  await end('a1')
  expect(begun.at(-1)).toBe('a2')
  await endAll()
})

test('changes of as many workspaces as there are slots run at once', async () => {
  const { change, begun, endAll } = slotsOf(10)
  const { total, perKey } = slotsFor(10)
  expect(total).toBeGreaterThan(perKey)

  for (let n = 0; n < 2 * total; n++) change(`${n}`, key(`k${n}`, `w${n}`))
  await settled()

  expect(begun).toHaveLength(total)
  await endAll()
})

test('the keys of a workspace take turns, however much one of them has sent before', async () => {
  const { change, begun, endAll } = slotsOf(10)

  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) change(name, key(name.charAt(0), 'A'))
  await endAll()

  expect(begun).toHaveLength(5)
  expect(begun.indexOf('b1')).toBeLessThanOrEqual(2)
})

test('slow reads of a key leave places to others of its workspace, and those of its keys to people, others and the operator', async () => {
  const { read, begun, endAll } = slotsOf(10)
  const { perKey, perWorkspace } = slotsFor(10)

  for (let n = 0; n < 12; n++) read('a', key('a', 'A'))
  for (let n = 0; n < 12; n++) read('b', key(`b${n % 4}`, 'A'))
  await settled()
  expect(begun).toHaveLength(perWorkspace)
  for (const [name, caller] of Object.entries({ person, other: key('b', 'B'), operator })) read(name, caller)
  await settled()

  const countOf = (name: string) => begun.filter((one) => one === name).length
  const counts = ['a', 'b', 'person', 'other', 'operator'].map(countOf)
  expect(counts).toEqual([perKey, perWorkspace - perKey, 1, 1, 1])
  await endAll()
})

test.each([2, 3, 4, 5, 6, 10, 50, 200])('of %i connections no workspace has all, and some are nobody’s', (count) => {
  const { total, perWorkspace } = slotsFor(count)

  expect(total).toBeLessThan(count)
  expect(perWorkspace).toBeGreaterThanOrEqual(1)
  expect(perWorkspace).toBeLessThanOrEqual(Math.max(1, count / 2))
  if (count > 2) expect(perWorkspace).toBeLessThan(total)
})

test('a change beyond the bound of its key or of its workspace is told to come again, and others are not', async () => {
  const { change, tryChange, begun, endAll } = slotsOf(10)

  for (let n = 0; n < 11; n++) change('a', key('a', 'A'))
  await settled()
  await expect(tryChange('a', key('a', 'A'))).rejects.toMatchObject(busy)
  for (let n = 0; n < 10; n++) change('b', key('b', 'A'))
  await settled()
  await expect(tryChange('c', key('c', 'A'))).rejects.toMatchObject(busy)
  change('d', key('d', 'D'))
  await settled()

  expect(begun).toEqual(['a', 'd'])
  await endAll()
})

test('a caller who goes away leaves the queue, and the next one is not held up', async () => {
  const { change, tryChange, begun, end, endAll } = slotsOf(10)
  const leaving = new AbortController()
  change('first', key('a', 'A'))
  const refused = expect(tryChange('gone', key('a', 'A'), leaving.signal)).rejects.toMatchObject({
    code: 'request_cancelled',
  })
  change('last', key('a', 'A'))

  leaving.abort()
  await refused
  await end('first')

  expect(begun).toEqual(['first', 'last'])
  await endAll()
})

test('a read that waits for something else gives its place to others meanwhile, and has one again after', async () => {
  const { slots, work, tryRead, begun, end } = slotsOf(2)
  const waiting = slots.read(key('a', 'A'), undefined, async (idle) => {
    await idle(work('idle'))
    await work('again')()
  })
  const other = tryRead('other', key('b', 'B'))
  await settled()
  expect(begun.toSorted()).toEqual(['idle', 'other'])

  await end('idle')
  expect(begun).toHaveLength(2)
  await end('other')
  expect(begun.at(-1)).toBe('again')
  await end('again')
  await Promise.all([waiting, other])
})

test('work that fails, or throws before it begins to wait, gives its place back', async () => {
  const { slots } = slotsOf(2, { waitMs: 50 })
  const throwing = (): never => {
    throw new Error('refused')
  }

  for (const failing of [() => Promise.reject(new Error('refused')), throwing])
    for (const how of ['read', 'change', 'read', 'change', 'read', 'change'] as const)
      await expect(slots[how](key('a', 'A'), undefined, failing)).rejects.toThrow('refused')

  expect(await slots.read(key('b', 'B'), undefined, async () => 'served')).toBe('served')
})

test('calls of a kind that took long have half of the slots, however many workspaces send them', async () => {
  let now = 0
  const { read, begun, end, endAll } = slotsOf(10, {}, () => now)
  const workspaces = ['A', 'B', 'C', 'D', 'E', 'F']
  const search = (workspace: string) => ({ ...key(workspace, workspace), work: 'search.query' })
  const { total, slow, slowPerWorkspace } = slotsFor(10)
  for (const workspace of workspaces) {
    read(`first of ${workspace}`, search(workspace))
    await settled()
    now += 101
    await end(`first of ${workspace}`)
  }
  begun.length = 0

  for (const workspace of workspaces) for (const n of [1, 2, 3]) read(`${workspace}${n}`, search(workspace))
  await settled()
  expect(begun).toHaveLength(slow)
  expect(slow).toBeLessThanOrEqual(total / 2)
  expect(begun.filter((name) => name.startsWith('A'))).toHaveLength(slowPerWorkspace)

  // What is quick finds the other half, of the same workspaces too.
  for (const workspace of ['A', 'G']) read(`get ${workspace}`, { ...key(workspace, workspace), work: 'tasks.get' })
  await settled()
  expect(begun).toEqual(expect.arrayContaining(['get A', 'get G']))
  await endAll()
})

test('a kind of call that was quick again is no slow one any more', async () => {
  let now = 0
  const { slots, read, begun, endAll } = slotsOf(4, {}, () => now)
  const search = { ...key('a', 'A'), work: 'search.query' }
  await slots.read(search, undefined, () => Promise.resolve((now += 500)))
  await slots.read(search, undefined, () => Promise.resolve())

  for (const id of ['a', 'b', 'c']) read(id, { ...search, id, workspaceId: id })
  await settled()

  expect(begun.length).toBeGreaterThan(slotsFor(4).slow)
  expect(slots.usage().waiting).toBe(0)
  await endAll()
})

test('a call that has waited long enough is told to come again: a change at once, a read with whose calls are too many', async () => {
  const changes = slotsOf(10, { waitMs: 1 })
  const { read, tryRead, endAll } = slotsOf(4, { waitMs: 1 })
  const { total, perWorkspace, perKey } = slotsFor(4)
  expect([total, perWorkspace, perKey]).toEqual([3, 2, 1])
  const refusal = (whose: string, words: string) => ({
    message: expect.stringContaining(words),
    members: { 'violated-policies': [whose] },
  })

  changes.change('first', key('a', 'A'))
  await settled()
  await expect(changes.tryChange('late', key('a', 'A'))).rejects.toMatchObject(busy)
  await changes.endAll()
  read('a', key('a', 'A'))
  await expect(tryRead('x', key('a', 'A'))).rejects.toMatchObject(refusal('key', 'of this key'))
  read('b', key('b', 'A'))
  await expect(tryRead('x', key('c', 'A'))).rejects.toMatchObject(refusal('workspace', 'of the keys of this workspace'))
  read('m', person)
  await expect(tryRead('x', key('d', 'D'))).rejects.toMatchObject(refusal('service', 'of all workspaces together'))

  await endAll()
})
