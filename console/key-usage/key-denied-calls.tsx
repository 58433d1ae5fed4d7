// Calls that were refused to a key, from the audit log.
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
      <p>Calls that this key may not make, and why. Equal ones are one line.</p>
      <DataTable
        label="Denied calls"
        state={state}
        idOf={({ id }) => id}
        columns={columns}
        empty={
          <EmptyState
            icon="check"
            title="Nothing was denied"
            text="A call without the scope, from an address that is not on the list, or in another workspace shows up here."
          />
        }
      />
    </Stack>
  )
}

const columns: readonly Column<AuditEntry>[] = [
  { head: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
  { head: 'Reason', cell: ({ code }) => <code>{code}</code> },
  { head: 'Operation', cell: ({ action }) => <code>{action}</code> },
  { head: 'Times', cell: ({ count }) => fullCount(count), align: 'end' },
  { head: 'Address', cell: ({ ip }) => (ip === null ? '–' : <Tag>{ip}</Tag>), isSecondary: true },
  { head: 'Request id', cell: ({ requestId }) => <code>{requestId}</code>, isSecondary: true },
]
