// A dispatcher that dies at a chosen step, as by SIGKILL: from that moment on nothing that it does reaches the
// database, and what its transactions have not committed is rolled back.
import type { Database } from '#prisma/client.ts'
import type { ReceivedMessage } from '#runtime/broker-consumer.ts'
import type { DispatcherOptions } from '../../dispatcher/dispatcher.ts'
import { eventually } from '../support/eventually.ts'
import type { Stage } from './stage.ts'

/** What a step is recognised by: what its transaction or statement answers. */
type Answer = {
  readonly accepted?: number
  readonly 0?: {
    readonly claimed?: readonly unknown[]
    readonly eventBody?: string
    readonly accepted?: number
    readonly fannedOut?: number
  }
}
type Step = (answer: Answer) => boolean
type Statement = (...values: unknown[]) => Promise<unknown>
const steps = {
  fanOut: (rows) => (rows[0]?.fannedOut ?? 0) > 0,
  claim: (rows) => (rows[0]?.claimed?.length ?? 0) > 0,
  load: (rows) => rows[0]?.eventBody !== undefined && rows[0].fannedOut === undefined,
  results: ({ accepted, 0: row }) => (accepted ?? row?.accepted ?? 0) > 0,
} satisfies Record<string, Step>
/** `before` its commit, or `after` it and before anybody hears of it. */
export type KillPoint = { readonly step: keyof typeof steps; readonly when: 'before' | 'after' }

export function mortal(db: Database, point: KillPoint | null = null) {
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
  const transaction = (work: (tx: object) => Promise<unknown>) =>
    ask(() => db.$transaction(async (tx) => pass('before', await work(tx))))

  const killable = new Proxy(db, {
    get: (target, name) => {
      if (name === '$transaction') return transaction
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
export function openQueue(workspaceId: string) {
  const unacked = new Set<string>()
  let take: ((message: ReceivedMessage) => void) | null = null
  const deliver = (eventId: string) =>
    take?.({
      body: JSON.stringify([{ eventId, workspaceId }]),
      ack: () => void unacked.delete(eventId),
      reject: () => {},
    })
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
export async function passMinute({ db }: Stage): Promise<void> {
  await eventually(() => db.dispatcherProcess.count(), 'a heartbeat')
  await db.$executeRaw`UPDATE dispatcher_process SET seen_at = seen_at - interval '1 minute'`
  await db.$executeRaw`UPDATE delivery SET sending_since = sending_since - interval '1 minute'`
}
