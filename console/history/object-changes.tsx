// The audit entries about one object: who created, changed and removed it.
import type { ReactNode } from 'react'
import { useList } from '../app/workspace.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { AuditTable } from './audit-table.tsx'

const perPage = 20

export function ObjectChanges({ id }: { readonly id: string }): ReactNode {
  const state = useList('audit-entries.list', { targetId: id, limit: perPage }, false)
  return (
    <AuditTable
      label="Audit entries, newest first"
      state={state}
      isOfOne
      empty={
        <EmptyState
          icon="policy"
          title="No audit entries"
          text="Changes to keys, webhooks, members and policies are recorded here for a year. Changes of other objects are events."
        />
      }
    />
  )
}
