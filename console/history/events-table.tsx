// A table of events. A row opens beside it with what was changed from what to what, and what leads on from it.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { EventRecord } from '#contract/event.ts'
import type { Author } from '#contract/imports.ts'
import { useWorkspace } from '../app/workspace.ts'
import { ChangesDiff } from '../ui/changes-diff.tsx'
import { CodeBlock, CopyLine } from '../ui/code-block.tsx'
import { DataTable, RowButton, type Column } from '../ui/data-table.tsx'
import type { ListState } from '../ui/list-state.ts'
import { Facts, Section } from '../ui/page.tsx'
import { ExactTime, RelativeTime } from '../ui/relative-time.tsx'
import { SideDialog } from '../ui/side-dialog.tsx'
import css from './history.module.css'
import { ActorName, ObjectHistoryLink, RequestLink } from './links.tsx'
import { useShown } from './use-shown.ts'
import { texts } from './texts.ts'

export function EventsTable({
  state,
  empty,
  onClearFilter,
}: {
  readonly state: ListState<EventRecord>
  readonly empty: ReactNode
  readonly onClearFilter?: () => void
}): ReactNode {
  const [shown, setShown] = useShown<EventRecord>()
  return (
    <>
      <DataTable
        label={texts.eventsNewestFirst}
        state={state}
        idOf={({ id }) => id}
        columns={columns(setShown)}
        empty={empty}
        {...(onClearFilter && { onClearFilter })}
      />
      <SideDialog side="right" isOpen={shown !== null} title={texts.event} onClose={() => setShown(null)}>
        {shown !== null && <EventDetails event={shown} onLeave={() => setShown(null)} />}
      </SideDialog>
    </>
  )
}

const columns = (show: (event: EventRecord) => void): readonly Column<EventRecord>[] => [
  { head: texts.event, cell: (event) => <RowButton name={event.type} onOpen={() => show(event)} /> },
  {
    head: texts.object,
    cell: ({ resource, data }) => <span className={css.object}>{nameOf(data) ?? resource.id}</span>,
  },
  {
    head: texts.changedFields,
    isSecondary: true,
    cell: ({ changes }) => <span className={css.soft}>{Object.keys(changes).join(', ') || '–'}</span>,
  },
  {
    head: texts.actor,
    isSecondary: true,
    cell: ({ actor, origin }) => (
      <span className={css.object}>
        <ActorName actor={actor} />
        {origin !== undefined && ` (${origin})`}
      </span>
    ),
  },
  { head: texts.time, cell: ({ occurredAt }) => <RelativeTime at={occurredAt} /> },
  { head: texts.sequence, align: 'end', isSecondary: true, cell: ({ sequence }) => sequence },
]

/** Returns the name or title of the object; null if it has none. */
export function nameOf(data: unknown): string | null {
  const { identifier, name, title } = (data ?? {}) as Readonly<Record<string, unknown>>
  const found = [identifier, name ?? title].filter((each) => typeof each === 'string')
  return found.length === 0 ? null : found.join(' ')
}

/** Of an import: the person who made the object in the system that it comes from. */
function authorOf({ origin, data }: EventRecord): readonly { readonly name: string; readonly value: string }[] {
  const { createdBy } = (data ?? {}) as { readonly createdBy?: Author }
  if (origin !== 'import' || createdBy === undefined) return []
  return [
    {
      name: texts.originalAuthor,
      value: createdBy.type === 'imported' ? texts.importedAuthor(createdBy.name) : createdBy.name,
    },
  ]
}

function EventDetails({
  event,
  onLeave,
}: {
  readonly event: EventRecord
  /** The links may lead to the page that is shown: the details over it close. */
  readonly onLeave: () => void
}): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const { id, type, occurredAt, actor, requestId, resource, changes } = event
  return (
    <div className={css.details}>
      <h2 className={css.heading}>
        <code>{type}</code>
      </h2>
      <div className={css.links}>
        <ObjectHistoryLink id={resource.id} onLeave={onLeave} />
        <Link to="/w/$workspaceId/events" params={{ workspaceId }} search={{ actor: actor.id }} onClick={onLeave}>
          {texts.allEventsOfThisActor}
        </Link>
        {actor.type === 'api_key' && <RequestLink requestId={requestId} />}
        <Link to="/w/$workspaceId/deliveries" params={{ workspaceId }} search={{ event: id }}>
          {texts.viewDeliveries}
        </Link>
      </div>
      <Facts
        facts={[
          { name: texts.time, value: <ExactTime at={occurredAt} /> },
          {
            name: texts.actor,
            value: (
              <>
                <ActorName actor={actor} /> ({actor.type.replace('_', ' ')})
              </>
            ),
          },
          ...authorOf(event),
          { name: texts.eventId, value: <CopyLine text={id} what={texts.eventIdCopied} /> },
          { name: texts.objectId, value: <CopyLine text={resource.id} what={texts.objectIdCopied} /> },
          { name: texts.requestId, value: <CopyLine text={requestId} what={texts.requestIdCopied} /> },
        ]}
      />
      {Object.keys(changes).length > 0 && (
        <Section title={texts.changes}>
          <ChangesDiff changes={changes} />
        </Section>
      )}
      <Section title={texts.fullEvent}>
        <CodeBlock text={JSON.stringify(event, null, 2)} what={texts.eventCopied} />
      </Section>
    </div>
  )
}
