// Compares the rows that declared statements return in tests with their declaration: what Postgres cannot know when it
// prepares a statement (whether an expression is NULL) shows in the rows.
import { lookAtRows, type Column, type Columns, type ColumnType } from '#prisma/statements.ts'

export function compareRowsWithDeclarations(): void {
  lookAtRows((columns, rows) => {
    for (const row of rows) compare(columns, row)
  })
}

function compare(columns: Columns, row: Readonly<Record<string, unknown>>): void {
  const [declared, returned] = [Object.keys(columns).toSorted().join(), Object.keys(row).toSorted().join()]
  if (declared !== returned) throw new Error(`A statement returned the columns ${returned}, declared are ${declared}`)
  for (const [name, column] of Object.entries(columns)) {
    if (!fits(column, row[name]))
      throw new Error(`Column ${name} is declared as ${nameOf(column)}: ${String(row[name])}`)
  }
}

function fits({ type, isList, isNullable }: Column<unknown>, value: unknown): boolean {
  if (value === null) return isNullable
  if (isList) return Array.isArray(value) && value.every((one) => isOfType[type](one))
  return isOfType[type](value)
}

const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number'
const isDate = (value: unknown) => value instanceof Date
const isOfType: Readonly<Record<ColumnType, (value: unknown) => boolean>> = {
  text: isText,
  uuid: isText,
  int: isNumber,
  bigint: (value) => typeof value === 'bigint',
  float: isNumber,
  decimal: (value) => typeof value === 'object',
  bool: (value) => typeof value === 'boolean',
  time: isDate,
  day: isDate,
  json: () => true,
  bytes: (value) => value instanceof Uint8Array,
}

const nameOf = ({ type, isList, isNullable }: Column<unknown>): string =>
  `${type}${isList ? '[]' : ''}${isNullable ? ' or null' : ''}`
