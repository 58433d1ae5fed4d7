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
import { texts } from './texts.ts'

const perPage = 20

export function KeyDeniedCalls({ keyId }: { readonly keyId: string }): ReactNode {
  const state = useList('audit-entries.list', { actorId: keyId, outcome: 'denied', limit: perPage }, false)
  return (
    <Stack>
      <p>{texts.deniedRequestsWithThisKey}</p>
      <DataTable
        label={texts.deniedRequests}
        state={state}
        idOf={({ id }) => id}
        columns={columns}
        empty={<EmptyState icon="check" title={texts.noDeniedRequests} text={texts.aRequestIsListedHere} />}
      />
    </Stack>
  )
}

const columns: readonly Column<AuditEntry>[] = [
  { head: texts.time, cell: ({ at }) => <RelativeTime at={at} /> },
  { head: texts.reason, cell: ({ code }) => <code>{code}</code> },
  { head: texts.operation, cell: ({ action }) => <code>{action}</code> },
  { head: texts.count, cell: ({ count }) => fullCount(count), align: 'end' },
  { head: texts.ipAddress, cell: ({ ip }) => (ip === null ? '–' : <Tag>{ip}</Tag>), isSecondary: true },
  { head: texts.requestId, cell: ({ requestId }) => <code>{requestId}</code>, isSecondary: true },
]
