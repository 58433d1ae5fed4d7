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
          announce(`Revoked ${name}`)
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
        confirm="Revoke the key"
        typed={name}
        onConfirm={confirmed}
        onClose={() => setAsking(false)}
      >
        <p>Calls with it are refused from now on, at every gateway at once. It cannot be undone.</p>
        {lastUsedAt !== null && (
          <p>
            It was used last <RelativeTime at={lastUsedAt} />.
          </p>
        )}
        {revoke.error !== null && <FailureNotice failure={failureOf(revoke.error)} />}
      </ConfirmDialog>
    </>
  )
}
