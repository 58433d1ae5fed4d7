// The audit entries about one object: who created, changed and removed it. Events say that of an object of a
// collection, such as a task: the audit log has an entry of it only once it was purged.
import type { ReactNode } from 'react'
import { useList, useWorkspace } from '../app/workspace.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Section } from '../ui/page.tsx'
import { AuditTable } from './audit-table.tsx'
import { texts } from './texts.ts'

const perPage = 20

export function ObjectChanges({
  id,
  title,
  about,
  isOfAnyType = false,
}: {
  readonly id: string
  readonly title: string
  readonly about?: string
  /** The object may be of a collection: nothing is shown unless there are entries. */
  readonly isOfAnyType?: boolean
}): ReactNode {
  const { may } = useWorkspace()
  const isAllowed = may('audit-entries:read')
  const state = useList('audit-entries.list', { targetId: id, limit: perPage }, false, { enabled: isAllowed })
  if (!isAllowed || (isOfAnyType && (state.kind === 'loading' || state.kind === 'empty'))) return null
  return (
    <Section title={title} about={about}>
      <AuditTable
        label={texts.auditEntriesNewestFirst}
        state={state}
        isOfOne
        empty={<EmptyState icon="policy" title={texts.noAuditEntries} text={texts.changesToKeysWebhooksMembers} />}
      />
    </Section>
  )
}
