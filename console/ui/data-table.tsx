// A table that knows every state of a list: loading without a jump, empty, nothing that fits, failed, not permitted,
// rows.
import type { Key, ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import css from './data-table.module.css'
import { DottedName } from './dotted-name.tsx'
import { EmptyState } from './empty-state.tsx'
import { FailureNotice } from './failure-notice.tsx'
import type { ListState, More } from './list-state.ts'
import { ChooseAllHead, ChooseCell, type Selection } from './row-selection.tsx'
import { useDrawnRows } from './drawn-rows.ts'
import { useFittingColumns, type FittingColumns } from './fitting-columns.ts'
import { SkeletonRows } from './skeleton-rows.tsx'
import { SortHead } from './sort-head.tsx'
import { sortedRows, type SortedBy, type Sorting } from './sorting.ts'
import { TableFrame } from './table-frame.tsx'
import { texts } from './texts.tsx'

export type Column<Row> = {
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'end'
  /** Left out where there is no room for it. */
  readonly isSecondary?: boolean
  /** What it holds also stands in another column where it is left out. */
  readonly isShownElsewhere?: boolean
  /** Of a long table, whose columns are of one width otherwise. */
  readonly width?: string
  readonly sort?: SortedBy<Row>
}
type Props<Row> = {
  /** The name of the table for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly state: ListState<Row>
  readonly idOf: (row: Row) => string
  /** Shown where there is nothing at all: what would be here, and how it comes here. */
  readonly empty: ReactNode
  readonly selection?: Selection<Row>
  /** Columns with a `sort` can be sorted by. */
  readonly sorting?: Sorting
  /** How many rows there are stands below them. */
  readonly isCounted?: boolean
  readonly onClearFilter?: () => void
}

export function DataTable<Row>(props: Props<Row>): ReactNode {
  const { state, empty, onClearFilter } = props
  switch (state.kind) {
    case 'failed':
      return <FailureNotice failure={state.failure} retry={state.retry} />
    case 'forbidden':
      return <EmptyState icon="policy" title={texts.youDoNotHaveAccess} text={state.detail} />
    case 'empty':
      return empty
    case 'filtered-empty':
      return <NothingFits onClearFilter={onClearFilter} />
    case 'loading':
      return <FittedTable {...props} rows={null} />
    case 'rows':
      return (
        <>
          <FittedTable
            {...props}
            rows={sortedRows(state.rows, props.columns, props.sorting?.order)}
            more={state.more}
          />
          {props.isCounted && <p className={css.count}>{countText(state)}</p>}
          {state.more !== null && <MoreRows more={state.more} />}
        </>
      )
    default:
      return state satisfies never
  }
}

/** `rows`: null while they are to come. */
type TableProps<Row> = Props<Row> & { readonly rows: readonly Row[] | null; readonly more?: More | null }

/** With the columns for which there is room; the others are named below it. */
function FittedTable<Row>(props: TableProps<Row>): ReactNode {
  const { columns, rows } = props
  const { frame, leftOut, isTight } = useFittingColumns(rows?.length ?? 0)
  const secondary = columns.filter(({ isSecondary }) => isSecondary)
  return (
    <>
      <Table {...props} frame={frame} isTight={isTight} columns={columns.filter(({ head }) => !leftOut.has(head))} />
      {rows !== null && <Lacking columns={secondary} className={css.allLacking} />}
      {rows !== null && <Lacking columns={secondary.filter(({ head }) => leftOut.has(head))} className={css.lacking} />}
    </>
  )
}

function Table<Row>(props: TableProps<Row> & Pick<FittingColumns, 'frame' | 'isTight'>): ReactNode {
  const { label, columns, selection, sorting, idOf, rows, more = null, frame, isTight } = props
  const { drawn, body, measured, ...focus } = useDrawnRows(rows?.length ?? 0)
  const isWhole = drawn === null
  // With the head; -1 says that there are more than are known.
  const rowCount = more === null ? (rows?.length ?? 0) + 1 : -1
  const row = (each: Row, at: number): ReactNode => (
    <tr
      key={idOf(each)}
      data-chosen={selection?.chosen.has(idOf(each)) || undefined}
      {...(!isWhole && { ref: measured, 'data-index': at, 'aria-rowindex': at + 2 })}
    >
      {selection && <ChooseCell row={each} id={idOf(each)} selection={selection} />}
      {columns.map((column) => (
        <td key={column.head} className={cellClass(column)}>
          {column.cell(each)}
        </td>
      ))}
    </tr>
  )
  return (
    <TableFrame ref={frame} label={label} isTight={isTight} isBusy={rows === null} {...(!isWhole && { rowCount })}>
      <thead>
        <tr {...(!isWhole && { 'aria-rowindex': 1 })}>
          {selection && <ChooseAllHead rows={rows ?? []} idOf={idOf} selection={selection} />}
          {columns.map((column) => (
            <Head key={column.head} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <tbody ref={body} {...focus}>
        {rows === null && <SkeletonRows cells={cellsOf(columns, selection !== undefined)} />}
        {isWhole
          ? rows?.map(row)
          : drawn.map((each, place) =>
              each.kind === 'row'
                ? rows?.[each.at] !== undefined && row(rows[each.at]!, each.at)
                : gap(`gap ${place}`, each.height),
            )}
      </tbody>
    </TableFrame>
  )
}

/** In place of rows that are not drawn. One cell: one that spans columns would make room for those left out. */
const gap = (key: Key, height: number): ReactNode => (
  <tr key={key} className={css.gap}>
    <td aria-hidden="true" style={{ height }} />
  </tr>
)

function Head<Row>({
  column,
  sorting,
}: {
  readonly column: Column<Row>
  readonly sorting: Sorting | undefined
}): ReactNode {
  const { head, sort, width } = column
  if (sort !== undefined && sorting !== undefined)
    return <SortHead head={head} sort={sort} sorting={sorting} className={placeClass(column)} />
  return (
    <th scope="col" className={placeClass(column)} style={{ width }}>
      {head}
    </th>
  )
}

function countText({ rows, more, of = rows.length }: Extract<ListState<unknown>, { kind: 'rows' }>): string {
  const count = rows.length.toLocaleString('en')
  if (of > rows.length) return texts.ofResults(count, of.toLocaleString('en'))
  if (more !== null) return texts.firstResults(count)
  return rows.length === 1 ? texts.oneResult : texts.results(count)
}

type Place = Pick<Column<never>, 'align' | 'isSecondary'>

const placeClass = ({ align, isSecondary }: Place): string =>
  classNames(align === 'end' && css.end, isSecondary && css.secondary)

/** The cells of a row. */
const cellsOf = (columns: readonly Column<never>[], isSelectable: boolean) => [
  ...(isSelectable ? [{ head: '', className: cellClass({}) }] : []),
  ...columns.map((column) => ({ head: column.head, className: cellClass(column) })),
]

const cellClass = (place: Place): string => classNames(css.cell, placeClass(place))

const NothingFits = ({ onClearFilter }: { readonly onClearFilter: (() => void) | undefined }): ReactNode => (
  <EmptyState
    icon="filter"
    title={texts.noResults}
    text={texts.noItemsMatchTheFilters}
    {...(onClearFilter && { action: <Button onClick={onClearFilter}>{texts.clearFilters}</Button> })}
  />
)

/** Names columns that are left out. */
function Lacking({
  columns,
  className,
}: {
  readonly columns: readonly Column<never>[]
  readonly className: string | undefined
}): ReactNode {
  const heads = columns.filter(({ isShownElsewhere }) => !isShownElsewhere).map(({ head }) => head)
  if (heads.length === 0) return null
  return <p className={className}>{texts.notShownForLackOfSpace(heads.join(', '))}</p>
}

const MoreRows = ({ more }: { readonly more: More }): ReactNode => (
  <div className={css.more}>
    <Button isBusy={more.isLoading} onClick={() => more.load()}>
      {texts.showMore}
    </Button>
  </div>
)

/** The name of a row, which opens its details beside the list. */
export const RowButton = ({ name, onOpen }: { readonly name: string; readonly onOpen: () => void }): ReactNode => (
  <span className={css.rowButton}>
    <Button variant="quiet" size="small" onClick={onOpen}>
      <DottedName name={name} />
    </Button>
  </span>
)
