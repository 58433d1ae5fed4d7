// The API log: the requests of the workspace's keys, the newest first, and why each was refused.
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { LoggedRequest } from '#contract/api-calls.ts'
import { useFilters } from '../../app/filters.ts'
import { useList, useWorkspace } from '../../app/workspace.ts'
import { milliseconds } from '../../charts/scale.ts'
import { Badge, Tag } from '../../ui/badge.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { DottedName } from '../../ui/dotted-name.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { statusTone } from '../../usage/status-tone.ts'
import { RequestFilters } from './request-filters.tsx'
import { requestInput, type RequestSearch } from './request-search.ts'
import css from './requests.module.css'
import { texts } from './texts.ts'

export function RequestsPage(): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const filters = useFilters<RequestSearch>()
  const [openedAt] = useState(() => Date.now())
  const state = useList('requests.list', requestInput(filters.values, openedAt), filters.isFiltered)
  return (
    <Page title={texts.apiLog} guide="/docs/api-log" about={texts.requestsWithApiKeysOf}>
      <RequestFilters filters={filters} />
      <DataTable
        label={texts.requestsNewestFirst}
        state={state}
        idOf={({ id }) => id}
        columns={columns(workspaceId)}
        isCounted
        onClearFilter={filters.clear}
        empty={
          <EmptyState
            icon="requests"
            title={texts.noRequestsYet}
            text={texts.eachRequestWithAnApi}
            sample={<code>{texts.curlApiV1MeH(location.origin)}</code>}
          />
        }
      />
    </Page>
  )
}

const columns = (workspaceId: string): readonly Column<LoggedRequest>[] => [
  {
    head: texts.request,
    cell: ({ id, method, path, surface, operation }) => (
      <Link to="/w/$workspaceId/requests/$id" params={{ workspaceId, id }} className={css.request}>
        <code>{surface === 'mcp' ? texts.mcp(operation) : `${method} ${path}`}</code>
      </Link>
    ),
  },
  {
    head: texts.status,
    cell: ({ status, code }) => (
      <span className={css.status}>
        <Badge tone={code !== null && status < 400 ? 'warn' : statusTone(status)}>{status}</Badge>
        {code !== null && (
          <span className={css.code}>
            <DottedName name={code} />
          </span>
        )}
      </span>
    ),
  },
  { head: texts.duration, isSecondary: true, align: 'end', cell: ({ ms }) => milliseconds(ms) },
  {
    head: texts.key,
    isSecondary: true,
    cell: ({ apiKeyId, apiKeyName }) => (
      <Link to="/w/$workspaceId/keys/$id" params={{ workspaceId, id: apiKeyId }}>
        {apiKeyName}
      </Link>
    ),
  },
  { head: texts.ipAddress, isSecondary: true, cell: ({ ip }) => (ip === null ? '–' : <Tag>{ip}</Tag>) },
  { head: texts.time, cell: ({ at }) => <RelativeTime at={at} /> },
]
