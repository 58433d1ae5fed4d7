import type { ReactNode } from 'react'
import { auditedActions } from 'virtual:audited-actions'
import { ActorFilter } from '../../app/actor-filter.tsx'
import type { Filters } from '../../app/filters.ts'
import { outcomeWords } from '../../history/audit-table.tsx'
import { Button } from '../../ui/button.tsx'
import { FilterBar, FilterSearch, FilterSelect } from '../../ui/filter-bar.tsx'
import { categoryNames, outcomes, periods, type AuditSearch } from './audit-search.ts'
import { categories } from './categories.ts'

/** What other pages lead here with: each is shown as a button that takes it back. */
const ledHereWith = { target: 'Object', request: 'Request' } as const

export const AuditFilters = ({
  filters: { values, set, clear, isFiltered },
}: {
  readonly filters: Filters<AuditSearch>
}): ReactNode => (
  <FilterBar isFiltered={isFiltered} onClear={clear}>
    <FilterSearch label="Actor, target, action or IP address" value={values.q} onValue={(q) => set({ q })} />
    <FilterSelect
      label="Category"
      all="Any category"
      value={values.category}
      choices={categoryNames.map((value) => ({ value, label: categories[value].label }))}
      onValue={(category) => set({ category, action: undefined })}
    />
    <FilterSelect
      label="Action"
      all="Any action"
      value={values.action}
      choices={auditedActions.map((value) => ({ value, label: value }))}
      onValue={(action) => set({ action, category: undefined })}
    />
    <ActorFilter value={values.actor} onValue={(actor) => set({ actor })} />
    <FilterSelect
      label="Outcome"
      all="Any outcome"
      value={values.outcome}
      choices={outcomes.map((value) => ({ value, label: outcomeWords[value].word }))}
      onValue={(outcome) => set({ outcome })}
    />
    <FilterSelect
      label="Period"
      all="Last 365 days"
      value={values.days}
      choices={periods.map((value) => ({ value, label: value === '1' ? 'Last 24 hours' : `Last ${value} days` }))}
      onValue={(days) => set({ days })}
    />
    {(['target', 'request'] as const).map((name) =>
      values[name] === undefined ? null : (
        <Button key={name} icon="close" size="small" onClick={() => set({ [name]: undefined })}>
          {ledHereWith[name]}
        </Button>
      ),
    )}
  </FilterBar>
)
