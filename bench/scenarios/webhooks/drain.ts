// A dispatcher that works off a backlog, measured from a fifth of it to nineteen twentieths: its start and its end do not
// count.
import { cpuMicros, perOne } from '../../measure/cpu.ts'
import type { Sample } from '../../report/table.ts'
import type { Setting, System } from './seeded-workspaces.ts'

export const drainWithinMs = 90_000

export async function drained(setting: Setting, system: System, deliveries: number): Promise<Sample> {
  const { database, dispatcher } = system
  const before = await database.look<Counted>(counted)
  process.kill(dispatcher.pid, 'SIGCONT')
  await setting.receiver.reached(deliveries * 0.2, drainWithinMs)
  const sessions = await database.backends()
  const first = await reading(setting, system, sessions)
  await setting.receiver.reached(deliveries * 0.95, drainWithinMs)
  const last = await reading(setting, system, sessions)
  await setting.receiver.reached(deliveries, drainWithinMs)
  // Its sessions tell the server what they have counted when they end.
  await dispatcher.stop()
  const after = await database.look<Counted>(counted)
  const per = (figure: 'cpu' | 'postgres' | 'wal') => perOne(first[figure], last[figure], last.count - first.count)
  return {
    perSecond: ((last.count - first.count) * 1_000) / (last.at - first.at),
    ...{ cpu: per('cpu'), postgres: per('postgres'), walBytes: per('wal') },
    transactions: (after.transactions - before.transactions) / deliveries,
    rows: (after.rows - before.rows) / deliveries,
  }
}

type Counted = { readonly transactions: number; readonly rows: number }
type Reading = {
  readonly at: number
  readonly count: number
  readonly cpu: number | null
  readonly postgres: number | null
  readonly wal: number
}

const counted = `SELECT xact_commit::float8 AS transactions, (tup_inserted + tup_updated + tup_deleted)::float8 AS rows
  FROM pg_stat_database WHERE datname = current_database()`

async function reading(
  { receiver }: Setting,
  { database, dispatcher }: System,
  sessions: readonly number[],
): Promise<Reading> {
  const [count, at] = [await receiver.count(), performance.now()]
  const { wal } = await database.look<{ wal: number }>(`SELECT (pg_current_wal_lsn() - '0/0')::float8 AS wal`)
  return { at, count, cpu: cpuMicros([dispatcher.pid]), postgres: cpuMicros(sessions), wal }
}
