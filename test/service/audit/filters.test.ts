// The filters of the audit log: what each finds, that a text is taken as it is, and that a page looks through a bounded
// number of entries.
import { createSecretKey, randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { entriesLookedThroughMax, type AuditEntry } from '#contract/audit-entries.ts'
import { auditHandlers } from '../../../service/audit/operations.ts'
import { matchingNumbers, type EntryFilter } from '../../../service/audit/rows.ts'
import { pager } from '../../../service/collection/pagination.ts'
import { openCall, withoutLock } from '../../../service/execution/call.ts'
import { onEachEngine, onPostgres, sharedDatabase } from '../../support/database-engines.ts'
import { principalWith } from '../../support/principal-headers.ts'
import { startLog } from './audit-log-fixture.ts'

const whole = { above: 0, below: 1_000_000, newestFirst: true, rows: 100 }

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  /** Of four entries, and of one in another workspace that every filter would find. */
  async function fourEntries() {
    const log = await startLog(database.db)
    const [ada, key, webhook] = [uuid(), uuid(), uuid()]
    const byAda = { type: 'user', id: ada, name: 'Ada Lovelace', keyPrefix: null } as const
    const byKey = { type: 'api_key', id: key, name: '100%_sync', keyPrefix: 'wsk_abcdefgh' } as const
    const ofHook = { type: 'webhook', id: webhook, name: 'Receiver \\ A' }
    const drafts = [
      { actor: byAda, target: ofHook, action: 'webhooks.create', requestId: 'r-1' },
      { actor: byKey, target: ofHook, action: 'webhooks.update', surface: 'http', requestId: 'r-2' },
      { actor: byKey, target: null, action: 'tasks.list', outcome: 'denied', code: 'insufficient_scope' },
      { actor: byAda, target: null, action: 'sessions.create', ip: '198.51.100.7', userAgent: 'Firefox/140' },
    ] as const
    await log.write(...drafts)
    const other = await startLog(database.db)
    await other.write(...drafts)
    const found = async (filter: EntryFilter, slice = whole): Promise<number[]> =>
      (await matchingNumbers(log.db, log.workspaceId, filter, slice)).map(({ number }) => Number(number))
    return { found, ada, key, webhook }
  }

  test('each filter finds its own entries, and several together what all of them find', async () => {
    const { found, ada, key, webhook } = await fourEntries()

    for (const [filter, numbers] of [
      [{}, [4, 3, 2, 1]],
      [{ actorId: ada }, [4, 1]],
      [{ actorId: key }, [3, 2]],
      [{ targetId: webhook }, [2, 1]],
      [{ targetId: webhook, actorId: key }, [2]],
      [{ action: ['webhooks.create', 'sessions.create', 'webhooks.create'] }, [4, 1]],
      [{ action: ['webhooks.create', 'webhooks.update'], actorId: ada }, [1]],
      [{ action: ['webhooks.delete'] }, []],
      [{ outcome: 'denied' }, [3]],
      [{ surface: 'http' }, [2]],
      [{ requestId: 'r-2' }, [2]],
      [{ createdAfter: '2020-01-01T00:00:00.000Z', createdBefore: '2020-01-02T00:00:00.000Z' }, []],
    ] satisfies readonly (readonly [EntryFilter, readonly number[]])[])
      expect([filter, await found(filter)]).toEqual([filter, numbers])
  })

  test('a text is looked for as it is, whatever its case, in names, codes, addresses and ids', async () => {
    const { found, webhook } = await fourEntries()

    for (const [search, numbers] of [
      ['ADA LOVE', [4, 1]],
      ['100%_SYNC', [3, 2]],
      ['%', [3, 2]],
      ['_sync', [3, 2]],
      ['receiver \\', [2, 1]],
      ['wsk_abc', [3, 2]],
      ['insufficient', [3]],
      ['198.51.100.7', [4]],
      ['firefox', [4]],
      [webhook.slice(-20), [2, 1]],
      ['nowhere', []],
    ] as const)
      expect([search, await found({ search })]).toEqual([search, numbers])
  })

  test('both ways of the chain give the entries between two numbers, and no more rows than were asked for', async () => {
    const { found } = await fourEntries()

    expect(await found({}, { ...whole, above: 1, below: 4 })).toEqual([3, 2])
    expect(await found({}, { ...whole, newestFirst: false, rows: 3 })).toEqual([1, 2, 3])
    const action = ['webhooks.create', 'webhooks.update', 'tasks.list']
    expect(await found({ action }, { ...whole, rows: 2 })).toEqual([3, 2])
  })
})

onPostgres(() => {
  const database = sharedDatabase('postgres')

  test('a page looks through a bounded number of entries, and the next one goes on below them', async () => {
    const { db, workspaceId } = await startLog(database.db, 1)
    // Their chain is none: nothing here verifies it.
    await db.$executeRaw`
      INSERT INTO audit_entry (workspace_id, number, id, at, actor, action, surface, outcome, request_id, changes, count,
        previous_hash, hash)
      SELECT workspace_id, n, gen_random_uuid(), at, actor, 'tasks.list', surface, outcome, request_id, changes, count,
        previous_hash, hash
      FROM audit_entry, generate_series(2, ${entriesLookedThroughMax + 1}::int) n
      WHERE workspace_id = ${workspaceId}::uuid AND number = 1`
    await db.auditChain.update({
      where: { workspaceId },
      data: { lastNumber: BigInt(entriesLookedThroughMax + 1) },
    })
    const handlers = auditHandlers({
      pager: pager(createSecretKey(randomBytes(32))),
      db,
      slots: { read: async () => Promise.reject(new Error('Not asked')) },
    })
    const { call } = openCall(db, principalWith({ workspaceId }), withoutLock())
    const list = async (input: Parameters<(typeof handlers)['audit-entries.list']>[0]) => {
      const { data, page } = await handlers['audit-entries.list'](input, call)
      return { numbers: data.map(({ number }: AuditEntry) => number), ...page }
    }

    const rare = { search: 'webhooks.update' }
    const first = await list(rare)
    const second = await list({ ...rare, cursor: first.nextCursor ?? '' })
    const byAction = await list({ action: ['webhooks.update'] })

    expect(first).toMatchObject({ numbers: [], hasMore: true })
    expect(second).toMatchObject({ numbers: [1], hasMore: false, nextCursor: null })
    expect(byAction).toMatchObject({ numbers: [1], hasMore: false })
  })
})
