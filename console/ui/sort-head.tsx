// The head of a column that the table can be sorted by.
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import css from './sort-head.module.css'
import { directionOf, nextOrder, type SortedBy, type Sorting } from './sorting.ts'

export function SortHead({
  head,
  sort,
  sorting: { order, onOrder },
  className,
}: {
  readonly head: string
  readonly sort: SortedBy<never>
  readonly sorting: Sorting
  readonly className: string
}): ReactNode {
  const direction = directionOf(sort.name, order)
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" className={css.sort} onClick={() => onOrder(nextOrder(sort, order))}>
        {head}
        <span className={css.mark} data-direction={direction}>
          <Icon name="chevron" />
        </span>
      </button>
    </th>
  )
}
