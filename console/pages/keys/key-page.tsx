// One key: what it is and may do, which rules it breaks, and giving it a new secret or taking it back.
import { Link, getRouteApi } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { failureOf } from '../../app/failure.ts'
import { LoadingPage } from '../../app/page-states.tsx'
import { useAnswer, useWorkspace } from '../../app/workspace.ts'
import { KeyHistory } from '../../key-usage/key-history.tsx'
import { KeyUsage } from '../../key-usage/key-usage.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyLine } from '../../ui/code-block.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { isUsable } from './key-risks.ts'
import { KeyStatusBadge } from './key-state.tsx'
import { PolicyViolations } from './policy-violations.tsx'
import { PreviousSecret } from './previous-secret.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { sentences } from './scope-words.ts'
import { SecretStep, type MadeKey } from './secret-step.tsx'
import css from './key-page.module.css'

const route = getRouteApi('/w/$workspaceId/keys/$id')

export function KeyPage(): ReactNode {
  const { id } = route.useParams()
  const { data: key, error, refetch } = useAnswer('api-keys.get', { id })
  const [made, setMade] = useState<MadeKey | null>(null)
  if (made !== null) return <SecretStep made={made} title="Key rotated" onDone={() => setMade(null)} />
  if (key !== undefined) return <Key apiKey={key} onRotated={setMade} />
  if (error === null) return <LoadingPage />
  return (
    <Page title="Key">
      <FailureNotice failure={failureOf(error)} retry={() => void refetch()} />
    </Page>
  )
}

function Key({
  apiKey,
  onRotated,
}: {
  readonly apiKey: ApiKey
  readonly onRotated: (made: MadeKey) => void
}): ReactNode {
  const { id: workspaceId, may } = useWorkspace()
  const [isRotating, setRotating] = useState(false)
  const mayWrite = may('api-keys:write')
  return (
    <Page
      title={apiKey.name}
      guide="/docs/rotation"
      above={
        <Link to="/w/$workspaceId/keys" params={{ workspaceId }}>
          API keys
        </Link>
      }
      about={apiKey.description ?? undefined}
      actions={
        mayWrite && (
          <>
            {apiKey.revokedAt === null && <EditLink workspaceId={workspaceId} id={apiKey.id} />}
            {isUsable(apiKey) && (
              <Button icon="rotate" onClick={() => setRotating(true)}>
                Rotate…
              </Button>
            )}
            {isUsable(apiKey) && <RevokeKey apiKey={apiKey} />}
          </>
        )
      }
    >
      <PolicyViolations violations={apiKey.policyViolations} />
      <PreviousSecret apiKey={apiKey} />
      <Facts facts={factsOf(apiKey)} />
      <Section title="Permissions">
        <ul className={css.sentences}>
          {sentences(new Set(apiKey.scopes)).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </Section>
      <KeyUsage keyId={apiKey.id} />
      <KeyHistory keyId={apiKey.id} />
      <RotateDialog apiKey={apiKey} isOpen={isRotating} onRotated={onRotated} onClose={() => setRotating(false)} />
    </Page>
  )
}

const EditLink = ({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }): ReactNode => (
  <Link to="/w/$workspaceId/keys/$id/edit" params={{ workspaceId, id }} className={buttonClass()}>
    Edit
  </Link>
)

const factsOf = (key: ApiKey) => [
  { name: 'Status', value: <KeyStatusBadge status={key.status} /> },
  { name: 'Prefix', value: <CopyLine text={key.prefix} what="prefix" /> },
  { name: 'Key ID', value: <CopyLine text={key.id} what="key ID" /> },
  { name: 'Surfaces', value: key.surfaces.map((surface) => surface.toUpperCase()).join(', ') },
  ...(key.toolNames === 'auto' ? [] : [{ name: 'MCP tool names', value: `With ${key.toolNames}` }]),
  { name: 'Last used', value: <LastUsed apiKey={key} /> },
  { name: 'Requests in 30 days', value: key.requests30d.toLocaleString('en') },
  { name: 'Expires', value: <RelativeTime at={key.expiresAt} /> },
  { name: 'Rotation due', value: <RelativeTime at={key.rotateBy} never="Never" /> },
  { name: 'Secret created', value: <RelativeTime at={key.secretCreatedAt} /> },
  { name: 'Created', value: <RelativeTime at={key.createdAt} /> },
  { name: 'Created by', value: key.createdBy.name },
  ...(key.rateLimit === null
    ? []
    : [{ name: 'Rate limit', value: `${key.rateLimit.perMinute} per minute, burst ${key.rateLimit.burst}` }]),
  {
    name: 'IP allowlist',
    value: key.ipAllowlist.length === 0 ? 'Any IP address' : <code>{key.ipAllowlist.join(', ')}</code>,
  },
  ...(key.previousSecretExpiresAt === null
    ? []
    : [{ name: 'Old secret expires', value: <RelativeTime at={key.previousSecretExpiresAt} /> }]),
  ...(key.revokedAt === null
    ? []
    : [
        { name: 'Revoked', value: <RelativeTime at={key.revokedAt} /> },
        { name: 'Revoked by', value: key.revokedBy?.name ?? 'Unknown' },
      ]),
]

const LastUsed = ({ apiKey: { lastUsedAt, lastUsedIp } }: { readonly apiKey: ApiKey }): ReactNode => (
  <>
    <RelativeTime at={lastUsedAt} />
    {lastUsedIp !== null && (
      <>
        {' '}
        from <code>{lastUsedIp}</code>
      </>
    )}
  </>
)
