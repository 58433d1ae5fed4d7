// The audit log: changes, sign-ins and denied requests with their actors. Entries cannot be changed, and every reader
// can verify that.
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useFilters } from '../../app/filters.ts'
import { useList, useWorkspace } from '../../app/workspace.ts'
import { AuditTable } from '../../history/audit-table.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { AuditFilters } from './audit-filters.tsx'
import type { AuditSearch } from './audit-search.ts'
import { auditFilter } from './categories.ts'
import { DownloadLog } from './download-log.tsx'

export function AuditPage(): ReactNode {
  const filters = useFilters<AuditSearch>()
  const { values, clear, isFiltered } = filters
  const [openedAt] = useState(() => Date.now())
  const filter = auditFilter(values, openedAt)
  const state = useList('audit-entries.list', filter, isFiltered)
  return (
    <Page
      title="Audit log"
      guide="/docs/audit-log"
      about="Changes to keys, webhooks, members and the policy, sign-ins, and denied requests. Entries are kept for a year."
      actions={
        <>
          <DownloadLog filter={filter} />
          <VerifyLink />
        </>
      }
    >
      <AuditFilters filters={filters} />
      <AuditTable
        label="Audit entries, newest first"
        state={state}
        onClearFilter={clear}
        empty={
          <EmptyState
            icon="policy"
            title="No audit entries yet"
            text="Changes to keys and webhooks, sign-ins and denied requests are recorded here. Entries cannot be changed."
            sample={<code>api-keys.create · Production sync · success</code>}
          />
        }
      />
    </Page>
  )
}

function VerifyLink(): ReactNode {
  const { id: workspaceId, may } = useWorkspace()
  if (!may('audit-entries:read')) return null
  return (
    <Link to="/w/$workspaceId/audit/verify" params={{ workspaceId }} className={buttonClass()}>
      Verify log
    </Link>
  )
}
