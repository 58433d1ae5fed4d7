import type { ReactNode } from 'react'
import { auditedActions } from 'virtual:audited-actions'
import { ActorFilter } from '../../app/actor-filter.tsx'
import type { Filters } from '../../app/filters.ts'
import { outcomeWords } from '../../history/outcome-words.ts'
import { FilterBar, FilterChip, FilterSearch, FilterSelect } from '../../ui/filter-bar.tsx'
import { categoryNames, outcomes, periods, type AuditSearch } from './audit-search.ts'
import { categories } from './categories.ts'
import { texts } from './texts.ts'

export const AuditFilters = ({
  filters: { values, set, clear, isFiltered },
  typeOfTarget,
}: {
  readonly filters: Filters<AuditSearch>
  /** Of the entries that are listed: all are about the target that is filtered by. */
  readonly typeOfTarget: string | undefined
}): ReactNode => (
  <FilterBar isFiltered={isFiltered} onClear={clear}>
    <FilterSearch label={texts.actorTargetActionOrIp} value={values.q} onValue={(q) => set({ q })} />
    <FilterSelect
      label={texts.category}
      all={texts.anyCategory}
      value={values.category}
      choices={categoryNames.map((value) => ({ value, label: categories[value].label }))}
      onValue={(category) => set({ category, action: undefined })}
    />
    <FilterSelect
      label={texts.action}
      all={texts.anyAction}
      value={values.action}
      choices={auditedActions.map((value) => ({ value, label: value }))}
      onValue={(action) => set({ action, category: undefined })}
    />
    <ActorFilter value={values.actor} onValue={(actor) => set({ actor })} />
    <FilterSelect
      label={texts.outcome}
      all={texts.anyOutcome}
      value={values.outcome}
      choices={outcomes.map((value) => ({ value, label: outcomeWords[value].word }))}
      onValue={(outcome) => set({ outcome })}
    />
    <FilterSelect
      label={texts.period}
      all={texts.last365Days}
      value={values.days}
      choices={periods.map((value) => ({ value, label: value === '1' ? texts.last24Hours : texts.lastDays(value) }))}
      onValue={(days) => set({ days })}
    />
    {values.target !== undefined && (
      <FilterChip
        name={texts.object}
        type={typeOfTarget}
        id={values.target}
        onRemove={() => set({ target: undefined })}
      />
    )}
    {values.request !== undefined && (
      <FilterChip name={texts.request} id={values.request} onRemove={() => set({ request: undefined })} />
    )}
  </FilterBar>
)
