// The events: every change in the workspace, as it happens, with what was changed from what to what.
import type { ReactNode } from 'react'
import type { EventRecord } from '#contract/event.ts'
import { ActorFilter } from '../../app/actor-filter.tsx'
import { useFilters, type Filters } from '../../app/filters.ts'
import { KindFilter } from '../../app/kind-filter.tsx'
import { EventsTable } from '../../history/events-table.tsx'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar, FilterChip, FilterSearch, FilterSelect } from '../../ui/filter-bar.tsx'
import type { ListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { spans, spanWords, type EventSearch } from './event-search.ts'
import { useFeed } from './use-feed.ts'
import { texts } from './texts.ts'

export function EventsPage(): ReactNode {
  const filters = useFilters<EventSearch>()
  const { values, clear, isFiltered } = filters
  const { state, stream } = useFeed(values, isFiltered)
  return (
    <Page
      title={texts.events}
      guide="/docs/events"
      about={texts.allChangesInThisWorkspace}
      actions={
        <span aria-live="polite">
          {stream === 'live' ? <Badge tone="good">{texts.live}</Badge> : <Badge tone="warn">{texts.connecting}</Badge>}
        </span>
      }
    >
      <EventFilters filters={filters} typeOfObject={typeOfObject(state)} />
      <EventsTable
        state={state}
        onClearFilter={clear}
        empty={
          <EmptyState
            icon="events"
            title={texts.noEventsYet}
            text={texts.eventsAppearHereWhenA}
            sample={<code>{texts.tasksUpdatedStatusTodoIn}</code>}
          />
        }
      />
    </Page>
  )
}

/** Filtered by an object, all events are about it. Those of its comments do not name its type. */
function typeOfObject(state: ListState<EventRecord>): string | undefined {
  const rows = state.kind === 'rows' ? state.rows : []
  const data = rows.find(({ type }) => !type.startsWith('comments.'))?.data
  return (data as { readonly object?: string } | undefined)?.object
}

const EventFilters = ({
  filters: { values, set, clear, isFiltered },
  typeOfObject,
}: {
  readonly filters: Filters<EventSearch>
  /** Of the object that is filtered by. */
  readonly typeOfObject: string | undefined
}): ReactNode => (
  <FilterBar isFiltered={isFiltered} onClear={clear}>
    <FilterSearch label={texts.nameIdOrAnyText} value={values.q} onValue={(q) => set({ q })} />
    <KindFilter value={values.kind} onValue={(kind) => set({ kind })} />
    <ActorFilter value={values.actor} onValue={(actor) => set({ actor })} />
    <FilterSelect
      label={texts.period}
      all={texts.last30Days}
      value={values.since}
      choices={spans.map((value) => ({ value, label: spanWords[value] }))}
      onValue={(since) => set({ since })}
    />
    {values.object !== undefined && (
      <FilterChip
        name={texts.object}
        type={typeOfObject}
        id={values.object}
        onRemove={() => set({ object: undefined })}
      />
    )}
    {values.request !== undefined && (
      <FilterChip name={texts.request} id={values.request} onRemove={() => set({ request: undefined })} />
    )}
  </FilterBar>
)
