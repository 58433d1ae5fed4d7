import { expect, test } from 'vitest'
import { openDatabaseSlots, slotsFor } from '../../../service/execution/database-slots.ts'

const bounds = { waitMs: 60_000, workspaceChangesMax: 20, keyChangesMax: 10 }
const key = (id: string, workspaceId: string) => ({ kind: 'api_key' as const, id, workspaceId })
const operator = (workspaceId: string | null) => ({ kind: 'operator' as const, id: 'operator', workspaceId })
const busy = { code: 'unavailable', status: 503, members: { retryAfterSeconds: 1 } }

/** Work that begins when it may and ends when it is told to. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<void>((resolve) => ends.set(name, resolve))
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await settled()
  }
  return { begun, work, end }
}

/** Nothing here waits for anything outside: what is due comes before the next turn of events. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('changes of one workspace run one at a time, those of another next to them', async () => {
  const { change } = openDatabaseSlots(10, bounds)
  const { begun, work, end } = works()

  const all = [
    change(key('a', 'A'), undefined, work('a1')),
    change(key('a', 'A'), undefined, work('a2')),
    change(key('b', 'B'), undefined, work('b1')),
  ]
  await settled()
  expect(begun.toSorted()).toEqual(['a1', 'b1'])
  await end('a1')
  expect(begun.at(-1)).toBe('a2')

  await end('a2')
  await end('b1')
  await Promise.all(all)
})

test('the keys of a workspace take turns, however much one of them has sent before', async () => {
  const { change } = openDatabaseSlots(10, bounds)
  const { begun, work, end } = works()
  const names = ['a1', 'a2', 'a3', 'a4', 'b1']

  const all = names.map((name) => change(key(name.charAt(0), 'A'), undefined, work(name)))
  for (let n = 0; n < names.length; n++) {
    await settled()
    await end(begun[n] ?? '')
  }
  await Promise.all(all)

  expect(begun.indexOf('b1')).toBeLessThanOrEqual(2)
})

test('a change that waits for its workspace holds no slot', async () => {
  const { change, read } = openDatabaseSlots(3, bounds)
  const { begun, work, end } = works()
  expect(slotsFor(3)).toMatchObject({ total: 2, perWorkspace: 1 })

  const changes = ['1', '2', '3'].map((name) => change(key('a', 'A'), undefined, work(name)))
  const other = read(key('b', 'B'), undefined, work('other'))
  await settled()

  expect(begun.toSorted()).toEqual(['1', 'other'])
  for (const name of ['1', '2', '3', 'other']) await end(name)
  await Promise.all([...changes, other])
})

test('slow reads of one workspace leave places to the others, and the operator needs none', async () => {
  const { read } = openDatabaseSlots(10, bounds)
  const { begun, work, end } = works()
  const slow = Array.from({ length: 20 }, (_, n) => `slow${n}`)

  const all = slow.map((name, n) => read(key(`a${n % 4}`, 'A'), undefined, work(name)))
  await settled()
  expect(begun).toHaveLength(slotsFor(10).perWorkspace)

  all.push(read(key('b', 'B'), undefined, work('other')), read(operator('A'), undefined, work('operator')))
  await settled()
  expect(begun).toContain('other')
  expect(begun).toContain('operator')

  for (let n = 0; n < all.length; n++) await end(begun[n] ?? '')
  await Promise.all(all)
})

test.each([2, 3, 4, 5, 6, 10, 50, 200])('of %i connections no workspace has all, and some are nobody’s', (count) => {
  const { total, perWorkspace } = slotsFor(count)

  expect(total).toBeLessThan(count)
  expect(perWorkspace).toBeGreaterThanOrEqual(1)
  expect(perWorkspace).toBeLessThanOrEqual(Math.max(1, count / 2))
  if (count > 2) expect(perWorkspace).toBeLessThan(total)
})

test('a change beyond the bound of its key or of its workspace is told to come again, and others are not', async () => {
  const { change } = openDatabaseSlots(10, bounds)
  const { begun, work, end } = works()
  const send = (id: string, workspaceId: string) => change(key(id, workspaceId), undefined, work(id))
  const waiting = Array.from({ length: 11 }, () => send('a', 'A'))
  await settled()

  await expect(send('a', 'A')).rejects.toMatchObject(busy)
  waiting.push(...Array.from({ length: 10 }, () => send('b', 'A')))
  await settled()
  await expect(send('c', 'A')).rejects.toMatchObject(busy)
  waiting.push(send('d', 'D'))
  await settled()
  expect(begun).toEqual(['a', 'd'])

  for (let n = 0; n < waiting.length; n++) await end(begun[n] ?? '')
  await Promise.all(waiting)
})

test('a change that has waited long enough is told to come again', async () => {
  const { change } = openDatabaseSlots(10, { ...bounds, waitMs: 1 })
  const { work, end } = works()
  const first = change(key('a', 'A'), undefined, work('first'))
  await settled()

  await expect(change(key('a', 'A'), undefined, work('late'))).rejects.toMatchObject(busy)

  await end('first')
  await first
})

test('a caller who goes away leaves the queue, and the next one is not held up', async () => {
  const { change } = openDatabaseSlots(10, bounds)
  const { begun, work, end } = works()
  const leaving = new AbortController()
  const first = change(key('a', 'A'), undefined, work('first'))
  const gone = change(key('a', 'A'), leaving.signal, work('gone'))
  const last = change(key('a', 'A'), undefined, work('last'))
  const refused = expect(gone).rejects.toMatchObject({ code: 'request_cancelled' })

  leaving.abort()
  await refused
  await end('first')

  expect(begun).toEqual(['first', 'last'])
  await end('last')
  await Promise.all([first, last])
})

test('a read that waits for something else gives its place to others meanwhile, and has one again after', async () => {
  const { read } = openDatabaseSlots(2, bounds)
  const { begun, work, end } = works()
  const waiting = read(key('a', 'A'), undefined, async (idle) => {
    await idle(work('idle'))
    await work('again')()
  })
  const other = read(key('b', 'B'), undefined, work('other'))
  await settled()
  expect(begun.toSorted()).toEqual(['idle', 'other'])

  await end('idle')
  expect(begun).toHaveLength(2)
  await end('other')
  await settled()
  expect(begun.at(-1)).toBe('again')
  await end('again')
  await Promise.all([waiting, other])
})

test('work that fails gives back what it held', async () => {
  const { change } = openDatabaseSlots(2, bounds)
  const failing = () => change(key('a', 'A'), undefined, () => Promise.reject(new Error('refused')))

  for (let n = 0; n < 5; n++) await expect(failing()).rejects.toThrow('refused')
})

test('work that throws before it begins to wait gives its place back all the same', async () => {
  const { read, change } = openDatabaseSlots(2, { ...bounds, waitMs: 50 })
  const throwing = (): never => {
    throw new TypeError('at once')
  }

  for (let again = 0; again < 3; again++) {
    await expect(read(key('a', 'A'), undefined, throwing)).rejects.toThrow('at once')
    await expect(change(key('a', 'A'), undefined, throwing)).rejects.toThrow('at once')
  }

  expect(await read(key('b', 'B'), undefined, async () => 'served')).toBe('served')
})

test('one key leaves places to the other keys of its workspace, and those who are signed in need none of the keys’', async () => {
  const { read } = openDatabaseSlots(10, bounds)
  const { begun, work, end } = works()
  const { perKey, perWorkspace } = slotsFor(10)
  const person = { kind: 'member' as const, id: 'm', workspaceId: 'A' }

  const all = Array.from({ length: 12 }, (_, n) => read(key('a', 'A'), undefined, work(`a${n}`)))
  all.push(...['b1', 'b2', 'b3'].map((name) => read(key('b', 'A'), undefined, work(name))))
  all.push(read(person, undefined, work('person')))
  await settled()

  expect(begun.filter((name) => name.startsWith('a'))).toHaveLength(perKey)
  expect(begun.filter((name) => name.startsWith('b'))).toHaveLength(perWorkspace - perKey)
  expect(begun).toContain('person')
  for (let n = 0; n < all.length; n++) await end(begun[n] ?? '')
  await Promise.all(all)
})

test('calls of a kind that took long have half of the slots, however many workspaces send them', async () => {
  let now = 0
  const { read } = openDatabaseSlots(10, bounds, () => now)
  const { begun, work, end } = works()
  const workspaces = ['A', 'B', 'C', 'D', 'E', 'F']
  const search = (workspace: string) => ({ ...key(workspace, workspace), work: 'search.query' })
  const { total, slow, slowPerWorkspace } = slotsFor(10)
  const last = async () => await end(begun.at(-1) ?? '')
  for (const workspace of workspaces) {
    const first = read(search(workspace), undefined, work(`first of ${workspace}`))
    await settled()
    now += 101
    await last()
    await first
  }
  begun.length = 0

  const all = workspaces.flatMap((each) => [1, 2, 3].map((n) => read(search(each), undefined, work(`${each}${n}`))))
  await settled()
  expect(begun).toHaveLength(slow)
  expect(slow).toBeLessThanOrEqual(total / 2)
  expect(begun.filter((name) => name.startsWith('A'))).toHaveLength(slowPerWorkspace)

  // What is quick finds the other half, of the same workspaces too.
  all.push(...['A', 'G'].map((each) => read({ ...key(each, each), work: 'tasks.get' }, undefined, work(`get ${each}`))))
  await settled()
  expect(begun).toEqual(expect.arrayContaining(['get A', 'get G']))

  for (let n = 0; n < all.length; n++) await end(begun[n] ?? '')
  await Promise.all(all)
})

test('a kind of call that was quick again is no slow one any more', async () => {
  let now = 0
  const { read, usage } = openDatabaseSlots(4, bounds, () => now)
  const search = { ...key('a', 'A'), work: 'search.query' }
  await read(search, undefined, () => Promise.resolve((now += 500)))
  await read(search, undefined, () => Promise.resolve())
  const { begun, work, end } = works()
  const { slow } = slotsFor(4)

  const all = ['a', 'b', 'c'].map((id) => read({ ...search, id, workspaceId: id }, undefined, work(id)))
  await settled()

  expect(begun.length).toBeGreaterThan(slow)
  expect(usage().waiting).toBe(0)
  for (const name of ['a', 'b', 'c']) await end(name)
  await Promise.all(all)
})

test('a refusal says whose calls there are too many of', async () => {
  const { read } = openDatabaseSlots(4, { ...bounds, waitMs: 1 })
  const { work, end } = works()
  const refusedOf = (id: string, workspaceId: string, kind: 'api_key' | 'member' = 'api_key') =>
    read({ kind, id, workspaceId }, undefined, work('refused')).then(
      () => null,
      ({ message, members }: { message: string; members: Record<string, unknown> }) => [
        members['violated-policies'],
        message,
      ],
    )
  const { total, perWorkspace, perKey } = slotsFor(4)
  expect([total, perWorkspace, perKey]).toEqual([3, 2, 1])

  const all = [read(key('a', 'A'), undefined, work('a'))]
  expect(await refusedOf('a', 'A')).toEqual([['key'], expect.stringContaining('of this key')])
  all.push(read(key('b', 'A'), undefined, work('b')))
  expect(await refusedOf('c', 'A')).toEqual([['workspace'], expect.stringContaining('of the keys of this workspace')])
  all.push(read({ kind: 'member', id: 'm', workspaceId: 'A' }, undefined, work('m')))
  expect(await refusedOf('d', 'D')).toEqual([['service'], expect.stringContaining('of all workspaces together')])

  for (const name of ['a', 'b', 'm']) await end(name)
  await Promise.all(all)
})
