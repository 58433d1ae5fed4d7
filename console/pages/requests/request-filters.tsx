import type { ReactNode } from 'react'
import type { Filters } from '../../app/filters.ts'
import { Button } from '../../ui/button.tsx'
import { FilterBar, FilterSearch, FilterSelect } from '../../ui/filter-bar.tsx'
import { namesOf, outcomeWords, spanWords, statuses, surfaceWords, type RequestSearch } from './request-search.ts'

/** What other pages lead here with: each is shown as a button that takes it back. */
const ledHereWith = {
  key: () => 'API key',
  member: () => 'Member',
  object: () => 'Object',
  operation: (value: string) => value,
  path: (value: string) => value,
  ip: (value: string) => value,
  code: (value: string) => value,
} as const satisfies Partial<Record<keyof RequestSearch, (value: string) => string>>

export const RequestFilters = ({
  filters: { values, set, clear, isFiltered },
}: {
  readonly filters: Filters<RequestSearch>
}): ReactNode => (
  <FilterBar isFiltered={isFiltered} onClear={clear}>
    <FilterSearch label="Path, operation, code or request ID" value={values.q} onValue={(q) => set({ q })} />
    <FilterSelect
      label="Outcome"
      all="Any outcome"
      value={values.outcome}
      choices={namesOf(outcomeWords).map((value) => ({ value, label: outcomeWords[value] }))}
      onValue={(outcome) => set({ outcome })}
    />
    <FilterSelect
      label="Status"
      all="Any status"
      value={values.status}
      choices={statuses.map((value) => ({ value, label: value }))}
      onValue={(status) => set({ status })}
    />
    <FilterSelect
      label="Surface"
      all="HTTP and MCP"
      value={values.surface}
      choices={namesOf(surfaceWords).map((value) => ({ value, label: surfaceWords[value] }))}
      onValue={(surface) => set({ surface })}
    />
    <FilterSelect
      label="Period"
      all="Last 30 days"
      value={values.since}
      choices={namesOf(spanWords).map((value) => ({ value, label: spanWords[value] }))}
      onValue={(since) => set({ since })}
    />
    {namesOf(ledHereWith).map((name) => {
      const value = values[name]
      return value === undefined ? null : (
        <Button key={name} icon="close" size="small" onClick={() => set({ [name]: undefined })}>
          {ledHereWith[name](value)}
        </Button>
      )
    })}
  </FilterBar>
)
