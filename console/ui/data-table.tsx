// A table that knows every state of a list: loading without a jump, empty, nothing that fits, failed, not permitted,
// rows.
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import css from './data-table.module.css'
import { EmptyState } from './empty-state.tsx'
import { FailureNotice } from './failure-notice.tsx'
import type { ListState, More } from './list-state.ts'
import { ChooseAllHead, ChooseCell, type Selection } from './row-selection.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'
import { TableFrame } from './table-frame.tsx'

export type Column<Row> = {
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'end'
  /** Left out where there is no room for it. */
  readonly isSecondary?: boolean
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
  readonly onClearFilter?: () => void
}

export function DataTable<Row>(props: Props<Row>): ReactNode {
  const { state, empty, onClearFilter } = props
  switch (state.kind) {
    case 'failed':
      return <FailureNotice failure={state.failure} retry={state.retry} />
    case 'forbidden':
      return <EmptyState icon="policy" title="You do not have access" text={state.detail} />
    case 'empty':
      return empty
    case 'filtered-empty':
      return <NothingFits onClearFilter={onClearFilter} />
    case 'loading':
      return <Table {...props} rows={null} />
    case 'rows':
      return (
        <>
          <Table {...props} rows={state.rows} />
          <Lacking columns={props.columns} />
          {state.more !== null && <MoreRows more={state.more} />}
        </>
      )
    default:
      return state satisfies never
  }
}

/** `rows`: null while they are to come. */
function Table<Row>({
  label,
  columns,
  selection,
  idOf,
  rows,
}: Props<Row> & { readonly rows: readonly Row[] | null }): ReactNode {
  return (
    <TableFrame label={label} isBusy={rows === null}>
      <thead>
        <tr>
          {selection && <ChooseAllHead rows={rows ?? []} idOf={idOf} selection={selection} />}
          {columns.map((column) => (
            <th key={column.head} scope="col" className={placeClass(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows === null && <SkeletonRows cells={cellsOf(columns, selection !== undefined)} />}
        {rows?.map((row) => (
          <tr key={idOf(row)} data-chosen={selection?.chosen.has(idOf(row)) || undefined}>
            {selection && <ChooseCell row={row} id={idOf(row)} selection={selection} />}
            {columns.map((column) => (
              <td key={column.head} className={cellClass(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
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
    title="No results"
    text="No items match the filters. Change or clear the filters."
    {...(onClearFilter && { action: <Button onClick={onClearFilter}>Clear filters</Button> })}
  />
)

/** Shown where the page is too narrow for all columns. */
function Lacking({ columns }: { readonly columns: readonly Column<never>[] }): ReactNode {
  const heads = columns.filter(({ isSecondary }) => isSecondary).map(({ head }) => head)
  if (heads.length === 0) return null
  return <p className={css.lacking}>Not shown on narrow screens: {heads.join(', ')}.</p>
}

const MoreRows = ({ more }: { readonly more: More }): ReactNode => (
  <div className={css.more}>
    <Button isBusy={more.isLoading} onClick={() => more.load()}>
      Show more
    </Button>
  </div>
)

/** The name of a row, which opens its details beside the list. */
export const RowButton = ({ name, onOpen }: { readonly name: string; readonly onOpen: () => void }): ReactNode => (
  <Button variant="quiet" size="small" onClick={onOpen}>
    <code>{name}</code>
  </Button>
)
