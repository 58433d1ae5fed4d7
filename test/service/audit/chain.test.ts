// The chain: appended to, guarded against changes, verified and deleted after a year; and how it is computed.
import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { append, deleteOutdatedEntries } from '../../../service/audit/rows.ts'
import { breakAtStart, chainStart, chained, follow, hashOf } from '../../../service/audit/rules.ts'
import { onEachEngine, sharedDatabase } from '../../support/database-engines.ts'
import { draftIn, makeWorkspace, startLog } from './audit-log-fixture.ts'

const daysAgo = (days: number): { at: string } => ({ at: new Date(Date.now() - days * 86_400_000).toISOString() })
const zeros = String.raw`decode(repeat('00', 32), 'hex')`

onEachEngine((kind) => {
  // Tampering reaches every log of the database: those of the tests before are done with.
  const database = sharedDatabase(kind)

  /** With an entry of each age. */
  const logOf = async (...days: readonly number[]) => {
    const log = await startLog(database.db)
    await log.write(...days.map(daysAgo))
    return log
  }

  test('an empty log and each of two logs verify separately', async () => {
    const log = await startLog(database.db)
    const other = await makeWorkspace(log.db)
    const whole = { intact: true, brokenAt: null, brokenEntry: null, reason: null, complete: true }
    expect(await log.verify()).toEqual({ ...whole, since: null, checked: 0, lastNumber: 0, lastHash: '0'.repeat(64) })

    await log.db.$transaction((tx) => append(tx, other, [draftIn(other), draftIn(other)]))
    await log.write()

    expect(await log.verify()).toMatchObject({ checked: 1, intact: true, lastNumber: 1 })
  })

  test('entries of a transaction that is rolled back are gone and leave no gap', async () => {
    const log = await startLog(database.db, 1)

    const failed = log.db.$transaction(async (tx) => {
      await append(tx, log.workspaceId, [draftIn(log.workspaceId)])
      throw new Error('rolled back')
    })

    await expect(failed).rejects.toThrow('rolled back')
    await log.write()
    expect(await log.verify()).toMatchObject({ checked: 2, intact: true, lastNumber: 2 })
  })

  test('the database refuses to change, delete or truncate entries', async () => {
    const log = await startLog(database.db, 2)

    for (const sql of [`UPDATE audit_entry SET action = 'x'`, 'DELETE FROM audit_entry', 'TRUNCATE audit_entry'])
      await expect(log.db.$executeRawUnsafe(sql)).rejects.toThrow('append-only')
    expect(await log.verify()).toMatchObject({ checked: 2, intact: true })
  })

  test.each([
    ['a changed entry', `UPDATE audit_entry SET actor = '{"id":"x"}' WHERE number = 3`, 3, 'entry_changed'],
    ['a missing entry', 'DELETE FROM audit_entry WHERE number = 3', 3, 'entry_missing'],
    ['an entry before the first', 'DELETE FROM audit_entry WHERE number = 1', 1, 'start_missing'],
    ['a cut-off end', 'DELETE FROM audit_entry WHERE number > 3', 4, 'end_mismatch'],
    ['a log that was emptied', 'DELETE FROM audit_entry', 1, 'end_mismatch'],
    ['an end that was set back', 'UPDATE audit_chain SET last_number = 3', 4, 'end_mismatch'],
    ['a forged link', `UPDATE audit_entry SET previous_hash = ${zeros} WHERE number = 3`, 3, 'entry_changed'],
    ['a forged end', `UPDATE audit_chain SET last_hash = ${zeros}`, 5, 'end_mismatch'],
  ])('verifying finds %s', async (_what, sql, brokenAt, reason) => {
    const log = await startLog(database.db, 5)

    await log.tamper(sql)

    const verdict = await log.verify()
    expect(verdict).toMatchObject({ intact: false, brokenAt, reason, complete: false })
    expect(verdict.checked).toBeLessThanOrEqual(5)
  })

  test('a verdict says since when the log was checked, and shows a broken entry as it is stored, whatever stands there', async () => {
    const log = await startLog(database.db, 3)
    const [first, second] = await log.entries()
    expect(await log.verify()).toMatchObject({ since: first?.at.toISOString(), brokenEntry: null })
    expect(await log.verify(2)).toMatchObject({ since: second?.at.toISOString() })

    await log.tamper(`UPDATE audit_entry SET actor = '[1]', action = repeat('x', 200) WHERE number = 2`)
    const changed = { at: second?.at.toISOString(), action: 'x'.repeat(80), actorName: '' }
    expect(await log.verify()).toMatchObject({ brokenAt: 2, brokenEntry: changed })
    await log.tamper('DELETE FROM audit_entry WHERE number = 2')
    expect(await log.verify()).toMatchObject({ brokenAt: 2, brokenEntry: null })
  })

  test('verifying goes on where it was left, checked against the entry before', async () => {
    const log = await startLog(database.db, 5)

    expect(await log.verify(4)).toMatchObject({ checked: 2, intact: true, complete: true, lastNumber: 5 })
    expect(await log.verify(6)).toMatchObject({ checked: 0, intact: true, complete: true, lastNumber: 5 })
    await expect(log.verify(7)).rejects.toMatchObject({ code: 'invalid_parameter' })
    await log.tamper(`UPDATE audit_entry SET hash = decode(repeat('11', 32), 'hex') WHERE number = 3`)
    expect(await log.verify(4)).toMatchObject({ checked: 0, brokenAt: 4, reason: 'link_broken' })
  })

  test('a log of many batches is checked from its first entry to its last', async () => {
    const log = await startLog(database.db, 2_100)

    expect(await log.verify()).toMatchObject({ checked: 2_100, intact: true, complete: true, lastNumber: 2_100 })
    await log.tamper(`UPDATE audit_entry SET count = 2 WHERE number = 1001`)
    expect(await log.verify()).toMatchObject({ checked: 1_000, brokenAt: 1_001, reason: 'entry_changed' })
    expect(await log.verify(1_002)).toMatchObject({ checked: 1_099, intact: true, complete: true })
  })

  test('entries are deleted after a year, oldest first, and those that are kept still verify', async () => {
    const log = await logOf(900, 500, 400, 380, 300, 1)

    expect(await deleteOutdatedEntries(log.db)).toBe(3)

    // The newest of the outdated ones is kept: it shows that those before it were outdated, too.
    expect(await log.numbers()).toEqual([4, 5, 6])
    expect(await log.verify()).toMatchObject({ checked: 3, intact: true, complete: true, lastNumber: 6 })
    expect(await deleteOutdatedEntries(log.db)).toBe(0)
  })

  test('while there is a legal hold no entry is deleted, by the clean-up or by anybody', async () => {
    const [held, other] = [await logOf(900, 500, 1), await logOf(900, 500, 1)]
    const { db, workspaceId } = held
    await db.legalHold.create({ data: { workspaceId, reason: 'Case 4711', createdAt: new Date(), createdBy: {} } })

    expect(await deleteOutdatedEntries(db)).toBe(1)

    expect([await held.numbers(), await other.numbers()]).toEqual([
      [1, 2, 3],
      [2, 3],
    ])
    await expect(db.auditEntry.deleteMany({ where: { workspaceId } })).rejects.toThrow(/append-only/)
    await db.legalHold.deleteMany()
    expect(await deleteOutdatedEntries(db)).toBe(1)
  })

  test.each([
    ['outdated ones reported late stay as long as a younger one before them', [400, 399, 364, 398, 2], [2, 3, 4, 5]],
    ['of outdated ones alone the newest is kept', [800, 700, 600], [3]],
  ])('%s, so that no gap arises, and the chain goes on', async (_rule, ages, kept) => {
    const log = await logOf(...ages)

    await deleteOutdatedEntries(log.db)
    await log.write()

    expect(await log.numbers()).toEqual([...kept, ages.length + 1])
    expect(await log.verify()).toMatchObject({ checked: kept.length + 1, intact: true })
  })

  test('deleting the start of a log that is not outdated is detected, also after the regular deletion', async () => {
    const log = await logOf(800, 700, 300, 200, 100)
    await deleteOutdatedEntries(log.db)

    await log.tamper('DELETE FROM audit_entry WHERE number < 4')

    expect(await log.verify()).toMatchObject({ intact: false, brokenAt: 3, reason: 'start_missing' })
  })
})

const workspaceId = uuid()

test('a hash is SHA-256 over the previous hash and the canonical JSON of the entry, as anybody can compute it', () => {
  const entry = chained({ ...draftIn(workspaceId), changes: { b: { to: 2, from: 1 } } }, chainStart)
  const { previousHash, hash, target, ...rest } = entry
  const inOrder = { id: target?.id, name: target?.name, type: target?.type }
  const actor = { id: 'operator', keyPrefix: null, name: 'operator', type: 'system' }
  const spelt = Object.entries({ ...rest, target: inOrder, changes: { b: { from: 1, to: 2 } }, actor })
  const json = JSON.stringify(Object.fromEntries(spelt.toSorted(([a], [b]) => (a < b ? -1 : 1))))

  expect(hash).toBe(createHash('sha256').update(Buffer.alloc(32)).update(json).digest('hex'))
  expect(previousHash).toBe('0'.repeat(64))
})

test('whatever is changed shows at its entry, or at the next one where the hash was changed with it', () => {
  const chain: ReturnType<typeof chained>[] = []
  for (let at = 0; at < 5; at += 1) chain.push(chained(draftIn(workspaceId), chain.at(-1) ?? chainStart))
  const third = chain[2]!
  const breakWith = (changed: typeof third, at = 2) => follow(chain.with(at, changed), chainStart).chainBreak

  for (const change of [
    { action: 'webhooks.delete' },
    { count: 2 },
    { at: '2026-01-01T00:00:00.000Z' },
    { actor: { ...third.actor, id: 'somebody' } },
    { changes: {} },
    { target: null },
    { workspaceId: uuid() },
    { argumentsHash: 'cd'.repeat(32) },
    { traceId: 'x' },
  ])
    expect(breakWith({ ...third, ...change })).toEqual({ entryNumber: 3, reason: 'entry_changed' })
  expect(breakWith({ ...third, number: 2 }, 1)).toEqual({ entryNumber: 2, reason: 'entry_changed' })
  const changed = { ...third, code: 'other' }
  expect(breakWith({ ...changed, hash: hashOf(changed) })).toEqual({ entryNumber: 4, reason: 'link_broken' })
})

test('the start is missing unless the oldest entry that is kept is outdated, to the millisecond', () => {
  const keptSince = new Date('2026-06-01T00:00:00Z')
  const breakAt = (ms: number) => {
    const oldest = { number: 4, at: new Date(keptSince.getTime() + ms) }
    return breakAtStart({ last: chainStart, newest: 5, oldest, keptSince })
  }

  expect([breakAt(-1), breakAt(0)]).toEqual([null, { entryNumber: 3, reason: 'start_missing' }])
})
