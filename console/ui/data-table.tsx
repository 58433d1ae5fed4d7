// A table that knows every state of a list: loading without a jump, empty, nothing that fits, failed, not permitted, rows.
import { useId, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import css from './data-table.module.css'
import { EmptyState } from './empty-state.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { Checkbox } from './field.tsx'
import type { ListState, More } from './list-state.ts'

export type Column<Row> = {
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'end'
  /** Left out where there is no room for it. */
  readonly isSecondary?: boolean
}
type Selection<Row> = {
  readonly chosen: ReadonlySet<string>
  readonly onChosen: (chosen: ReadonlySet<string>) => void
  readonly nameOf: (row: Row) => string
  readonly canChoose?: (row: Row) => boolean
}
type Props<Row> = {
  /** What the table lists, for readers. */
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
      return <EmptyState icon="policy" title="You cannot see this" text={state.detail} />
    case 'empty':
      return empty
    case 'filtered-empty':
      return <NothingFits onClearFilter={onClearFilter} />
    case 'loading':
      return <Frame {...props} body={<SkeletonRows columns={columnsCount(props)} />} isBusy />
    case 'rows':
      return (
        <>
          <Frame {...props} body={<Rows {...props} rows={state.rows} />} />
          {state.more !== null && <MoreRows more={state.more} />}
        </>
      )
    default:
      return state satisfies never
  }
}

const columnsCount = <Row,>({ columns, selection }: Props<Row>): number =>
  columns.length + (selection === undefined ? 0 : 1)

function Frame<Row>({
  label,
  columns,
  selection,
  state,
  idOf,
  body,
  isBusy = false,
}: Props<Row> & { readonly body: ReactNode; readonly isBusy?: boolean }): ReactNode {
  const id = useId()
  return (
    // It scrolls where it is too wide, so a keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={css.frame} role="region" aria-labelledby={id} tabIndex={0}>
      <table className={css.table} aria-busy={isBusy || undefined}>
        <caption id={id} className={css.hidden}>
          {label}
        </caption>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={css.check}>
                <ChooseAll rows={state.kind === 'rows' ? state.rows : []} idOf={idOf} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.head} scope="col" className={cellClass(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{body}</tbody>
      </table>
    </div>
  )
}

const Rows = <Row,>({
  rows,
  columns,
  selection,
  idOf,
}: Pick<Props<Row>, 'columns' | 'selection' | 'idOf'> & { readonly rows: readonly Row[] }): ReactNode =>
  rows.map((row) => (
    <tr key={idOf(row)} data-chosen={selection?.chosen.has(idOf(row)) || undefined}>
      {selection && (
        <td className={css.check}>
          <Choose row={row} id={idOf(row)} selection={selection} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.head} className={cellClass(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  ))

const cellClass = ({ align, isSecondary }: Pick<Column<never>, 'align' | 'isSecondary'>): string =>
  classNames(align === 'end' && css.end, isSecondary && css.secondary)

function Choose<Row>({
  row,
  id,
  selection: { chosen, onChosen, nameOf, canChoose },
}: {
  readonly row: Row
  readonly id: string
  readonly selection: Selection<Row>
}): ReactNode {
  return (
    <Checkbox
      isLabelHidden
      label={`Select ${nameOf(row)}`}
      disabled={canChoose?.(row) === false}
      isChecked={chosen.has(id)}
      onChecked={(isChecked) =>
        onChosen(new Set(isChecked ? [...chosen, id] : [...chosen].filter((one) => one !== id)))
      }
    />
  )
}

function ChooseAll<Row>({
  rows,
  idOf,
  selection: { chosen, onChosen, canChoose },
}: {
  readonly rows: readonly Row[]
  readonly idOf: (row: Row) => string
  readonly selection: Selection<Row>
}): ReactNode {
  const ids = rows.filter((row) => canChoose?.(row) !== false).map(idOf)
  const isAll = ids.length > 0 && ids.every((id) => chosen.has(id))
  return (
    <Checkbox
      isLabelHidden
      label="Select all"
      disabled={ids.length === 0}
      isChecked={isAll}
      isMixed={!isAll && chosen.size > 0}
      onChecked={(isChecked) => onChosen(new Set(isChecked ? ids : []))}
    />
  )
}

const skeletonRows = [0, 1, 2, 3, 4]

const SkeletonRows = ({ columns }: { readonly columns: number }): ReactNode =>
  skeletonRows.map((row) => (
    <tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        <td key={column} aria-hidden="true">
          <span className={css.skeleton} data-length={(row + column) % 3} />
        </td>
      ))}
    </tr>
  ))

const NothingFits = ({ onClearFilter }: { readonly onClearFilter: (() => void) | undefined }): ReactNode => (
  <EmptyState
    icon="filter"
    title="Nothing fits this filter"
    text="Take a part of it back, or look at everything."
    {...(onClearFilter && { action: <Button onClick={onClearFilter}>Clear filter</Button> })}
  />
)

const MoreRows = ({ more }: { readonly more: More }): ReactNode => (
  <div className={css.more}>
    <Button isBusy={more.isLoading} onClick={() => more.load()}>
      Show more
    </Button>
  </div>
)
