// Statements that read the changes of one object off its events.
import { Prisma } from '#prisma/generated/client.ts'
import { column, query } from '#prisma/statements.ts'

export type HistoryPosition = { readonly sequence: string; readonly place: number }
export type HistorySlice = {
  readonly types: readonly string[]
  /** Null: all. */
  readonly fields: readonly string[] | null
  readonly after: HistoryPosition | null
  readonly rows: number
}

/** Newest first, without those that did not happen; `place` is that of a field among the changes of its event. */
export const changesOf = query(
  {
    id: column.uuid,
    sequence: column.bigint,
    place: column.bigint,
    field: column.text,
    change: column.json.of<{ readonly from: unknown; readonly to: unknown }>(),
    event: column.json.of<{ readonly actor: unknown; readonly resource: { readonly version: number | null } }>(),
    changedAt: column.time.present,
  },
  (workspaceId: string, objectId: string, { types, fields, after, rows }: HistorySlice) => Prisma.sql`
    SELECT e.id, e.sequence, c.place, c.field, c.change,
           json_build_object('actor', e.body::json -> 'actor', 'resource', e.body::json -> 'resource') AS event,
           e.occurred_at AS "changedAt"
    FROM event e CROSS JOIN LATERAL json_each(e.body::json -> 'changes') WITH ORDINALITY AS c (field, change, place)
    WHERE e.workspace_id = ${workspaceId}::uuid AND e.resource_id = ${objectId}::uuid AND e.type = ANY (${types}::text[])
      AND e.changed_fields <> '{}' AND e.origin IS DISTINCT FROM 'trigger'
      ${fields === null ? Prisma.empty : Prisma.sql`AND e.changed_fields && ${fields}::text[] AND c.field = ANY (${fields}::text[])`}
      ${after === null ? Prisma.empty : beyond(after)}
    ORDER BY e.sequence DESC, c.place LIMIT ${rows}::int`,
  [['', '', { types: [], fields: ['title'], after: { sequence: '1', place: 1 }, rows: 1 }]],
)

const beyond = ({ sequence, place }: HistoryPosition): Prisma.Sql => Prisma.sql`
  AND e.sequence <= ${sequence}::bigint AND (e.sequence < ${sequence}::bigint OR c.place > ${place}::int)`

/** When the oldest event was recorded that the workspace still has. */
export const oldestKept = query(
  { at: column.time.present },
  (workspaceId: string) => Prisma.sql`
    SELECT e.occurred_at AS at FROM event_sequence s JOIN event e ON e.workspace_id = s.workspace_id AND e.sequence > s.expired
    WHERE s.workspace_id = ${workspaceId}::uuid ORDER BY e.sequence LIMIT 1`,
)
