// The end of a dispatcher that still has requests in flight, and what its leases are for.
import { expect, test } from 'vitest'
import { startDispatcher, type DispatcherOptions } from '../../dispatcher/dispatcher.ts'
import { leaseSeconds } from '../../dispatcher/queue/leases.ts'
import { onEachEngine } from '../support/database-engines.ts'
import { eventually } from '../support/eventually.ts'
import { auditOf, clean } from '../support/ledger.ts'
import { startReceiver } from '../support/receiver.ts'
import { openStage } from './stage.ts'

const never = new Promise<number>(() => {})

onEachEngine((kind) => {
  test('what still hangs at the end of the drain is cut off, logged as interrupted, not counted, and free at once', async () => {
    await using stage = await openStage(kind)
    await using receiver = await startReceiver((_call, number) => (number <= 2 ? never : 200))
    await stage.webhook({ url: receiver.url })
    const { notify, acked, dispatcher } = await stage.start({ drain: { sendingMs: 100, writeMs: 1_000 } })
    const events = await Promise.all(Array.from({ length: 5 }, () => stage.event()))
    notify(...events)
    await receiver.count(2)
    await eventually(() => acked.length === 5, 'the acks')

    const closed = dispatcher.close()
    expect(dispatcher.isClosing()).toBe(true)
    await closed

    expect(await stage.db.delivery.count({ where: { leaseOwner: null, sendingSince: null, tries: 0 } })).toBe(5)
    expect(await stage.db.attempt.findMany()).toMatchObject(
      Array.from({ length: 2 }, () => ({ number: 1, outcome: 'interrupted', errorCode: 'interrupted' })),
    )
    expect(await stage.db.webhookHealth.count()).toBe(0)
    expect(receiver.calls).toHaveLength(2)

    await stage.start()
    const all = () => stage.db.delivery.count({ where: { status: 'delivered' } })
    await eventually(async () => (await all()) === 5, 'all delivered')
    expect(await auditOf(stage.db, receiver)).toMatchObject({ ...clean, delivered: 5, duplicates: 0, interrupted: 2 })
  })
})

test('a send that may take longer than its lease is refused at the start', async () => {
  const options = { sendTimeoutMs: leaseSeconds * 1_000 } as DispatcherOptions
  await expect(startDispatcher(options)).rejects.toThrow('sendTimeoutMs')
})
