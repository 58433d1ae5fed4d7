// The keys of the workspace: what each may do, when it was used, and what is to be done about it.
import type { ReactNode } from 'react'
import { useList } from '../../app/workspace.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function KeysPage(): ReactNode {
  const state = useList('api-keys.list', {}, false)
  return (
    <Page title="Keys">
      <DataTable
        label="Keys"
        state={state}
        idOf={({ id }) => id}
        empty={
          <EmptyState icon="key" title="No keys yet" text="A key lets a program call the API in this workspace." />
        }
        columns={[{ head: 'Name', cell: ({ name }) => name }]}
      />
    </Page>
  )
}
