// The keys that were chosen in the list, and the way to revoke them together.
import { useState, type ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { failureOf } from '../../app/failure.ts'
import { useChange } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Row } from '../../ui/page.tsx'

export function RevokeMany({
  keys,
  onDone,
}: {
  readonly keys: readonly ApiKey[]
  readonly onDone: () => void
}): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const { mutateAsync: revoke } = useChange('api-keys.revoke')
  const count = keys.length === 1 ? '1 key' : `${keys.length} keys`

  async function revokeAll(): Promise<void> {
    setBusy(true)
    // One after the other: where one is refused, those before it are revoked, and the list says so.
    try {
      for (const { id } of keys) await revoke({ id })
      announce(`${count} revoked`)
      onDone()
    } catch (error) {
      announce(failureOf(error).detail, 'bad')
    }
    setBusy(false)
    setAsking(false)
  }
  return (
    <Row>
      <span>{count} selected</span>
      <Button size="small" icon="trash" onClick={() => setAsking(true)}>
        Revoke
      </Button>
      <Button size="small" variant="quiet" onClick={onDone}>
        Clear selection
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        isBusy={isBusy}
        title={`Revoke ${count}?`}
        confirm="Revoke"
        typed="revoke"
        onConfirm={() => void revokeAll()}
        onClose={() => setAsking(false)}
      >
        <p>Requests with these keys will be denied immediately. This cannot be undone.</p>
        <ul>
          {keys.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </Row>
  )
}
