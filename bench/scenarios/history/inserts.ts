// What the indexes of actors cost the insert of an event: the service's own statement, again and again with a new id,
// on two copies of the filled database, of which one lacks them. Commits wait for no disk: only the work itself counts.
import { randomBytes } from 'node:crypto'
import type { Row } from '../../measure/rounds.ts'
import type { Database } from '../../product/database.ts'
import type { RecordedStatement } from '../../product/statement-recorder.ts'
import type { Column } from '../../report/table.ts'
import type { Part } from '../../scenario.ts'

const insertsEach = 2_000
const warmUp = 300
const [withThem, without] = ['with both indexes', 'without']
const dropped = ['event_workspace_id_key_id_sequence_idx', 'event_workspace_id_member_id_sequence_idx']

const columns: readonly Column[] = [
  { figure: 'p50Us', title: 'p50 µs/insert', digits: 0, compared: true },
  { figure: 'meanUs', title: 'mean µs/insert', digits: 0, compared: true },
]

export async function insertParts(
  filled: Database,
  insert: RecordedStatement,
  undo: AsyncDisposableStack,
): Promise<Part> {
  const [whole, bare] = [undo.use(await filled.copy()), undo.use(await filled.copy())]
  await bare.session(async (query) => {
    for (const index of dropped) await query(`DROP INDEX ${index}`)
  })
  return {
    title: 'An insert of an event',
    about: `By an API key, with the update of the workspace's sequence and the row of the outbox, as the service sends it; one after the other on one connection, ${insertsEach.toLocaleString('en-US')} in each round, \`synchronous_commit\` off.`,
    columns,
    rows: [row(without, bare, insert), row(withThem, whole, insert)],
    peer: without,
    goals: [],
  }
}

const row = (name: string, database: Database, { sql, values }: RecordedStatement): Row => ({
  name,
  measure: () =>
    database.session(async (query) => {
      await query('SET synchronous_commit = off')
      const former = idIn(values)
      const taken: number[] = []
      for (let n = 0; n < warmUp + insertsEach; n++) {
        const id = newId()
        const given = values.map((value) => value?.replaceAll(former, id) ?? null)
        const begun = process.hrtime.bigint()
        await query(sql, given)
        if (n >= warmUp) taken.push(Number(process.hrtime.bigint() - begun) / 1_000)
      }
      const sorted = taken.toSorted((a, b) => a - b)
      return {
        p50Us: sorted[Math.floor(sorted.length / 2)] ?? null,
        meanUs: taken.reduce((sum, us) => sum + us, 0) / taken.length,
      }
    }),
})

/** The event's: the only value that is a list of ids with this id alone in it. */
function idIn(values: readonly (string | null)[]): string {
  const [, id] =
    values.map((value) => /^\{"?([\da-f-]{36})"?\}$/.exec(value ?? '')).find((match) => match !== null) ?? []
  if (id === undefined) throw new Error('The statement has no id of an event')
  return id
}

/** As the service makes them: by time, so that they end up in one place of the index. */
function newId(): string {
  const hex =
    Date.now().toString(16).padStart(12, '0') +
    '7' +
    randomBytes(10).toString('hex').slice(0, 3) +
    '8' +
    randomBytes(8).toString('hex').slice(0, 15)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
