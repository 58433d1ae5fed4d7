// The API log: the requests of the workspace's keys, the newest first, and why each was refused.
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { LoggedRequest } from '#contract/api-calls.ts'
import { useFilters } from '../../app/filters.ts'
import { useList, useWorkspace } from '../../app/workspace.ts'
import { milliseconds } from '../../charts/scale.ts'
import { Badge, Tag } from '../../ui/badge.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { statusTone } from '../../usage/status-tone.ts'
import { RequestFilters } from './request-filters.tsx'
import { requestInput, type RequestSearch } from './request-search.ts'
import css from './requests.module.css'

export function RequestsPage(): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const filters = useFilters<RequestSearch>()
  const [openedAt] = useState(() => Date.now())
  const state = useList('requests.list', requestInput(filters.values, openedAt), filters.isFiltered)
  return (
    <Page
      title="API log"
      guide="/docs/api-log"
      about="Requests with API keys of this workspace. Reads are kept for 3 days, changes and failed requests for 30 days."
    >
      <RequestFilters filters={filters} />
      <DataTable
        label="Requests, newest first"
        state={state}
        idOf={({ id }) => id}
        columns={columns(workspaceId)}
        onClearFilter={filters.clear}
        empty={
          <EmptyState
            icon="activity"
            title="No requests yet"
            text="Each request with an API key appears here within seconds, with its status, its duration and, if it failed, the reason."
            sample={<code>{`curl ${location.origin}/api/v1/me -H "Authorization: Bearer $API_KEY"`}</code>}
          />
        }
      />
    </Page>
  )
}

const columns = (workspaceId: string): readonly Column<LoggedRequest>[] => [
  {
    head: 'Request',
    cell: ({ id, method, path, surface, operation }) => (
      <Link to="/w/$workspaceId/requests/$id" params={{ workspaceId, id }} className={css.request}>
        <code>{surface === 'mcp' ? `MCP ${operation}` : `${method} ${path}`}</code>
      </Link>
    ),
  },
  {
    head: 'Status',
    cell: ({ status, code }) => (
      <span className={css.status}>
        <Badge tone={code !== null && status < 400 ? 'warn' : statusTone(status)}>{status}</Badge>
        {code !== null && <code className={css.code}>{code}</code>}
      </span>
    ),
  },
  { head: 'Duration', isSecondary: true, align: 'end', cell: ({ ms }) => milliseconds(ms) },
  {
    head: 'Key',
    isSecondary: true,
    cell: ({ apiKeyId, apiKeyName }) => (
      <Link to="/w/$workspaceId/keys/$id" params={{ workspaceId, id: apiKeyId }}>
        {apiKeyName}
      </Link>
    ),
  },
  { head: 'IP address', isSecondary: true, cell: ({ ip }) => (ip === null ? '–' : <Tag>{ip}</Tag>) },
  { head: 'Time', cell: ({ at }) => <RelativeTime at={at} /> },
]
