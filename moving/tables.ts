// The tables as the database itself describes them: their columns, and an order in which every row finds the rows that
// it refers to. What is said here by name is what the database cannot say: which rows stay behind, and which come by
// themselves.
import type { Session } from '#prisma/sql-session.ts'

export type Table = {
  readonly name: string
  readonly columns: readonly string[]
  /** The primary key, by which rows are put in order. Texts are compared by their bytes, on which databases agree. */
  readonly key: readonly KeyColumn[]
  /** Columns that refer to other rows of the same table. They are written when all rows are there. */
  readonly links: readonly string[]
  /** Triggers write its rows with the rows that they are made of: they are counted, and not carried. */
  readonly isDerived: boolean
}
type KeyColumn = { readonly name: string; readonly isText: boolean }

/** A whole installation, or one of its workspaces. */
export type Scope = { readonly workspaceId: string | null }

export const isWorkspaceId = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)

/**
 * Of processes that run, and of callers who are connected to them or on their way to the provider of sign-in; and the
 * log of calls and the emails that wait, which were those of the old installation.
 */
const transient = [
  'dispatcher_process',
  'delivery_watch',
  'delivery_change',
  'sign_in_flow',
  'factor_challenge',
  'api_call',
  'mail',
  'background_sweep',
]
const ofDatabase = ['_prisma_migrations', 'installation_import']
const derived = new Set(['project_search', 'task_search', 'crm_entity_search', 'document_search', 'external_id'])
/** Links of the old installation, which leads to an account there. */
const notOfWorkspace = ['invitation']
/** Holds counts that triggers raise with each row of other tables, where it is there. */
const last = 'event_sequence'

type Found = Omit<Table, 'links' | 'isDerived'> & { readonly isOfWorkspaces: boolean }
type Reference = { readonly from: string; readonly to: string; readonly columns: readonly string[] }

/** In the order in which their rows can be written. */
export async function readTables(session: Session, { workspaceId }: Scope): Promise<Table[]> {
  const left = new Set([...ofDatabase, ...transient, ...(workspaceId === null ? [] : notOfWorkspace)])
  const all = (await session.query<{ table: string }>(tablesOfSchema)).map(({ table }) => JSON.parse(table) as Found)
  const found = all.filter(({ name, isOfWorkspaces }) => !left.has(name) && (workspaceId === null || isOfWorkspaces))
  const links = await session.query<{ link: string }>(references)
  return inOrder(
    found,
    links.map(({ link }) => JSON.parse(link) as Reference),
  )
}

/** Throws where two tables refer to each other. */
function inOrder(found: readonly Found[], all: readonly Reference[]): Table[] {
  const waiting = new Map(found.map((table) => [table.name, table]))
  const ordered: Table[] = []
  while (waiting.size > 0) {
    const next = [...waiting.values()].find(
      ({ name }) =>
        (name !== last || waiting.size === 1) &&
        all.every(({ from, to }) => from !== name || to === name || !waiting.has(to)),
    )
    if (next === undefined) throw new Error(`Tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}`)
    const { isOfWorkspaces: _, ...table } = next
    ordered.push({ ...table, links: linksOf(next, all), isDerived: derived.has(next.name) })
    waiting.delete(next.name)
  }
  return ordered
}

function linksOf({ name, key }: Found, all: readonly Reference[]): string[] {
  const columns = all.filter(({ from, to }) => from === name && to === name).flatMap((each) => each.columns)
  return [...new Set(columns)].filter((column) => !key.some((each) => each.name === column)).toSorted()
}

const inSchema = `(SELECT oid FROM pg_namespace WHERE nspname = current_schema())`

const tablesOfSchema = `
  SELECT json_build_object('name', c.relname, 'columns',
    (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''),
    'key',
    (SELECT json_agg(json_build_object('name', a.attname, 'isText', a.atttypid = 'text'::regtype) ORDER BY k.at)
      FROM pg_index i CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY k (number, at)
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
      WHERE i.indrelid = c.oid AND i.indisprimary),
    'isOfWorkspaces', c.relname IN ('workspace', 'api_key_workspace') OR EXISTS (SELECT FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped)
  )::text AS table
  FROM pg_class c
  WHERE c.relnamespace = ${inSchema} AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY c.relname`

/** What partitions refer to, their tables refer to. */
const references = `
  SELECT DISTINCT jsonb_build_object('from', one.relname, 'to', other.relname, 'columns',
    (SELECT jsonb_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = f.conrelid AND a.attnum = ANY (f.conkey))
  )::text AS link
  FROM pg_constraint f
  JOIN pg_class one ON one.oid = coalesce((SELECT inhparent FROM pg_inherits WHERE inhrelid = f.conrelid), f.conrelid)
  JOIN pg_class other ON other.oid = coalesce((SELECT inhparent FROM pg_inherits WHERE inhrelid = f.confrelid), f.confrelid)
  WHERE f.contype = 'f' AND f.connamespace = ${inSchema}`

/** Behind WHERE. */
export function rowsIn({ name }: Pick<Table, 'name'>, { workspaceId }: Scope): string {
  if (workspaceId === null) return 'true'
  if (!isWorkspaceId(workspaceId)) throw new Error('A workspace is named by its id')
  if (name === 'workspace') return `id = '${workspaceId}'`
  if (name === 'api_key_workspace') return `home_workspace_id = '${workspaceId}' AND workspace_id = '${workspaceId}'`
  return `workspace_id = '${workspaceId}'`
}

/** People are of their installation: the members of a workspace that moves alone are linked to no account. */
export const isLeftOut = ({ name }: Pick<Table, 'name'>, column: string, { workspaceId }: Scope): boolean =>
  workspaceId !== null && name === 'member' && column === 'account_id'
