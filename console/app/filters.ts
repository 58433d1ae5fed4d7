// The filters of the page, which are its search parameters.
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Sorting } from '../ui/sorting.ts'

/** The order of the table stands in the address as well, and leaves nothing out. */
const order = 'sort'

export type Filters<Search> = {
  readonly values: Search
  readonly isFiltered: boolean
  /** Undefined takes a filter back. */
  set(change: Search): void
  clear(): void
}

/** `Search`: what the page's route has checked. */
export function useFilters<Search extends object>(): Filters<Search> {
  const known: object = useSearch({ strict: false })
  const values = known as Search
  const navigate = useNavigate()
  const change = (search: object): void => void navigate({ to: '.', search: search as never, replace: true })
  return {
    values,
    isFiltered: Object.entries(values).some(([name, value]) => name !== order && value !== undefined),
    set: (changed) => change({ ...values, ...changed }),
    clear: () => change({ [order]: (known as { readonly [order]?: string })[order] }),
  }
}

/** The order of the page's table, for a page whose search parameters have `sort`. */
export function sortingOf<Search extends { readonly sort?: string | undefined }>({
  values,
  set,
}: Pick<Filters<Search>, 'values' | 'set'>): Sorting {
  return { order: values.sort, onOrder: (sort) => set({ ...values, sort }) }
}
