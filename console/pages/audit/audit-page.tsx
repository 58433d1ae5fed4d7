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
import { texts } from './texts.ts'

export function AuditPage(): ReactNode {
  const filters = useFilters<AuditSearch>()
  const { values, clear, isFiltered } = filters
  const [openedAt] = useState(() => Date.now())
  const filter = auditFilter(values, openedAt)
  const state = useList('audit-entries.list', filter, isFiltered)
  return (
    <Page
      title={texts.auditLog}
      guide="/docs/audit-log"
      about={texts.changesToKeysWebhooksMembers}
      actions={
        <>
          <DownloadLog filter={filter} />
          <VerifyLink />
        </>
      }
    >
      <AuditFilters filters={filters} typeOfTarget={state.kind === 'rows' ? state.rows[0]?.target?.type : undefined} />
      <AuditTable
        label={texts.auditEntriesNewestFirst}
        state={state}
        onClearFilter={clear}
        empty={
          <EmptyState
            icon="log"
            title={texts.noAuditEntriesYet}
            text={texts.changesToKeysAndWebhooks}
            sample={<code>{texts.apiKeysCreateProductionSync}</code>}
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
      {texts.verifyLog}
    </Link>
  )
}
