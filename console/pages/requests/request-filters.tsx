import type { ReactNode } from 'react'
import type { Filters } from '../../app/filters.ts'
import { FilterBar, FilterChip, FilterSearch, FilterSelect } from '../../ui/filter-bar.tsx'
import { namesOf, outcomeWords, spanWords, statuses, surfaceWords, type RequestSearch } from './request-search.ts'
import { texts } from './texts.ts'

/** What other pages lead here with: each is shown as a button that takes it back. */
const ledHereWith = {
  key: (id: string) => ({ name: texts.apiKey, id }),
  member: (id: string) => ({ name: texts.member, id }),
  object: (id: string) => ({ name: texts.object, id }),
  operation: (name: string) => ({ name }),
  path: (name: string) => ({ name }),
  ip: (name: string) => ({ name }),
  code: (name: string) => ({ name }),
} as const satisfies Partial<Record<keyof RequestSearch, (value: string) => { name: string; id?: string }>>

export const RequestFilters = ({
  filters: { values, set, clear, isFiltered },
}: {
  readonly filters: Filters<RequestSearch>
}): ReactNode => (
  <FilterBar isFiltered={isFiltered} onClear={clear}>
    <FilterSearch label={texts.pathOperationCodeOrRequest} value={values.q} onValue={(q) => set({ q })} />
    <FilterSelect
      label={texts.outcome}
      all={texts.anyOutcome}
      value={values.outcome}
      choices={namesOf(outcomeWords).map((value) => ({ value, label: outcomeWords[value] }))}
      onValue={(outcome) => set({ outcome })}
    />
    <FilterSelect
      label={texts.status}
      all={texts.anyStatus}
      value={values.status}
      choices={statuses.map((value) => ({ value, label: value }))}
      onValue={(status) => set({ status })}
    />
    <FilterSelect
      label={texts.surface}
      all={texts.httpAndMcp}
      value={values.surface}
      choices={namesOf(surfaceWords).map((value) => ({ value, label: surfaceWords[value] }))}
      onValue={(surface) => set({ surface })}
    />
    <FilterSelect
      label={texts.period}
      all={texts.last30Days}
      value={values.since}
      choices={namesOf(spanWords).map((value) => ({ value, label: spanWords[value] }))}
      onValue={(since) => set({ since })}
    />
    {namesOf(ledHereWith).map((name) => {
      const value = values[name]
      return value === undefined ? null : (
        <FilterChip key={name} {...ledHereWith[name](value)} onRemove={() => set({ [name]: undefined })} />
      )
    })}
  </FilterBar>
)
