import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { Tag } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import css from './key-columns.module.css'
import { KeyStatusBadge, statusNames } from './key-state.tsx'
import { summaryOf } from './scope-words.ts'
import { texts } from './texts.tsx'

const surfaceNames: Readonly<Record<string, string>> = { http: 'HTTP', mcp: 'MCP' }
const summarisedMax = 2

export const keyColumns = (workspaceId: string): readonly Column<ApiKey>[] => [
  {
    head: texts.name,
    cell: (key) => <Name workspaceId={workspaceId} apiKey={key} />,
    sort: { name: 'name', value: ({ name }) => name },
  },
  {
    head: texts.status,
    cell: (key) => <Status apiKey={key} />,
    sort: { name: 'status', value: ({ status }) => statusNames[status] },
  },
  {
    head: texts.lastUsed,
    cell: (key) => <LastUsed apiKey={key} />,
    isSecondary: true,
    sort: { name: 'lastUsedAt', value: ({ lastUsedAt }) => timeOf(lastUsedAt), isDescendingFirst: true },
  },
  { head: texts.scopes, cell: ({ scopes }) => <Scopes scopes={scopes} />, isSecondary: true, width: '26%' },
  {
    head: texts.surfaces,
    cell: ({ surfaces }) => surfaces.map((surface) => surfaceNames[surface]).join(', '),
    isSecondary: true,
  },
  {
    head: texts.rotationDue,
    cell: ({ rotateBy, revokedAt }) => <RelativeTime at={rotateBy} never={revokedAt === null ? texts.never : '–'} />,
    isSecondary: true,
    sort: { name: 'rotateBy', value: ({ rotateBy }) => timeOf(rotateBy) },
  },
]

const timeOf = (at: string | null): number | null => (at === null ? null : Date.parse(at))

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
    {previousSecretLastUsedAt !== null && status !== 'revoked' && <Tag>{texts.oldSecretInUse}</Tag>}
  </span>
)

function Scopes({ scopes }: { readonly scopes: readonly string[] }): ReactNode {
  const all = summaryOf(scopes)
  return (
    <span className={css.scopes}>
      {all.slice(0, summarisedMax).map((each) => (
        <Tag key={each}>{each}</Tag>
      ))}
      {all.length > summarisedMax && (
        <span className={css.more}>{texts.andMoreScopes(all.length - summarisedMax)}</span>
      )}
    </span>
  )
}

const LastUsed = ({ apiKey: { lastUsedAt, lastUsedIp } }: { readonly apiKey: ApiKey }): ReactNode => (
  <span className={css.name}>
    <RelativeTime at={lastUsedAt} />
    {lastUsedIp !== null && <code>{lastUsedIp}</code>}
  </span>
)
