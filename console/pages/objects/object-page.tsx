// All that has happened to one object: its events, and the audit entries about it.
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useList, useWorkspace } from '../../app/workspace.ts'
import { EventsTable, nameOf } from '../../history/events-table.tsx'
import { ObjectChanges } from '../../history/object-changes.tsx'
import { CopyLine } from '../../ui/code-block.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { texts } from './texts.ts'

export function ObjectPage(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const { id: workspaceId, may } = useWorkspace()
  const events = useList('events.search', { resourceId: id }, false)
  const newest = events.kind === 'rows' ? events.rows[0] : undefined
  // A comment is an event of what it is on.
  const name = newest === undefined || newest.type.startsWith('comments.') ? null : nameOf(newest.data)
  return (
    <Page
      title={name ?? texts.object}
      guide="/docs/audit-log#all-activity-of-an-object"
      above={
        <Link to="/w/$workspaceId/events" params={{ workspaceId }}>
          {texts.events}
        </Link>
      }
      about={texts.everythingThatHappenedToThis}
    >
      <Facts
        facts={[
          { name: texts.objectId, value: <CopyLine text={id} what={texts.objectIdCopied} /> },
          ...(newest === undefined ? [] : [{ name: texts.type, value: newest.resource.type }]),
        ]}
      />
      <Section
        title={texts.events}
        actions={
          may('requests:read') && (
            <Link to="/w/$workspaceId/requests" params={{ workspaceId }} search={{ object: id }}>
              {texts.requestsAboutThisObject}
            </Link>
          )
        }
      >
        <EventsTable
          state={events}
          empty={<EmptyState icon="events" title={texts.noEvents} text={texts.nothingWasChangedInThe} />}
        />
      </Section>
      <ObjectChanges isOfAnyType id={id} title={texts.auditLog} />
    </Page>
  )
}
