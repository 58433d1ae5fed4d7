// All that has happened to one object: its events, and the audit entries about it.
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useList, useWorkspace } from '../../app/workspace.ts'
import { EventsTable, nameOf } from '../../history/events-table.tsx'
import { ObjectChanges } from '../../history/object-changes.tsx'
import { CopyLine } from '../../ui/code-block.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'

export function ObjectPage(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const { id: workspaceId, may } = useWorkspace()
  const events = useList('events.search', { resourceId: id }, false)
  const newest = events.kind === 'rows' ? events.rows[0] : undefined
  // A comment is an event of what it is on.
  const name = newest === undefined || newest.type.startsWith('comments.') ? null : nameOf(newest.data)
  return (
    <Page
      title={name ?? 'Object'}
      guide="/docs/audit-log#all-activity-of-an-object"
      about="Everything that happened to this object: events of the last 30 days and audit entries of the last year."
    >
      <Facts
        facts={[
          { name: 'Object ID', value: <CopyLine text={id} what="object ID" /> },
          ...(newest === undefined ? [] : [{ name: 'Type', value: newest.resource.type }]),
        ]}
      />
      <Section
        title="Events"
        actions={
          may('requests:read') && (
            <Link to="/w/$workspaceId/requests" params={{ workspaceId }} search={{ object: id }}>
              Requests about this object
            </Link>
          )
        }
      >
        <EventsTable
          state={events}
          empty={
            <EmptyState
              icon="events"
              title="No events"
              text="Nothing was changed in the last 30 days, or your role cannot read these events."
            />
          }
        />
      </Section>
      {may('audit-entries:read') && (
        <Section title="Audit log">
          <ObjectChanges id={id} />
        </Section>
      )}
    </Page>
  )
}
