// The events: every change in the workspace, as it happens, with what was changed from what to what.
import type { ReactNode } from 'react'
import { ActorFilter } from '../../app/actor-filter.tsx'
import { useFilters, type Filters } from '../../app/filters.ts'
import { KindFilter } from '../../app/kind-filter.tsx'
import { EventsTable } from '../../history/events-table.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar, FilterSearch, FilterSelect } from '../../ui/filter-bar.tsx'
import { Page } from '../../ui/page.tsx'
import { spans, spanWords, type EventSearch } from './event-search.ts'
import { useFeed } from './use-feed.ts'

export function EventsPage(): ReactNode {
  const filters = useFilters<EventSearch>()
  const { values, clear, isFiltered } = filters
  const { state, stream } = useFeed(values, isFiltered)
  return (
    <Page
      title="Events"
      guide="/docs/events"
      about="All changes in this workspace in the last 30 days, in order. Webhooks and the event feed of the API deliver the same events."
      actions={
        <span aria-live="polite">
          {stream === 'live' ? <Badge tone="good">Live</Badge> : <Badge tone="warn">Connecting…</Badge>}
        </span>
      }
    >
      <EventFilters filters={filters} />
      <EventsTable
        state={state}
        onClearFilter={clear}
        empty={
          <EmptyState
            icon="events"
            title="No events yet"
            text="Events appear here when a key, an assistant or the application creates, changes or deletes something."
            sample={<code>tasks.updated · status: todo → in_progress</code>}
          />
        }
      />
    </Page>
  )
}

/** What other pages lead here with: each is shown as a button that takes it back. */
const ledHereWith = { object: 'Object', request: 'Request' } as const

const EventFilters = ({
  filters: { values, set, clear, isFiltered },
}: {
  readonly filters: Filters<EventSearch>
}): ReactNode => (
  <FilterBar isFiltered={isFiltered} onClear={clear}>
    <FilterSearch label="Name, ID or any text" value={values.q} onValue={(q) => set({ q })} />
    <KindFilter value={values.kind} onValue={(kind) => set({ kind })} />
    <ActorFilter value={values.actor} onValue={(actor) => set({ actor })} />
    <FilterSelect
      label="Period"
      all="Last 30 days"
      value={values.since}
      choices={spans.map((value) => ({ value, label: spanWords[value] }))}
      onValue={(since) => set({ since })}
    />
    {(['object', 'request'] as const).map((name) =>
      values[name] === undefined ? null : (
        <Button key={name} icon="close" size="small" onClick={() => set({ [name]: undefined })}>
          {ledHereWith[name]}
        </Button>
      ),
    )}
  </FilterBar>
)
