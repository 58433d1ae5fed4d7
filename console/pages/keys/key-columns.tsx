import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { Tag } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import css from './key-columns.module.css'
import { KeyStatusBadge } from './key-state.tsx'
import { summaryOf } from './scope-words.ts'

const surfaceNames: Readonly<Record<string, string>> = { http: 'HTTP', mcp: 'MCP' }
const summarisedMax = 2

export const keyColumns = (workspaceId: string): readonly Column<ApiKey>[] => [
  { head: 'Name', cell: (key) => <Name workspaceId={workspaceId} apiKey={key} /> },
  { head: 'Status', cell: (key) => <Status apiKey={key} /> },
  { head: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} />, isSecondary: true },
  {
    head: 'Surfaces',
    cell: ({ surfaces }) => surfaces.map((surface) => surfaceNames[surface]).join(', '),
    isSecondary: true,
  },
  { head: 'Last used', cell: (key) => <LastUsed apiKey={key} />, isSecondary: true },
  { head: 'Rotation due', cell: ({ rotateBy }) => <RelativeTime at={rotateBy} never="Never" />, isSecondary: true },
]

const Name = ({ workspaceId, apiKey }: { readonly workspaceId: string; readonly apiKey: ApiKey }): ReactNode => (
  <span className={css.name}>
    <Link to="/w/$workspaceId/keys/$id" params={{ workspaceId, id: apiKey.id }}>
      {apiKey.name}
    </Link>
    <code>{apiKey.prefix}…</code>
  </span>
)

const Status = ({ apiKey: { status, previousSecretLastUsedAt } }: { readonly apiKey: ApiKey }): ReactNode => (
  <span className={css.states}>
    <KeyStatusBadge status={status} />
    {previousSecretLastUsedAt !== null && status !== 'revoked' && <Tag>Old secret in use</Tag>}
  </span>
)

function Scopes({ scopes }: { readonly scopes: readonly string[] }): ReactNode {
  const all = summaryOf(scopes)
  return (
    <span className={css.scopes}>
      {all.slice(0, summarisedMax).map((each) => (
        <Tag key={each}>{each}</Tag>
      ))}
      {all.length > summarisedMax && <span className={css.more}>and {all.length - summarisedMax} more</span>}
    </span>
  )
}

const LastUsed = ({ apiKey: { lastUsedAt, lastUsedIp } }: { readonly apiKey: ApiKey }): ReactNode => (
  <span className={css.name}>
    <RelativeTime at={lastUsedAt} />
    {lastUsedIp !== null && <code>{lastUsedIp}</code>}
  </span>
)
