// The feed: every change in the workspace, as it happens, with what was changed from what to what.
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { EventRecord } from '#contract/event.ts'
import type { Author } from '#contract/imports.ts'
import { useFilters } from '../../app/filters.ts'
import { KindFilter } from '../../app/kind-filter.tsx'
import { useWorkspace } from '../../app/workspace.ts'
import { Badge } from '../../ui/badge.tsx'
import { CodeBlock, CopyLine } from '../../ui/code-block.tsx'
import { DataTable, type Column, RowButton } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SideDialog } from '../../ui/side-dialog.tsx'
import { ChangesDiff } from '../../ui/changes-diff.tsx'
import css from './events.module.css'
import { useFeed } from './use-feed.ts'

type EventSearch = { readonly kind?: string | undefined }

export function EventsPage(): ReactNode {
  const { values, set, clear, isFiltered } = useFilters<EventSearch>()
  const { state, stream } = useFeed(values.kind)
  const [shown, setShown] = useState<EventRecord | null>(null)
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
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <KindFilter value={values.kind} onValue={(kind) => set({ kind })} />
      </FilterBar>
      <DataTable
        label="Events, newest first"
        state={state}
        idOf={({ id }) => id}
        columns={columns(setShown)}
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
      <SideDialog side="right" isOpen={shown !== null} title="Event" onClose={() => setShown(null)}>
        {shown !== null && <EventDetails event={shown} />}
      </SideDialog>
    </Page>
  )
}

const columns = (show: (event: EventRecord) => void): readonly Column<EventRecord>[] => [
  { head: 'Event', cell: (event) => <RowButton name={event.type} onOpen={() => show(event)} /> },
  { head: 'Object', cell: ({ resource, data }) => <span className={css.object}>{nameOf(data) ?? resource.id}</span> },
  {
    head: 'Changed fields',
    isSecondary: true,
    cell: ({ changes }) => <span className={css.soft}>{Object.keys(changes).join(', ') || '–'}</span>,
  },
  {
    head: 'Actor',
    isSecondary: true,
    cell: ({ actor, origin }) => (origin === undefined ? actor.name : `${actor.name} (${origin})`),
  },
  { head: 'Time', cell: ({ occurredAt }) => <RelativeTime at={occurredAt} /> },
  { head: 'Sequence', align: 'end', isSecondary: true, cell: ({ sequence }) => sequence },
]

/** Returns the name or title of the object; null if it has none. */
function nameOf(data: unknown): string | null {
  const { identifier, name, title } = (data ?? {}) as Readonly<Record<string, unknown>>
  const found = [identifier, name ?? title].filter((each) => typeof each === 'string')
  return found.length === 0 ? null : found.join(' ')
}

/** Of an import: the person who made the object in the system that it comes from. */
function authorOf({ origin, data }: EventRecord): readonly { readonly name: string; readonly value: string }[] {
  const { createdBy } = (data ?? {}) as { readonly createdBy?: Author }
  if (origin !== 'import' || createdBy === undefined) return []
  return [
    { name: 'Original author', value: createdBy.type === 'imported' ? `${createdBy.name} (imported)` : createdBy.name },
  ]
}

function EventDetails({ event }: { readonly event: EventRecord }): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const { id, type, occurredAt, actor, requestId, resource, changes } = event
  return (
    <div className={css.details}>
      <h2>
        <code>{type}</code>
      </h2>
      <Facts
        facts={[
          { name: 'Time', value: <RelativeTime at={occurredAt} /> },
          { name: 'Actor', value: `${actor.name} (${actor.type.replace('_', ' ')})` },
          ...authorOf(event),
          { name: 'Event ID', value: <CopyLine text={id} what="event ID" /> },
          { name: 'Object ID', value: <CopyLine text={resource.id} what="object ID" /> },
          { name: 'Request ID', value: <CopyLine text={requestId} what="request ID" /> },
          {
            name: 'Deliveries',
            value: (
              <Link to="/w/$workspaceId/deliveries" params={{ workspaceId }} search={{ event: id }}>
                View deliveries
              </Link>
            ),
          },
        ]}
      />
      {Object.keys(changes).length > 0 && (
        <Section title="Changes">
          <ChangesDiff changes={changes} />
        </Section>
      )}
      <Section title="Full event">
        <CodeBlock text={JSON.stringify(event, null, 2)} what="event" />
      </Section>
    </div>
  )
}
