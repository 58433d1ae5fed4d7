// What the parts of this scenario share: workspaces with webhooks that are answered at once, and webhooks that hang.
import type { Database } from '../../product/database.ts'
import { openStage, type Seeded } from '../../product/webhook-system.ts'

export type Setting = AsyncDisposable & {
  /** 200 webhooks, of which 120 hang. */
  readonly mixed: Seeded
  /** The same without those that hang. */
  readonly well: Seeded
  /** With one that hangs, for which very many deliveries are due. */
  readonly stuck: Seeded
  /** Those that hang, with nothing that is due for them, and with very many deliveries. */
  readonly idle: Seeded
  readonly pending: Seeded
  readonly seconds: number
}

export const workspaces = 20
export const wellEach = 4
export const hangingEach = 6
export const stuckRows = 500_000
export const pendingRows = 100_000

export async function prepareSetting(seconds: number): Promise<Setting> {
  await using undo = new AsyncDisposableStack()
  const stage = undo.use(await openStage())
  const mixed = await stage.seed(workspaces, paths())
  const variant = async (...statements: readonly string[]) => undo.use(await changed(mixed, statements))
  const well = await variant(removeHanging())
  const stuck = await variant(removeHanging(1), insertDue(stuckRows))
  const [idle, pending] = [await variant(removeWell), await variant(removeWell, insertDue(pendingRows))]
  const kept = undo.move()
  return { mixed, well, stuck, idle, pending, seconds, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const paths = (): string[] => [
  ...Array.from({ length: wellEach }, (_, n) => `/${n}`),
  ...Array.from({ length: hangingEach }, (_, n) => `/hang/${n}`),
]

async function changed(seeded: Seeded, statements: readonly string[]): Promise<Seeded & AsyncDisposable> {
  const database: Database = await seeded.database.copy()
  await database.session(async (query) => {
    for (const sql of [...statements, 'ANALYZE']) await query(sql)
  })
  return { ...seeded, database, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
}

const hangs = `url LIKE '%/hang/%'`
const removeWell = `DELETE FROM webhook WHERE NOT ${hangs}`

/** All but so many. */
const removeHanging = (but = 0): string =>
  `DELETE FROM webhook WHERE ${hangs} AND id NOT IN (SELECT id FROM webhook WHERE ${hangs} ORDER BY id LIMIT ${but})`

/** As the product's ids: their time decides in which partition a row is, and a delivery is where its event is. */
const id = `overlay(gen_random_uuid()::text PLACING
  overlay(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') PLACING '-' FROM 9 FOR 0) || '-7' FROM 1 FOR 15)::uuid`

/** Shared out to the webhooks that hang; each of an event of its own, and all of them due for an hour. */
const insertDue = (rows: number): string => `
  WITH hanging AS MATERIALIZED (
    SELECT workspace_id, id, row_number() OVER (ORDER BY id) AS n, count(*) OVER () AS all FROM webhook WHERE ${hangs}
  ), written AS (
    INSERT INTO event (workspace_id, id, sequence, type, resource_id, changed_fields, body, occurred_at)
    SELECT h.workspace_id, ${id}, 1000000 + row, 'projects.created', h.id, '{}', '{}', now()
    FROM generate_series(1, ${rows}) row JOIN hanging h ON h.n = row % h.all + 1
    RETURNING workspace_id, id, resource_id, sequence
  )
  INSERT INTO delivery (workspace_id, id, event_id, event_type, webhook_id, status, origin, max_attempts, created_at, next_attempt_at)
  SELECT workspace_id, ${id}, id, 'projects.created', resource_id, 'pending', 'live', 10, now(),
         now() - interval '1 hour' + sequence * interval '1 millisecond'
  FROM written`
