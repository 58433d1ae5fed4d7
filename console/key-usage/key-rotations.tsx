// The rotations of a key, from the audit log.
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/audit-entries.ts'
import { useList } from '../app/workspace.ts'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Stack } from '../ui/page.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'

const actions = ['api-keys.create', 'api-keys.rotate', 'me.rotate']

export function KeyRotations({ keyId }: { readonly keyId: string }): ReactNode {
  const state = useList(
    'audit-entries.list',
    { targetId: keyId, outcome: 'success', action: actions, limit: 20 },
    false,
  )
  return (
    <Stack>
      <DataTable
        label="Rotation history"
        state={state}
        idOf={({ id }) => id}
        columns={columns}
        empty={
          <EmptyState
            icon="rotate"
            title="No rotations yet"
            text="Each new secret of the key is listed here, with the person or key that created it. Entries are kept for a year."
          />
        }
      />
    </Stack>
  )
}

const columns: readonly Column<AuditEntry>[] = [
  { head: 'Time', cell: ({ at }) => <RelativeTime at={at} /> },
  { head: 'Event', cell: ({ action }) => (action === 'api-keys.create' ? 'First secret' : 'New secret') },
  { head: 'Actor', cell: ({ actor: { type, name } }) => (type === 'api_key' ? `Key ${name}` : name) },
  { head: 'IP address', cell: ({ ip }) => ip ?? '–', isSecondary: true },
]
