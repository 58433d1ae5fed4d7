// How Postgres finds a page: the statement that the service sent, put to EXPLAIN in both ways in which a prepared
// statement is planned.
import pg from 'pg'
import type { Database, Query } from '../../product/database.ts'
import type { RecordedStatement } from '../../product/statement-recorder.ts'

type Node = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Node[]
}

/** In words; the same for both ways is said once. */
export function planOf(database: Database, { sql, values }: RecordedStatement): Promise<string> {
  return database.session(async (query) => {
    await query(`PREPARE measured AS ${sql}`)
    const given = values.map((value) => (value === null ? 'NULL' : pg.escapeLiteral(value))).join(', ')
    const custom = await explained(query, 'custom', given)
    const generic = await explained(query, 'generic', given)
    return custom === generic ? custom : `${custom}; planned once for all values: ${generic}`
  })
}

async function explained(query: Query, mode: 'custom' | 'generic', given: string): Promise<string> {
  await query(`SET plan_cache_mode = force_${mode}_plan`)
  const [row] = await query<{ 'QUERY PLAN': [{ Plan: Node }] }>(`EXPLAIN (FORMAT JSON) EXECUTE measured (${given})`)
  return row === undefined ? 'none' : inWords(row['QUERY PLAN'][0].Plan)
}

/** The way to the rows of `task`, and whether what it gives has to be sorted. */
function inWords(plan: Node): string {
  const [looking, ...above] = wayTo('task', plan)
  if (looking === undefined) return 'no look at tasks'
  const sorted = above.some((node) => node['Node Type'].endsWith('Sort')) ? ', then a sort' : ''
  return [looking, ...(looking.Plans ?? [])].map(scan).join(' over ') + sorted
}

function scan(node: Node): string {
  const { 'Node Type': type, 'Index Name': index, 'Index Cond': condition = '' } = node
  if (index === undefined) return type
  // A comparison of rows in the condition: the index is entered where the page begins.
  return `${type} on \`${index}\`${condition.includes('ROW(') ? ' from the cursor on' : ''}`
}

/** From the table's node upwards; none where the plan has no such table. */
function wayTo(table: string, node: Node): Node[] {
  if (node['Relation Name'] === table) return [node]
  for (const child of node.Plans ?? []) {
    const way = wayTo(table, child)
    if (way.length > 0) return [...way, node]
  }
  return []
}
