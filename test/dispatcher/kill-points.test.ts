// A dispatcher is killed at each step of a delivery, and another one comes. The kill points of the service and of the
// broker are in test/system/kill-points.test.ts.
import { describe, expect, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import type { Drain } from '../../dispatcher/dispatcher.ts'
import { eventually } from '../support/eventually.ts'
import { auditOf, clean } from '../support/ledger.ts'
import { startReceiver } from '../support/receiver.ts'
import { services } from '../support/services.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { openStage, type Stage } from './stage.ts'
import { mortal, openQueue, passMinute, type KillPoint } from './victim.ts'

/** The dead wait for nothing when the test closes them. */
const drain: Drain = { sendingMs: 0, writeMs: 0 }
const takesOverAfterMs = 0

const outcomesOf = async ({ db }: Stage) =>
  (await db.attempt.findMany({ orderBy: { number: 'asc' } })).map(({ outcome }) => outcome)

const never = new Promise<number>(() => {})

describe.skipIf(services().postgres === null).concurrent('one dispatcher is killed, another one comes', () => {
  const points: readonly (KillPoint & {
    readonly name: string
    readonly outcomes: readonly string[]
    /** How often the receiver is called: once, unless said. */
    readonly sent?: number
  })[] = [
    { name: 'before the fan-out is committed', step: 'fanOut', when: 'before', outcomes: ['success'] },
    {
      name: 'after that, before the ack and the send',
      step: 'fanOut',
      when: 'after',
      outcomes: ['interrupted', 'success'],
    },
    { name: 'after it has leased a retry', step: 'claim', when: 'after', sent: 2, outcomes: ['failed', 'success'] },
    {
      name: 'after it has loaded a retry, before it sends it',
      step: 'load',
      when: 'after',
      sent: 2,
      outcomes: ['failed', 'interrupted', 'success'],
    },
    {
      name: 'after the answer, before the result is committed',
      step: 'results',
      when: 'before',
      sent: 2,
      outcomes: ['interrupted', 'success'],
    },
    { name: 'after the result is committed', step: 'results', when: 'after', outcomes: ['success'] },
  ]
  test.each(points)('$name: $outcomes', async ({ outcomes, sent = 1, ...point }) => {
    await using stage = await openStage()
    await using receiver = await startReceiver(outcomes.includes('failed') ? [500, 200] : [200])
    const webhook = await stage.webhook({ url: receiver.url })
    const [queue, victim] = [openQueue(stage.workspaceId), mortal(stage.db, point)]
    await stage.start({ db: victim.db, subscribe: queue.subscribe, drain })
    const event = await stage.event()
    queue.publish(event)
    await victim.isDead()
    await passMinute(stage)

    await stage.start({ subscribe: queue.subscribe, takesOverAfterMs })
    await stage.becomes('delivered', event, webhook)
    await eventually(() => queue.unacked() === 0, 'the ack')

    expect(await outcomesOf(stage)).toEqual(outcomes)
    expect(receiver.calls).toHaveLength(sent)
    expect(await auditOf(stage.db, receiver)).toMatchObject({ ...clean, expected: 1, delivered: 1 })
  })

  test('during the request: sent twice with one id and the same bytes, and the log has both', async () => {
    await using stage = await openStage()
    await using receiver = await startReceiver((_call, number) => (number === 1 ? never : 200))
    const webhook = await stage.webhook({ url: receiver.url })
    const [queue, victim] = [openQueue(stage.workspaceId), mortal(stage.db)]
    await stage.start({ db: victim.db, subscribe: queue.subscribe, drain })
    const event = await stage.event()
    queue.publish(event)
    await receiver.count(1)
    victim.kill()
    await victim.isDead()
    await passMinute(stage)

    await stage.start({ subscribe: queue.subscribe, takesOverAfterMs })
    const { id } = await stage.becomes('delivered', event, webhook)

    expect(await outcomesOf(stage)).toEqual(['interrupted', 'success'])
    expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual([id, id])
    expect(await auditOf(stage.db, receiver)).toMatchObject({ ...clean, delivered: 1, duplicates: 0, interrupted: 1 })
  })

  test('all at once: three dispatchers at three steps, and the broker loses what it held', async () => {
    await using stage = await openStage()
    await using receiver = await startReceiver((_call, number) => (number === 1 ? never : 200))
    await stage.webhook({ url: receiver.url })
    for (const point of [null, { step: 'fanOut', when: 'before' }, { step: 'results', when: 'before' }] as const) {
      const [queue, victim] = [openQueue(stage.workspaceId), mortal(stage.db, point)]
      await stage.start({ db: victim.db, subscribe: queue.subscribe, drain })
      queue.publish(await stage.event())
      if (point === null) await receiver.count(1).then(victim.kill)
      await victim.isDead()
      queue.wipe()
    }
    await stage.event()
    await passMinute(stage)

    await stage.start({ takesOverAfterMs })
    await stage.delivered(4)

    expect((await outcomesOf(stage)).toSorted()).toEqual(['interrupted', 'interrupted', ...Array(4).fill('success')])
    expect(await auditOf(stage.db, receiver)).toMatchObject({ ...clean, expected: 4, delivered: 4, duplicates: 1 })
  })

  test('Postgres dies: whatever is sent is on its disk before, at a fan-out and at a retry', async () => {
    await using stage = await openStage()
    await using receiver = await startReceiver([500, 200])
    const webhook = await stage.webhook({ url: receiver.url })
    await stage.db.$executeRaw`CREATE TABLE sending (synchronous_commit text)`
    await stage.db.$executeRawUnsafe(`CREATE FUNCTION note_sending() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO sending VALUES (current_setting('synchronous_commit'));
      RETURN NULL;
    END $$`)
    await stage.db.$executeRaw`
      CREATE CONSTRAINT TRIGGER sending AFTER INSERT OR UPDATE OF sending_since ON delivery DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.sending_since IS NOT NULL) EXECUTE FUNCTION note_sending()`
    const { happen } = await stage.start()

    await stage.becomes('delivered', await happen(), webhook)

    const waits = { synchronous_commit: 'on' }
    expect(await stage.db.$queryRaw`SELECT synchronous_commit FROM sending`).toEqual([waits, waits])
  })

  test('Postgres goes away with results in hand: they are written when it is back, and nothing is sent twice', async () => {
    await using stage = await openStage()
    await using proxy = await startTcpProxy(stage.url)
    const opened = await openDatabase({ url: proxy.url, connections: 3 })
    const answers = Promise.withResolvers<number>()
    await using receiver = await startReceiver((_call, number) => (number <= 2 ? answers.promise : 200))
    await stage.webhook({ url: receiver.url })
    const { notify, dispatcher } = await stage.start({ db: opened.db })
    const events = await Promise.all(Array.from({ length: 6 }, () => stage.event()))
    notify(...events)
    await eventually(() => stage.db.delivery.count({ where: { sendingSince: { not: null } } }), 'the first sends')
    await receiver.count(2)

    proxy.freeze()
    proxy.cut()
    answers.resolve(200)
    await eventually(() => receiver.calls.every(({ status }) => status === 200), 'both answers')
    expect(await stage.db.attempt.count()).toBe(0)
    proxy.thaw()

    await stage.delivered(6)
    await dispatcher.close()
    await opened.close()
    expect(receiver.calls).toHaveLength(6)
    expect(await auditOf(stage.db, receiver)).toMatchObject({ ...clean, expected: 6, delivered: 6, interrupted: 0 })
  })
})
