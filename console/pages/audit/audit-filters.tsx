import type { ReactNode } from 'react'
import { auditedActions } from 'virtual:audited-actions'
import type { Filters } from '../../app/filters.ts'
import { Button } from '../../ui/button.tsx'
import { FilterBar, FilterSelect } from '../../ui/filter-bar.tsx'
import { outcomes, periods, type AuditSearch, outcomeWords } from './audit-search.ts'

export const AuditFilters = ({
  filters: { values, set, clear, isFiltered },
}: {
  readonly filters: Filters<AuditSearch>
}): ReactNode => (
  <FilterBar isFiltered={isFiltered} onClear={clear}>
    <FilterSelect
      label="Outcome"
      all="Any outcome"
      value={values.outcome}
      choices={outcomes.map((value) => ({ value, label: outcomeWords[value].word }))}
      onValue={(outcome) => set({ outcome })}
    />
    <FilterSelect
      label="Action"
      all="Any action"
      value={values.action}
      choices={auditedActions.map((value) => ({ value, label: value }))}
      onValue={(action) => set({ action })}
    />
    <FilterSelect
      label="Period"
      all="Last 365 days"
      value={values.days}
      choices={periods.map((value) => ({ value, label: value === '1' ? 'Last 24 hours' : `Last ${value} days` }))}
      onValue={(days) => set({ days })}
    />
    {values.actor !== undefined && (
      <Button icon="close" size="small" onClick={() => set({ actor: undefined })}>
        Actor
      </Button>
    )}
  </FilterBar>
)
