// Requests that were denied to a key, from the audit log.
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/audit-entries.ts'
import { useList } from '../app/workspace.ts'
import { fullCount } from '../charts/scale.ts'
import { Tag } from '../ui/badge.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Stack } from '../ui/page.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'

const perPage = 20

export function KeyDeniedCalls({ keyId }: { readonly keyId: string }): ReactNode {
  const state = useList('audit-entries.list', { actorId: keyId, outcome: 'denied', limit: perPage }, false)
  return (
    <Stack>
      <p>Denied requests with this key, and the reasons. Identical requests are grouped.</p>
      <DataTable
        label="Denied requests"
        state={state}
        idOf={({ id }) => id}
        columns={columns}
        empty={
          <EmptyState
            icon="check"
            title="No denied requests"
            text="A request is listed here if it lacks the required scope, comes from an IP address that is not on the allowlist, or is for another workspace."
          />
        }
      />
    </Stack>
  )
}

const columns: readonly Column<AuditEntry>[] = [
  { head: 'Time', cell: ({ at }) => <RelativeTime at={at} /> },
  { head: 'Reason', cell: ({ code }) => <code>{code}</code> },
  { head: 'Operation', cell: ({ action }) => <code>{action}</code> },
  { head: 'Count', cell: ({ count }) => fullCount(count), align: 'end' },
  { head: 'IP address', cell: ({ ip }) => (ip === null ? '–' : <Tag>{ip}</Tag>), isSecondary: true },
  { head: 'Request ID', cell: ({ requestId }) => <code>{requestId}</code>, isSecondary: true },
]
