import { useState, type ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { failureOf } from '../../app/failure.ts'
import { useChange } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

export function RevokeKey({ apiKey: { id, name, lastUsedAt } }: { readonly apiKey: ApiKey }): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const revoke = useChange('api-keys.revoke')
  function confirmed(): void {
    revoke.mutate(
      { id },
      {
        onSuccess: () => {
          setAsking(false)
          announce(`${name} revoked`)
        },
      },
    )
  }
  return (
    <>
      <Button icon="trash" onClick={() => setAsking(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        isBusy={revoke.isPending}
        title={`Revoke ${name}?`}
        confirm="Revoke key"
        typed={name}
        onConfirm={confirmed}
        onClose={() => setAsking(false)}
      >
        <p>Requests with this key will be denied immediately. This cannot be undone.</p>
        {lastUsedAt !== null && (
          <p>
            The key was last used <RelativeTime at={lastUsedAt} />.
          </p>
        )}
        {revoke.error !== null && <FailureNotice failure={failureOf(revoke.error)} />}
      </ConfirmDialog>
    </>
  )
}
