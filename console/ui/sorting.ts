// The order of a table: which column it follows, as the address holds it. Pure.

/** The name of a column; with a minus in front from the largest to the smallest, or the newest to the oldest. */
export type Order = string

export type Sorting = {
  /** Undefined: as the list comes. */
  readonly order: Order | undefined
  readonly onOrder: (order: Order | undefined) => void
}

export type SortedBy<Row> = {
  readonly name: string
  /** Missing where the list is sorted before it comes here. Null comes last, whichever way. */
  readonly value?: (row: Row) => string | number | null
  /** Numbers and times are looked at from the largest on. */
  readonly isDescendingFirst?: true
}
type Sortable<Row> = { readonly sort?: SortedBy<Row> | undefined }

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return collator.compare(String(one), String(other))
}

/** Rows of equal value stay in the order in which they came. */
export function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly Sortable<Row>[],
  order: Order | undefined,
): readonly Row[] {
  const value = columns.find(({ sort }) => sort !== undefined && nameIn(order) === sort.name)?.sort?.value
  if (value === undefined) return rows
  const sign = order?.startsWith('-') === true ? -1 : 1
  const valued = rows.map((row) => ({ row, by: value(row) }))
  valued.sort((one, other) => {
    if (one.by === null || other.by === null) return Number(one.by === null) - Number(other.by === null)
    return sign * compare(one.by, other.by)
  })
  return valued.map(({ row }) => row)
}

const nameIn = (order: Order | undefined): string | undefined => order?.replace(/^-/, '')

/** One way, the other way, and back to how the list comes. */
export function nextOrder({ name, isDescendingFirst }: SortedBy<never>, order: Order | undefined): Order | undefined {
  const [first, second] = isDescendingFirst ? [`-${name}`, name] : [name, `-${name}`]
  if (order === first) return second
  return order === second ? undefined : first
}

export function directionOf(name: string, order: Order | undefined): 'ascending' | 'descending' | undefined {
  if (nameIn(order) !== name) return undefined
  return order === name ? 'ascending' : 'descending'
}
