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
import { texts } from './texts.tsx'

/** Nothing without an overlap. */
export function PreviousSecret({ apiKey }: { readonly apiKey: ApiKey }): ReactNode {
  const { may } = useWorkspace()
  const { previousSecretExpiresAt, previousSecretLastUsedAt, revokedAt } = apiKey
  if (previousSecretExpiresAt === null || revokedAt !== null) return null
  const isUsed = previousSecretLastUsedAt !== null
  return (
    <Notice tone={isUsed ? 'warn' : 'info'} title={isUsed ? texts.theOldSecretIsIn : texts.oldSecretNotUsed}>
      <p>{texts.itExpires(<Use apiKey={apiKey} />, <RelativeTime at={previousSecretExpiresAt} />)}</p>
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
  if (at === null) return <>{texts.noRequestsWithItSince(<RelativeTime at={secretCreatedAt} />)}</>
  const requests = previousSecretRequests ?? 0
  // Without the time of the rotation: soon after it, both times are "just now".
  return (
    <>
      {texts.requestsSinceTheRotation(requests, requests.toLocaleString('en'))}
      <RelativeTime at={at} />
      {ip !== null && ip !== '' && <> {texts.secretUsedFrom(ip)}</>}.
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
          announce(texts.oldSecretExpired)
        },
      },
    )
  }
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        {texts.expireNow}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        isBusy={expire.isPending}
        title={texts.expireTheOldSecret}
        confirm={texts.expireSecret}
        onConfirm={confirmed}
        onClose={() => setAsking(false)}
      >
        <p>{texts.requestsWithTheOldSecret}</p>
        <p>
          <Use apiKey={apiKey} />
        </p>
        {expire.error !== null && <FailureNotice failure={failureOf(expire.error)} />}
      </ConfirmDialog>
    </>
  )
}
