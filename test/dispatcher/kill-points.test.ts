// A dispatcher is killed at each step of a delivery, and another one comes. The kill points of the service and of the
// broker are in test/system/kill-points.test.ts.
import { describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '#prisma/client.ts'
import { transact, transactMember } from '#prisma/transaction.ts'
import type { ReceivedMessage } from '#runtime/broker-consumer.ts'
import type { DispatcherOptions } from '../../dispatcher/dispatcher.ts'
import { eventually } from '../support/eventually.ts'
import { auditOf, clean } from '../support/ledger.ts'
import { startReceiver } from '../support/receiver.ts'
import { services } from '../support/services.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { openStage, type Stage } from './stage.ts'

/** Takes over from nobody, however slow the machine is; the dead wait for nothing when the test closes them. */
const doomed = { takesOverAfterMs: 600_000, drain: { sendingMs: 0, writeMs: 0 } }
const takesOverAfterMs = 0

const outcomesOf = async ({ db }: Stage) =>
  (await db.attempt.findMany({ orderBy: { number: 'asc' } })).map(({ outcome }) => outcome)

const never = new Promise<number>(() => {})

describe.skipIf(services().postgres === null).concurrent('one dispatcher is killed, another one comes', () => {
  test.each<[string, KillPoint | null, readonly string[], number]>([
    ['before the fan-out is committed', { step: 'fanOut', when: 'before' }, ['success'], 1],
    ['after that, before the ack and the send', { step: 'fanOut', when: 'after' }, ['interrupted', 'success'], 1],
    ['after it has leased a retry', { step: 'claim', when: 'after' }, ['failed', 'success'], 2],
    ['after it has loaded a retry', { step: 'load', when: 'after' }, ['failed', 'interrupted', 'success'], 2],
    ['during the request', null, ['interrupted', 'success'], 2],
    ['after the answer', { step: 'results', when: 'before' }, ['interrupted', 'success'], 2],
    ['after the result is committed', { step: 'results', when: 'after' }, ['success'], 1],
  ])(
    '%s: what is sent twice has one id and the same bytes, and the log has both',
    async (_when, point, outcomes, sent) => {
      await using stage = await openStage()
      const first = outcomes.includes('failed') ? 500 : point === null ? never : 200
      await using receiver = await startReceiver((_call, number) => (number === 1 ? first : 200))
      const webhook = await stage.webhook({ url: receiver.url })
      const [queue, victim] = [openQueue(stage.workspaceId), mortal(stage.db, point)]
      await stage.start({ db: victim.db, subscribe: queue.subscribe, ...doomed })
      const event = await stage.event()
      queue.publish(event)
      if (point === null) await receiver.count(1).then(victim.kill)
      await victim.isDead()
      await passMinute(stage)

      await stage.start({ subscribe: queue.subscribe, takesOverAfterMs })
      const { id } = await stage.becomes('delivered', event, webhook)
      await eventually(() => queue.unacked() === 0, 'the ack')

      expect(await outcomesOf(stage)).toEqual(outcomes)
      expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual(Array(sent).fill(id))
      expect(await auditOf(stage.db, receiver)).toMatchObject({ ...clean, expected: 1, delivered: 1 })
    },
  )

  test('all at once: three dispatchers at three steps, and the broker loses what it held', async () => {
    await using stage = await openStage()
    await using receiver = await startReceiver((_call, number) => (number === 1 ? never : 200))
    await stage.webhook({ url: receiver.url })
    for (const point of [null, { step: 'fanOut', when: 'before' }, { step: 'results', when: 'before' }] as const) {
      const [queue, victim] = [openQueue(stage.workspaceId), mortal(stage.db, point)]
      await stage.start({ db: victim.db, subscribe: queue.subscribe, ...doomed })
      queue.publish(await stage.event())
      if (point === null) await receiver.count(1).then(victim.kill)
      await victim.isDead()
      queue.wipe()
    }
    await stage.event()
    await passMinute(stage)

    await stage.start({ takesOverAfterMs })
    await stage.delivered(4)

    const { interrupted = [], success = [], ...others } = Object.groupBy(await outcomesOf(stage), (outcome) => outcome)
    expect([success.length, others]).toEqual([4, {}])
    // The last one that is killed may have found what the one before it left, and have begun to send that as well.
    expect([2, 3]).toContain(interrupted.length)
    const { duplicates, ...audit } = await auditOf(stage.db, receiver)
    expect(audit).toMatchObject({ ...clean, expected: 4, delivered: 4 })
    expect(duplicates).toBeOneOf([1, interrupted.length - 1])
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
    // The server of the tests may be one that never waits for its disk.
    const name = new URL(stage.url).pathname.slice(1)
    await stage.db.$executeRawUnsafe(`ALTER DATABASE "${name}" SET synchronous_commit = on`)
    const { db, close } = await openDatabase({ url: stage.url })
    const { happen, dispatcher } = await stage.start({ db })

    await stage.becomes('delivered', await happen(), webhook)

    await dispatcher.close()
    await close()
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
    notify(...(await Promise.all(Array.from({ length: 6 }, () => stage.event()))))
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

// A dispatcher that dies at a chosen step, as by SIGKILL: from that moment on nothing that it does reaches the
// database, and what its transactions have not committed is rolled back.

/** What a step is recognised by: what its transaction or statement answers. */
type Row = { claimed?: readonly unknown[]; eventBody?: string; accepted?: number; fannedOut?: number }
type Answer = { readonly accepted?: number; readonly 0?: Row }
type Step = (answer: Answer) => boolean
type Statement = (...values: unknown[]) => Promise<unknown>
const steps = {
  fanOut: (rows) => (rows[0]?.fannedOut ?? 0) > 0,
  claim: (rows) => (rows[0]?.claimed?.length ?? 0) > 0,
  load: (rows) => rows[0]?.eventBody !== undefined && rows[0].fannedOut === undefined,
  results: ({ accepted, 0: row }) => (accepted ?? row?.accepted ?? 0) > 0,
} satisfies Record<string, Step>
/** `before` its commit, or `after` it and before anybody hears of it. */
type KillPoint = { readonly step: keyof typeof steps; readonly when: 'before' | 'after' }

function mortal(db: Database, point: KillPoint | null = null) {
  const [underWay, died] = [new Set<Promise<unknown>>(), Promise.withResolvers<void>()]
  let dead = false
  const kill = () => {
    dead = true
    died.resolve()
  }

  function pass<T>(when: KillPoint['when'], answer: T): T {
    if (point?.when === when && steps[point.step](answer as Answer)) kill()
    if (dead) throw new Error('killed')
    return answer
  }
  async function ask<T>(question: () => Promise<T>): Promise<T> {
    if (dead) throw new Error('killed')
    const asked = question()
    underWay.add(asked)
    return pass('after', await asked.finally(() => underWay.delete(asked)))
  }
  type Work = Parameters<typeof transact>[1]
  const beforeCommit =
    (work: Work): Work =>
    async (tx) =>
      pass('before', await work(tx))
  const transaction = (work: Work) => ask(() => db.$transaction(beforeCommit(work)))
  const transacting = (work: Work) => ask(() => transact(db, beforeCommit(work)))

  const killable = new Proxy(db, {
    get: (target, name) => {
      if (name === '$transaction') return transaction
      if (name === transactMember) return transacting
      if (name !== '$queryRaw' && name !== '$executeRaw') return Reflect.get(target, name)
      const statement = (on: object) => (Reflect.get(on, name) as Statement).bind(on)
      // A statement of its own commits by itself: only within a transaction is there a moment before that.
      return (...values: unknown[]) =>
        point?.when === 'before'
          ? transaction((tx) => statement(tx)(...values))
          : ask(() => statement(target)(...values))
    },
  })
  /** Resolves once it is dead and Postgres has ended what it was doing. */
  const isDead = async () => {
    await died.promise
    await Promise.allSettled(underWay)
  }
  return { db: killable, kill, isDead }
}

/** A queue that has in hand what is not acked, and gives it to whoever subscribes next. */
function openQueue(workspaceId: string) {
  const unacked = new Set<string>()
  let take: ((message: ReceivedMessage) => void) | null = null
  const bodyOf = (eventId: string) => JSON.stringify([{ eventId, workspaceId }])
  const deliver = (eventId: string) =>
    take?.({ body: bodyOf(eventId), headers: {}, ack: () => void unacked.delete(eventId), reject: () => {} })
  const subscribe: DispatcherOptions['subscribe'] = async (onMessage) => {
    take = onMessage
    unacked.forEach(deliver)
    return { isConnected: () => true, close: async () => {} }
  }
  const publish = (eventId: string) => {
    unacked.add(eventId)
    deliver(eventId)
  }
  return { publish, subscribe, unacked: () => unacked.size, wipe: () => unacked.clear() }
}

/** As if the dead had been silent for a minute, so that nobody waits for that. */
async function passMinute({ db }: Stage): Promise<void> {
  await eventually(async () => (await db.dispatcherProcess.count()) > 0, 'a heartbeat')
  await db.$executeRaw`UPDATE dispatcher_process SET seen_at = seen_at - interval '1 minute'`
  await db.$executeRaw`UPDATE delivery SET sending_since = sending_since - interval '1 minute'`
}
