// The audit log: changes and denied requests with their actors. Entries cannot be changed, and every reader can verify
// that.
import { useState, type ReactNode } from 'react'
import type { AuditEntry } from '#contract/audit-entries.ts'
import { useFilters } from '../../app/filters.ts'
import { useList } from '../../app/workspace.ts'
import { Badge, Tag } from '../../ui/badge.tsx'
import { DataTable, type Column, RowButton } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SideDialog } from '../../ui/side-dialog.tsx'
import { AuditDetails } from './audit-details.tsx'
import css from './audit.module.css'
import { AuditFilters } from './audit-filters.tsx'
import { outcomeWords, auditInput, type AuditSearch } from './audit-search.ts'
import { VerifyLog } from './verify-log.tsx'

export function AuditPage(): ReactNode {
  const filters = useFilters<AuditSearch>()
  const { values, set, clear, isFiltered } = filters
  const [openedAt] = useState(() => Date.now())
  const [shown, setShown] = useState<AuditEntry | null>(null)
  const state = useList('audit-entries.list', auditInput(values, openedAt), isFiltered)
  return (
    <Page
      title="Audit log"
      guide="/docs/audit-log"
      about="Denied requests, and changes to keys, webhooks, members and the policy. Entries are kept for a year."
      actions={<VerifyLog />}
    >
      <AuditFilters filters={filters} />
      <DataTable
        label="Audit entries, newest first"
        state={state}
        idOf={({ id }) => id}
        columns={columns(setShown)}
        onClearFilter={clear}
        empty={
          <EmptyState
            icon="policy"
            title="No audit entries yet"
            text="Denied requests, and changes to keys, webhooks, members and the policy, are recorded here. Entries cannot be changed."
            sample={<code>api-keys.create · Production sync · success</code>}
          />
        }
      />
      <SideDialog side="right" isOpen={shown !== null} title="Audit entry" onClose={() => setShown(null)}>
        {shown !== null && (
          <AuditDetails
            entry={shown}
            onOnlyActor={() => {
              set({ actor: shown.actor.id })
              setShown(null)
            }}
          />
        )}
      </SideDialog>
    </Page>
  )
}

function Outcome({ entry: { outcome, code, count } }: { readonly entry: AuditEntry }): ReactNode {
  const { word, tone } = outcomeWords[outcome]
  return (
    <span className={css.outcome}>
      <Badge tone={tone}>{count === 1 ? word : `${word} ${count} times`}</Badge>
      {code !== null && <code className={css.code}>{code}</code>}
    </span>
  )
}

const columns = (show: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  { head: 'Action', cell: (entry) => <RowButton name={entry.action} onOpen={() => show(entry)} /> },
  { head: 'Target', cell: ({ target }) => (target === null ? '–' : (target.name ?? target.type)) },
  { head: 'Actor', cell: ({ actor }) => actor.name },
  { head: 'Outcome', cell: (entry) => <Outcome entry={entry} /> },
  { head: 'Surface', isSecondary: true, cell: ({ surface }) => <Tag>{surface}</Tag> },
  { head: 'IP address', isSecondary: true, cell: ({ ip }) => ip ?? '–' },
  { head: 'Time', cell: ({ at }) => <RelativeTime at={at} /> },
]
