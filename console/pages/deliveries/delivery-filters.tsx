import type { ReactNode } from 'react'
import { spans, statusWords } from '../../app/delivery-words.ts'
import type { Filters } from '../../app/filters.ts'
import { KindFilter } from '../../app/kind-filter.tsx'
import { FilterBar, FilterSearch, FilterSelect } from '../../ui/filter-bar.tsx'
import type { DeliverySearch } from './delivery-search.ts'
import { texts } from './texts.tsx'

type Named = { readonly id: string; readonly name: string }

export const DeliveryFilters = ({
  filters: { values, set, clear, isFiltered },
  webhooks,
}: {
  readonly filters: Filters<DeliverySearch>
  readonly webhooks: readonly Named[]
}): ReactNode => (
  <FilterBar isFiltered={isFiltered} onClear={clear}>
    <FilterSearch label={texts.requestId} value={values.request} onValue={(request) => set({ request })} />
    <KindFilter value={values.kind} onValue={(kind) => set({ kind })} />
    <FilterSelect
      label={texts.deliveryColumnsStatus}
      all={texts.anyStatus}
      value={values.status}
      choices={choicesOf(statusWords, ({ label }) => label)}
      onValue={(status) => set({ status })}
    />
    <FilterSelect
      label={texts.webhook}
      all={texts.anyWebhook}
      value={values.webhook}
      choices={webhooks.map(({ id, name }) => ({ value: id, label: name }))}
      onValue={(webhook) => set({ webhook })}
    />
    <FilterSelect
      label={texts.created}
      all={texts.anyTime}
      value={values.since}
      choices={choicesOf(spans, (label) => label)}
      onValue={(since) => set({ since })}
    />
  </FilterBar>
)

// The names are those of the record.
const choicesOf = <Name extends string, Value>(
  named: Readonly<Record<Name, Value>>,
  labelOf: (value: Value) => string,
) => (Object.keys(named) as Name[]).map((value) => ({ value, label: labelOf(named[value]) }))
