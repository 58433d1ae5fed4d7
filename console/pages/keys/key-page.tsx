// One key: what it is and may do, which rules it breaks, and giving it a new secret or taking it back.
import { Link, getRouteApi } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { ApiError } from '#clients/typescript/src/errors.ts'
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
import { texts } from './texts.tsx'

const route = getRouteApi('/w/$workspaceId/keys/$id')

export function KeyPage(): ReactNode {
  const { id } = route.useParams()
  const { data: key, error, refetch } = useAnswer('api-keys.get', { id })
  const [made, setMade] = useState<MadeKey | null>(null)
  if (made !== null) return <SecretStep made={made} title={texts.keyRotated} onDone={() => setMade(null)} />
  if (key !== undefined) return <Key apiKey={key} onRotated={setMade} />
  if (error === null) return <LoadingPage />
  const isMissing = error instanceof ApiError && error.problem.code === 'not_found'
  return (
    <Page title={texts.key} above={<BackToKeys />}>
      <FailureNotice failure={failureOf(error)} {...(!isMissing && { retry: () => void refetch() })} />
    </Page>
  )
}

function BackToKeys(): ReactNode {
  const { id: workspaceId } = useWorkspace()
  return (
    <Link to="/w/$workspaceId/keys" params={{ workspaceId }}>
      {texts.apiKeys}
    </Link>
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
      above={<BackToKeys />}
      about={apiKey.description ?? undefined}
      actions={
        mayWrite && (
          <>
            {apiKey.revokedAt === null && <EditLink workspaceId={workspaceId} id={apiKey.id} />}
            {isUsable(apiKey) && (
              <Button icon="rotate" onClick={() => setRotating(true)}>
                {texts.rotate}
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
      <Section title={texts.permissions}>
        <ul className={css.sentences}>
          {sentences(new Set(apiKey.scopes)).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </Section>
      <KeyUsage keyId={apiKey.id} isUsable={isUsable(apiKey)} />
      <KeyHistory keyId={apiKey.id} />
      <RotateDialog apiKey={apiKey} isOpen={isRotating} onRotated={onRotated} onClose={() => setRotating(false)} />
    </Page>
  )
}

const EditLink = ({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }): ReactNode => (
  <Link to="/w/$workspaceId/keys/$id/edit" params={{ workspaceId, id }} className={buttonClass()}>
    {texts.editThis}
  </Link>
)

const factsOf = (key: ApiKey) => [
  { name: texts.status, value: <KeyStatusBadge status={key.status} /> },
  { name: texts.prefix, value: <CopyLine text={key.prefix} what={texts.prefixCopied} /> },
  { name: texts.keyId, value: <CopyLine text={key.id} what={texts.keyIdCopied} /> },
  { name: texts.surfaces, value: key.surfaces.map((surface) => surface.toUpperCase()).join(', ') },
  ...(key.toolNames === 'auto' ? [] : [{ name: texts.mcpToolNames, value: texts.with(key.toolNames) }]),
  { name: texts.lastUsed, value: <LastUsed apiKey={key} /> },
  { name: texts.requestsIn30Days, value: key.requests30d.toLocaleString('en') },
  ...(key.revokedAt === null
    ? [
        { name: texts.expires, value: <RelativeTime at={key.expiresAt} /> },
        { name: texts.rotationDue, value: <RelativeTime at={key.rotateBy} never={texts.never} /> },
      ]
    : []),
  { name: texts.secretCreated, value: <RelativeTime at={key.secretCreatedAt} /> },
  { name: texts.created, value: <RelativeTime at={key.createdAt} /> },
  { name: texts.createdBy, value: key.createdBy.name },
  ...(key.rateLimit === null
    ? []
    : [{ name: texts.rateLimit, value: texts.perMinuteBurst(key.rateLimit.perMinute, key.rateLimit.burst) }]),
  {
    name: texts.ipAllowlist,
    value: key.ipAllowlist.length === 0 ? texts.anyIpAddress : <code>{key.ipAllowlist.join(', ')}</code>,
  },
  ...(key.previousSecretExpiresAt === null
    ? []
    : [{ name: texts.oldSecretExpires, value: <RelativeTime at={key.previousSecretExpiresAt} /> }]),
  ...(key.revokedAt === null
    ? []
    : [
        { name: texts.revoked, value: <RelativeTime at={key.revokedAt} /> },
        { name: texts.revokedBy, value: key.revokedBy?.name ?? texts.unknown },
      ]),
]

const LastUsed = ({ apiKey: { lastUsedAt, lastUsedIp } }: { readonly apiKey: ApiKey }): ReactNode => (
  <>
    <RelativeTime at={lastUsedAt} />
    {lastUsedIp !== null && <> {texts.from(lastUsedIp)}</>}
  </>
)
