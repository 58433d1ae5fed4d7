// Two workspaces with a long history, by SQL: the one that is asked, and a neighbour of the same size, whose rows stand
// between its own. Triggers and foreign keys are left out.
import type { Database, Query } from '../../product/database.ts'

export type History = {
  readonly workspaceId: string
  readonly neighbourId: string
  /** Events, and as many audit entries, of each. */
  readonly rows: number
}

/** By what they have done or have been the object of: half of everything, a thousandth, and a few. */
export const half = '01900000-0000-7000-8000-00000000000a'
export const some = '01900000-0000-7000-8000-00000000000b'
export const few = '01900000-0000-7000-8000-00000000000c'
/** A tenth was done by this person. */
export const person = '01900000-0000-7000-8000-00000000000d'
/** A request of a thousand changes. */
export const largeRequest = 'large-request'
/** In every fifth body and entry, and in four of all. */
export const [frequentText, rareText] = ['Quarterly', 'needle']

/** Rows in one statement: the two workspaces take turns. */
const chunkRows = 10_000

export const fillHistory = (database: Database, { workspaceId, neighbourId, rows }: History): Promise<void> =>
  database.session(async (query) => {
    await query('SET session_replication_role = replica')
    await query('SET synchronous_commit = off')
    for (let made = 0; made < rows; made += chunkRows)
      for (const id of [workspaceId, neighbourId])
        await fillChunk(query, [id, made + 1, Math.min(rows, made + chunkRows)])
    for (const id of [workspaceId, neighbourId]) {
      await query('UPDATE event_sequence SET last = $2::int WHERE workspace_id = $1', [id, base + rows])
      await query('UPDATE audit_chain SET last_number = $2::int WHERE workspace_id = $1', [id, base + rows])
    }
    await query('RESET session_replication_role')
    await query('VACUUM (ANALYZE)')
  })

async function fillChunk(query: Query, values: readonly unknown[]): Promise<void> {
  await query(eventsText, values)
  await query(entriesText, values)
}

/** After what the product has written of the workspace itself. */
const base = 1_000
const numbers = 'generate_series($2::int, $3::int) AS n'
/** Within the days for which events are kept. */
const recorded = `(date_trunc('day', now()) - interval '20 days' + n * interval '6 seconds')`
// Ids begin with the milliseconds of their time, as the partitions of events expect.
const id = `overlay(overlay(lpad(to_hex((extract(epoch FROM ${recorded}) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0') PLACING '-' FROM 9 FOR 0) PLACING '-' FROM 14 FOR 0)::uuid`
const whose = (others: string): string =>
  `CASE WHEN n % 50000 = 7 THEN '${few}' WHEN n % 1000 = 1 THEN '${some}' WHEN n % 2 = 0 THEN '${half}' ELSE ${others} END`
const name = `CASE WHEN n % 50000 = 11 THEN '${rareText} ' WHEN n % 5 = 0 THEN '${frequentText} ' ELSE '' END || 'report ' || n`
const request = `CASE WHEN n BETWEEN 5001 AND 6000 THEN '${largeRequest}' ELSE 'r' || n / 3 END`
/** That of an event which the product has written, with a name of its own. */
const body = `replace((SELECT body FROM event WHERE workspace_id = $1 AND type = 'projects.created' ORDER BY sequence LIMIT 1), 'Project 0', ${name})`

const eventsText = `
  INSERT INTO event (workspace_id, id, sequence, type, resource_id, changed_fields, body, occurred_at, request_id, key_id, member_id)
  SELECT $1, ${id}, ${base} + n,
    CASE WHEN n % 50000 = 7 THEN 'projects.deleted' WHEN n % 2 = 0 THEN 'tasks.updated' ELSE 'documents.updated' END,
    (${whose('gen_random_uuid()::text')})::uuid, '{}', ${body}, ${recorded}, ${request},
    CASE WHEN n % 10 <> 9 THEN (${whose(`'${some}'`)})::uuid END, CASE WHEN n % 10 = 9 THEN '${person}'::uuid END
  FROM ${numbers}`
const entriesText = `
  INSERT INTO audit_entry (workspace_id, number, id, at, actor, action, surface, target, outcome, code, ip, user_agent,
    request_id, changes, count, previous_hash, hash)
  SELECT $1, ${base} + n, gen_random_uuid(), ${recorded},
    jsonb_build_object('type', 'api_key', 'id', CASE WHEN n % 10 = 9 THEN '${person}' ELSE ${whose(`'${some}'`)} END, 'name', 'Sync', 'keyPrefix', NULL),
    CASE WHEN n % 50000 = 7 THEN 'webhooks.delete' WHEN n % 2 = 0 THEN 'api-keys.update' ELSE 'members.update' END,
    CASE WHEN n % 50000 = 7 THEN 'cli' WHEN n % 2 = 0 THEN 'http' ELSE 'console' END,
    jsonb_build_object('type', 'api_key', 'id', ${whose(`'t' || n % 9973`)}, 'name', ${name}),
    CASE WHEN n % 50000 = 7 THEN 'denied' ELSE 'success' END, NULL, '192.0.2.7', 'Mozilla/5.0 (X11; Linux x86_64)',
    ${request}, '{}', 1, decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex')
  FROM ${numbers}`
