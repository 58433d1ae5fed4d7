// The overlap of a rotation: whether programs still use the previous secret, and its end before the time.
import { useState, type ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { failureOf } from '../../app/failure.ts'
import { useChange, useWorkspace } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { Row } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** Nothing without an overlap. */
export function PreviousSecret({ apiKey }: { readonly apiKey: ApiKey }): ReactNode {
  const { may } = useWorkspace()
  const { previousSecretExpiresAt, previousSecretLastUsedAt, revokedAt } = apiKey
  if (previousSecretExpiresAt === null || revokedAt !== null) return null
  const isUsed = previousSecretLastUsedAt !== null
  return (
    <Notice tone={isUsed ? 'warn' : 'info'} title={isUsed ? 'The old secret is in use' : 'Old secret not used'}>
      <p>
        <Use apiKey={apiKey} /> It expires <RelativeTime at={previousSecretExpiresAt} />.
      </p>
      {may('api-keys:write') && (
        <Row>
          <ExpireNow apiKey={apiKey} />
        </Row>
      )}
    </Notice>
  )
}

/** How often, when and from where, as the gateways have reported it since the rotation. */
function Use({ apiKey }: { readonly apiKey: ApiKey }): ReactNode {
  const { previousSecretLastUsedAt: at, previousSecretLastUsedIp: ip, previousSecretRequests, secretCreatedAt } = apiKey
  const since = <RelativeTime at={secretCreatedAt} />
  if (at === null) return <>No requests with it since the rotation {since}.</>
  const requests = previousSecretRequests ?? 0
  return (
    <>
      {requests === 1 ? '1 request' : `${requests.toLocaleString('en')} requests`} since the rotation {since}, the last{' '}
      <RelativeTime at={at} />
      {ip !== null && ip !== '' && (
        <>
          {' '}
          from <code>{ip}</code>
        </>
      )}
      .
    </>
  )
}

function ExpireNow({ apiKey }: { readonly apiKey: ApiKey }): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const expire = useChange('api-keys.expire-previous-secret')
  function confirmed(): void {
    // As it is shown: after another rotation the previous secret would be another one.
    expire.mutate(
      { id: apiKey.id, expectedVersion: apiKey.version },
      {
        onSuccess: () => {
          setAsking(false)
          announce('Old secret expired')
        },
      },
    )
  }
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        Expire now
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        isBusy={expire.isPending}
        title="Expire the old secret?"
        confirm="Expire secret"
        onConfirm={confirmed}
        onClose={() => setAsking(false)}
      >
        <p>Requests with the old secret will be denied immediately. The current secret keeps working.</p>
        <p>
          <Use apiKey={apiKey} />
        </p>
        {expire.error !== null && <FailureNotice failure={failureOf(expire.error)} />}
      </ConfirmDialog>
    </>
  )
}
