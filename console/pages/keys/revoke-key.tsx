import { useState, type ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { failureOf } from '../../app/failure.ts'
import { useChange } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { texts } from './texts.tsx'

export function RevokeKey({ apiKey: { id, name, lastUsedAt } }: { readonly apiKey: ApiKey }): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const revoke = useChange('api-keys.revoke')
  function confirmed(): void {
    revoke.mutate(
      { id },
      {
        onSuccess: () => {
          setAsking(false)
          announce(texts.keyRevoked(name))
        },
      },
    )
  }
  return (
    <>
      <Button icon="trash" onClick={() => setAsking(true)}>
        {texts.revoke}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        isBusy={revoke.isPending}
        title={texts.revokeNamed(name)}
        confirm={texts.revokeKey}
        typed={name}
        onConfirm={confirmed}
        onClose={() => setAsking(false)}
      >
        <p>{texts.requestsWithThisKeyWillBe}</p>
        {lastUsedAt !== null && <p>{texts.theKeyWasLastUsedAt(<RelativeTime at={lastUsedAt} />)}</p>}
        {revoke.error !== null && <FailureNotice failure={failureOf(revoke.error)} />}
      </ConfirmDialog>
    </>
  )
}
