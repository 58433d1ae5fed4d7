// How Postgres answers a question about a history: the very statements of the service, put to EXPLAIN (ANALYZE,
// BUFFERS) in both ways in which a prepared statement is planned. The slower one counts.
import pg from 'pg'
import type { Query } from '../../product/database.ts'
import type { RecordedStatement } from '../../product/statement-recorder.ts'

type Node = {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Relation Name'?: string
  readonly 'Actual Loops'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly Node[]
}
type Explained = { readonly Plan: Node; readonly 'Planning Time': number; readonly 'Execution Time': number }
export type Cost = { readonly ms: number; readonly pages: number; readonly ways: readonly string[] }

/** Of what is read from histories; all statements of one call together. */
const isOfHistory = ({ sql }: RecordedStatement): boolean =>
  /^\s*\(*(?:SELECT|WITH)\b/i.test(sql) && /\b"?(?:event|audit_entry)"?\b/.test(sql) && !/\bINSERT INTO\b/.test(sql)

export async function costOf(query: Query, statements: readonly RecordedStatement[]): Promise<Cost> {
  const asked = statements.filter(isOfHistory)
  const both: Cost[] = []
  for (const mode of ['custom', 'generic'] as const) {
    await query(`SET plan_cache_mode = force_${mode}_plan`)
    const costs: Cost[] = []
    for (const statement of asked) costs.push(await explained(query, statement))
    both.push({
      ms: costs.reduce((sum, { ms }) => sum + ms, 0),
      pages: costs.reduce((sum, { pages }) => sum + pages, 0),
      ways: [...new Set(costs.flatMap(({ ways }) => ways))],
    })
  }
  return both.reduce((slowest, other) => (other.ms > slowest.ms ? other : slowest))
}

async function explained(query: Query, { sql, values }: RecordedStatement): Promise<Cost> {
  await query(`PREPARE measured AS ${sql}`)
  try {
    const given = values.map((value) => (value === null ? 'NULL' : pg.escapeLiteral(value))).join(', ')
    const execute = given === '' ? 'EXECUTE measured' : `EXECUTE measured (${given})`
    const [row] = await query<{ 'QUERY PLAN': [Explained] }>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execute}`)
    if (row === undefined) throw new Error('Postgres has explained nothing')
    const { Plan: plan, 'Execution Time': ms } = row['QUERY PLAN'][0]
    const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
    return { ms, pages, ways: [...new Set(waysOf(plan))] }
  } finally {
    await query('DEALLOCATE measured')
  }
}

/** Of the tables that are read at all: an index by its name without the partition, or a scan of the table. */
function waysOf(node: Node): string[] {
  const { 'Node Type': type, 'Index Name': index, 'Relation Name': table = '' } = node
  const own =
    node['Actual Loops'] === 0
      ? []
      : index !== undefined
        ? [nameOf(index)]
        : type === 'Seq Scan'
          ? [`all of ${table}`]
          : []
  return [...own, ...(node.Plans ?? []).flatMap(waysOf)].filter((way) => !/^(?:event_sequence|audit_chain)/.test(way))
}

const nameOf = (index: string): string => index.replace(/^event_(?:first|default|\d+|y?\d{4}\w*?)_(?=\w)/, 'event_')
