// The operations, to search through and to choose one of.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFilters } from '../../app/filters.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar, FilterSearch } from '../../ui/filter-bar.tsx'
import { Section } from '../../ui/page.tsx'
import type { TriedOperation } from './description.ts'
import css from './try.module.css'
import type { TrySearch } from './try-search.ts'
import { texts } from './texts.tsx'

export function OperationList({
  operations,
  isOfSession,
}: {
  readonly operations: readonly TriedOperation[]
  readonly isOfSession: boolean
}): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const { values, set } = useFilters<TrySearch>()
  const rows = fittingOperations(operations, values.q ?? '')
  const clear = (): void => set({ ...values, q: undefined })
  return (
    <Section title={texts.operation} about={isOfSession ? texts.theOperationsOfTheWorkspace : undefined}>
      <FilterBar isFiltered={values.q !== undefined} onClear={clear}>
        <FilterSearch label={texts.searchOperations} value={values.q} onValue={(q) => set({ ...values, q })} />
      </FilterBar>
      <DataTable
        label={texts.operations}
        state={
          rows.length === 0 ? { kind: 'filtered-empty' } : { kind: 'rows', rows, more: null, of: operations.length }
        }
        idOf={({ name }) => name}
        columns={columns(workspaceId, values)}
        isCounted
        onClearFilter={clear}
        empty={
          <EmptyState
            icon="code"
            title={texts.noOperations}
            text=""
            action={<Button onClick={clear}>{texts.clear}</Button>}
          />
        }
      />
    </Section>
  )
}

/** Each word stands in the name, the summary, the method or the path. */
function fittingOperations(operations: readonly TriedOperation[], q: string): readonly TriedOperation[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return operations.filter(({ name, summary, method, path }) => {
    const text = `${name} ${summary} ${method} ${path}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

const columns = (workspaceId: string, search: TrySearch): readonly Column<TriedOperation>[] => [
  {
    head: texts.operation,
    cell: ({ name, summary }) => (
      <span className={css.named}>
        <Link to="/w/$workspaceId/try" params={{ workspaceId }} search={{ ...search, operation: name }}>
          {summary}
        </Link>
        <code>{name}</code>
      </span>
    ),
  },
  {
    head: texts.request,
    isSecondary: true,
    cell: ({ method, path }) => (
      <code className={css.path}>
        {method} {path}
      </code>
    ),
  },
]
