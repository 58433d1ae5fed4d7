// A backlog that waits in the broker: made while the dispatchers are frozen, or before there are any, and worked off by
// them, measured from a fifth of it to nineteen twentieths: its start and its end do not count.
import { setTimeout as after } from 'node:timers/promises'
import { cpuMicros, perOne } from '../measure/cpu.ts'
import { runProgram } from '../measure/program.ts'
import { connections, graceMs } from '../measure/requests.ts'
import { until } from '../measure/wait-until.ts'
import type { Plan as Load, Result as Loaded } from '../programs/load.ts'
import type { Sample } from '../report/table.ts'
import { waitingMessages } from './broker.ts'
import { creates, type Seeded, type System } from './webhook-system.ts'

/** After a longer time the broker closes the connection of a frozen dispatcher. */
const frozenSecondsMax = 12
/** Without dispatchers there is no such bound. */
const fillSecondsMax = 180
const queueStillMs = 500
const drainWithinMs = 150_000

type Size = { readonly events: number; readonly deliveriesEach: number }

/** Resolves to how many deliveries there are to make. */
export async function freezeAndFill(seeded: Seeded, system: System, size: Size): Promise<number> {
  system.dispatchers.forEach(({ pid }) => process.kill(pid, 'SIGSTOP'))
  return fill(seeded, system, size, frozenSecondsMax)
}

/** Of a system that has no dispatcher yet. Resolves to how many deliveries there are to make. */
export const fillBefore = (seeded: Seeded, system: System, size: Size): Promise<number> =>
  fill(seeded, system, size, fillSecondsMax)

/** The service is stopped afterwards. */
async function fill(seeded: Seeded, system: System, { events, deliveriesEach }: Size, secondsMax: number) {
  const made = await createAtOnce(seeded, system, events, secondsMax)
  await allInBroker(seeded)
  await system.service.stop()
  await seeded.receiver.forget()
  return made * deliveriesEach
}

/** Creates so many projects, as fast as it goes, and waits for their deliveries. */
export async function warmUp(seeded: Seeded, system: System, { events, deliveriesEach }: Size): Promise<void> {
  const made = await createAtOnce(seeded, system, events, frozenSecondsMax)
  await seeded.receiver.reached(made * deliveriesEach, drainWithinMs)
}

export async function drained(
  { receiver }: Pick<Seeded, 'receiver'>,
  system: Pick<System, 'database' | 'dispatchers'>,
  deliveries: number,
): Promise<Sample> {
  system.dispatchers.forEach(({ pid }) => process.kill(pid, 'SIGCONT'))
  await receiver.reached(deliveries * 0.2, drainWithinMs)
  const sessions = await system.database.backends()
  const first = await reading(receiver, system, sessions)
  await receiver.reached(deliveries * 0.95, drainWithinMs)
  const last = await reading(receiver, system, sessions)
  await receiver.reached(deliveries, drainWithinMs)
  const per = (figure: 'cpu' | 'postgres' | 'wal') => perOne(first[figure], last[figure], last.count - first.count)
  return {
    perSecond: ((last.count - first.count) * 1_000) / (last.at - first.at),
    cpu: per('cpu'),
    postgres: per('postgres'),
    walBytes: per('wal'),
  }
}

async function createAtOnce(seeded: Seeded, { service }: System, count: number, seconds: number): Promise<number> {
  const plan: Load = { url: service.url, targets: creates(seeded), expect: 201, connections, seconds, count }
  return (await runProgram<Loaded>('load', 'load', plan, seconds * 1_000 + graceMs)).done
}

/** Under load one message holds many events: all are there when the queue has stopped growing. */
async function allInBroker({ deployment }: Seeded): Promise<void> {
  let before = -1
  await until('the queue to stop growing', 10_000, async () => {
    await after(queueStillMs)
    const now = await waitingMessages(deployment)
    const stopped = now === before
    before = now
    return stopped ? true : null
  })
}

async function reading(
  receiver: Seeded['receiver'],
  { database, dispatchers }: Pick<System, 'database' | 'dispatchers'>,
  sessions: readonly number[],
) {
  const [count, at] = [await receiver.count(), performance.now()]
  const { wal } = await database.look<{ wal: number }>(`SELECT (pg_current_wal_lsn() - '0/0')::float8 AS wal`)
  return { at, count, cpu: cpuMicros(dispatchers.map(({ pid }) => pid)), postgres: cpuMicros(sessions), wal }
}
