// A test file fails when the product has sent a statement in it that is bound to no workspace.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkAfterEachFile } from '../checks-after-each-file.ts'
import { allowedStatements } from './allowed-statements.ts'
import { unscopedTables } from './unscoped-tables.ts'
import { sent } from './sent-statements.ts'

const schema = join(import.meta.dirname, '../../../prisma/schema')

/** The tables that have a column `workspace_id`. */
function tenantTables(): ReadonlySet<string> {
  const files = readdirSync(schema).map((name) => readFileSync(join(schema, name), 'utf8'))
  const models = files.flatMap((file) => file.split(/^model /m).slice(1))
  const ofTenants = models.filter((model) => /@map\("workspace_id"\)/.test(model))
  return new Set(ofTenants.map((model) => /@@map\("(\w+)"\)/.exec(model)?.[1] ?? ''))
}

/** Statements that an earlier file has sent are not looked at again. */
const checked = new Set<string>()

function refuseUnscoped(tables: ReadonlySet<string>): void {
  const flaws = [...sent].flatMap(([sql, asker]) => {
    if (checked.has(sql)) return []
    checked.add(sql)
    const reached = unscopedTables(sql, tables)
    if (reached.length === 0 || allowedStatements.some(([from, like]) => from === asker && like.test(sql))) return []
    return [`${reached.join(', ')}, asked by ${asker ?? 'a transaction'}:\n${sql.trim()}`]
  })
  if (flaws.length > 0) throw new Error(`Bound to no workspace:\n\n${flaws.join('\n\n')}`)
}

/** Checks after all tests of each file, from then on. */
export function watchStatements(): void {
  const tables = tenantTables()
  checkAfterEachFile(() => refuseUnscoped(tables))
}
