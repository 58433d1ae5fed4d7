// Background work that looks at every key, in parts and in the order of their ids: where 200,000 keys are looked at for
// a second, a part takes 20 milliseconds. One service at a time does a part, whichever comes first. After the last one
// there is a pause.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'

type KeyPosition = { readonly workspaceId: string; readonly id: string }
/** The keys after one position, up to another. */
export type KeyRange = { readonly after: KeyPosition; readonly end: KeyPosition }

const [firstId, lastId] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
const beforeAll: KeyPosition = { workspaceId: firstId, id: firstId }
export const everyKey: KeyRange = { after: beforeAll, end: { workspaceId: lastId, id: lastId } }

/** Of the key `k`. */
export const isIn = ({ after, end }: KeyRange): Prisma.Sql => Prisma.sql`
  (k.workspace_id, k.id) > (${after.workspaceId}::uuid, ${after.id}::uuid)
  AND (k.workspace_id, k.id) <= (${end.workspaceId}::uuid, ${end.id}::uuid)`

/** How often a service may ask for its turn; the lease of a part is as long. */
export const sweepEverySeconds = 3
const roundEverySeconds = 20
const keysPerPart = 2_000

/** Returns what `look` returns for the next keys, 0 when there is none, or null when it is not this service's turn. */
export async function sweepKeys(
  db: Database,
  name: string,
  look: (range: KeyRange) => Promise<number>,
  max = keysPerPart,
): Promise<number | null> {
  const [after] = await takeTurn(db, name)
  if (after === undefined) return null
  const [end] = await lastOfPart(db, after, max)
  // Before the look: a key that fails holds up none of the others.
  await moveSweep(db, name, end ?? null)
  return end === undefined ? 0 : await look({ after, end })
}

/** Returns a row when it is this service's turn: where the next part begins. */
const takeTurn = query(
  { workspaceId: column.uuid, id: column.uuid },
  (name: string) => Prisma.sql`
    INSERT INTO background_sweep AS b (name, after_workspace, after_id, next_at)
    VALUES (${name}, ${firstId}::uuid, ${firstId}::uuid, now() + ${sweepEverySeconds}::int * interval '1 second')
    ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at WHERE b.next_at <= now()
    RETURNING after_workspace AS "workspaceId", after_id AS id`,
)

const lastOfPart = query(
  { workspaceId: column.uuid, id: column.uuid },
  (after: KeyPosition, max: number) => Prisma.sql`
    SELECT part.workspace_id AS "workspaceId", part.id FROM (
      SELECT workspace_id, id FROM api_key
      WHERE (workspace_id, id) > (${after.workspaceId}::uuid, ${after.id}::uuid)
      ORDER BY workspace_id, id LIMIT ${max}::int) part
    ORDER BY part.workspace_id DESC, part.id DESC LIMIT 1`,
  [[beforeAll, 1]],
)

/** Null: behind the last key. The next round begins after a while. */
const moveSweep = command(
  (name: string, end: KeyPosition | null) => Prisma.sql`
    UPDATE background_sweep SET after_workspace = ${end?.workspaceId ?? firstId}::uuid,
      after_id = ${end?.id ?? firstId}::uuid,
      next_at = CASE WHEN ${end === null} THEN now() + ${roundEverySeconds}::int * interval '1 second' ELSE next_at END
    WHERE name = ${name}`,
  [['', null]],
)
