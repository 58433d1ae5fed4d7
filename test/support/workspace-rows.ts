// A workspace with a row in every table that can hold one of it, whichever tables there are: columns, types and
// references are read from the catalogue. A new table gets a row, or a test that asks for it fails and names the table.
import { v7 as uuid } from 'uuid'
import type { Database } from '#prisma/client.ts'

type Column = {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly isNeeded: boolean
  /** What it refers to, as `table.column`. */
  readonly refersTo: string | null
}

/**
 * Where a check of a table allows few values, or a row is to have more than it must. `table.column` is the value of the
 * row that was written last to that table.
 */
const given: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  member: { role: 'member', status: 'active' },
  project: { key: 'ACME', status: 'planned', priority: 'none' },
  project_former_key: { key: 'OLD' },
  task: { status: 'todo', priority: 'none' },
  task_blocker: { blocked_by_id: 'task.parent_task_id' },
  crm_entity: { kind: 'company' },
  document: { status: 'draft' },
  custom_field: { target: 'project', type: 'text' },
  audit_entry: { surface: 'system', outcome: 'success' },
  webhook: { payload: 'full', status: 'active' },
  delivery: { status: 'pending', origin: 'live', event_id: 'event.id' },
  attempt: { trigger: 'automatic', payload: 'full', outcome: 'success', delivery_id: 'delivery.id' },
  replay_job: { status: 'running' },
  job: { kind: 'export', status: 'queued' },
  file: { status: 'available', blob_id: 'file_blob.id' },
  comment: { task_id: 'task.id' },
  alarm: { kind: 'owner_added' },
  alarm_settings: { recipients: 'owners' },
  mail: { kind: 'alarms' },
}
const isReference = (value: unknown): value is string => typeof value === 'string' && /^[a-z_]+[.][a-z_]+$/.test(value)

/** Of a column that gets its value from another table's row. */
function referenceOf({ table, column, isNeeded, refersTo }: Column): string | null {
  const value = given[table]?.[column]
  return isReference(value) ? value : isNeeded ? refersTo : null
}

/** Triggers count in it. */
const first = ['workspace', 'event_sequence']

export type Filled = { readonly workspaceId: string; readonly tables: readonly string[] }

/** `accountIds`: of its members, one for each. */
export async function fillWorkspace(db: Database, accountIds: readonly string[]): Promise<Filled> {
  const workspaceId = uuid()
  const byTable = Map.groupBy(await columnsOf(db), ({ table }) => table)
  const rows = new Map<string, Readonly<Record<string, unknown>>>()
  const write = async (table: string, more: Readonly<Record<string, unknown>> = {}) => {
    const row: Record<string, unknown> = {}
    for (const column of byTable.get(table) ?? []) {
      const value = valueOf(column, more, rows, workspaceId)
      if (value !== undefined) row[column.column] = value
    }
    rows.set(table, row)
    await insert(db, table, row, byTable.get(table) ?? [])
  }
  const order = inOrder(byTable)
  for (const table of order) {
    if (table === 'member') for (const id of accountIds) await write(table, { account_id: id, email: id, name: 'Ada' })
    else await write(table)
    if (table === 'crm_entity') await write(table, { parent_company_id: rows.get(table)?.['id'] })
    if (table === 'task') await write(table, { parent_task_id: rows.get(table)?.['id'], number: 2 })
  }
  return { workspaceId, tables: order }
}

function valueOf(
  of: Column,
  more: Readonly<Record<string, unknown>>,
  rows: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
  workspaceId: string,
): unknown {
  const { table, column, type, isNeeded } = of
  if (column.endsWith('workspace_id') || (table === 'workspace' && column === 'id')) return workspaceId
  const [other = '', field = ''] = referenceOf(of)?.split('.') ?? []
  if (field !== '') return rows.get(other)?.[field]
  return more[column] ?? given[table]?.[column] ?? (isNeeded ? example(type, table) : undefined)
}

/** Of each type, what most columns take. */
function example(type: string, table: string): unknown {
  if (type === 'uuid') return uuid()
  if (type === 'text') return `${table.replaceAll('_', '-')}-${uuid().slice(-12)}`
  if (type.endsWith('[]')) return '{}'
  if (type === 'jsonb') return '{}'
  if (type === 'bytea') return `\\x${`${uuid()}${uuid()}`.replaceAll('-', '')}`
  if (type === 'boolean') return 'false'
  if (type === 'tsvector') return 'word'
  if (type === 'date') return '2026-11-27'
  return type.startsWith('timestamp') ? new Date().toISOString() : '1'
}

async function insert(
  db: Database,
  table: string,
  row: Readonly<Record<string, unknown>>,
  columns: readonly Column[],
): Promise<void> {
  const names = Object.keys(row)
  const typeOf = (name: string) => columns.find(({ column }) => column === name)?.type ?? 'text'
  const values = names.map((name, at) => `$${at + 1}::text::${typeOf(name)}`)
  const texts = names.map((name) => String(row[name]))
  // Triggers write some of them.
  await db.$executeRawUnsafe(
    `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${values.join(', ')}) ON CONFLICT DO NOTHING`,
    ...texts,
  )
}

/** Those that are referred to come before the others. */
function inOrder(byTable: ReadonlyMap<string, readonly Column[]>): string[] {
  const ordered: string[] = []
  const left = [...first, ...[...byTable.keys()].filter((table) => !first.includes(table))]
  while (left.length > 0) {
    const isReady = (table: string) =>
      (byTable.get(table) ?? []).every((column) => !left.includes(referenceOf(column)?.split('.')[0] ?? ''))
    const at = left.findIndex(isReady)
    if (at < 0) throw new Error(`No row can be written first of ${left.join(', ')}`)
    ordered.push(...left.splice(at, 1))
  }
  return ordered
}

const columnsOf = (db: Database): Promise<Column[]> =>
  db.$queryRawUnsafe(`
    SELECT c.relname::text AS table, a.attname::text AS column, format_type(a.atttypid, NULL) AS type,
      a.attnotnull AND NOT a.atthasdef AS "isNeeded", (
        SELECT f.confrelid::regclass::text || '.' || target.attname
        FROM pg_constraint f CROSS JOIN LATERAL unnest(f.conkey, f.confkey) AS pair (own, other)
        JOIN pg_attribute target ON target.attrelid = f.confrelid AND target.attnum = pair.other
        WHERE f.conrelid = c.oid AND f.contype = 'f' AND pair.own = a.attnum AND target.attname <> 'workspace_id'
          AND NOT (f.confrelid = 'workspace'::regclass) LIMIT 1
      ) AS "refersTo"
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND (c.relname = 'workspace' OR EXISTS (
        SELECT FROM pg_attribute w WHERE w.attrelid = c.oid AND w.attname ~ '(^|_)workspace_id$' AND NOT w.attisdropped))
    ORDER BY c.relname, a.attnum`)

/** All rows of all tables, each as text, by table: what is of one workspace, or all that names it anywhere. */
export async function rowsNaming(db: Database, id: string): Promise<Map<string, string[]>> {
  const tables = await db.$queryRawUnsafe<{ name: string }[]>(`
    SELECT c.relname::text AS name FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`)
  const found = new Map<string, string[]>()
  for (const { name } of tables) {
    const rows = await db.$queryRawUnsafe<{ row: string }[]>(
      `SELECT t::text AS row FROM "${name}" t WHERE t::text LIKE $1 ORDER BY 1`,
      `%${id}%`,
    )
    if (rows.length > 0)
      found.set(
        name,
        rows.map(({ row }) => row),
      )
  }
  return found
}
