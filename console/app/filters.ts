// The filters of the page, which are its search parameters.
import { useNavigate, useSearch } from '@tanstack/react-router'

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
    isFiltered: Object.values(values).some((value) => value !== undefined),
    set: (changed) => change({ ...values, ...changed }),
    clear: () => change({}),
  }
}
