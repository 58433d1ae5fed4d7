// The keys that were chosen in the list, and the way to revoke them together.
import { useState, type ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { failureOf } from '../../app/failure.ts'
import { useChange } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Row } from '../../ui/page.tsx'
import { texts } from './texts.tsx'

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
  const count = keys.length === 1 ? texts.oneKey : texts.keys(keys.length)

  async function revokeAll(): Promise<void> {
    setBusy(true)
    // One after the other: where one is refused, those before it are revoked, and the list says so.
    try {
      for (const { id } of keys) await revoke({ id })
      announce(texts.manyRevoked(count))
      onDone()
    } catch (error) {
      announce(failureOf(error).detail, 'bad')
    }
    setBusy(false)
    setAsking(false)
  }
  return (
    <Row>
      <span>{texts.selected(count)}</span>
      <Button size="small" icon="trash" onClick={() => setAsking(true)}>
        {texts.revoke}
      </Button>
      <Button size="small" variant="quiet" onClick={onDone}>
        {texts.clearSelection}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        isBusy={isBusy}
        title={texts.revokeMany(count)}
        confirm={keys.length === 1 ? texts.revokeKey : texts.revokeKeys}
        typed="revoke"
        onConfirm={() => void revokeAll()}
        onClose={() => setAsking(false)}
      >
        <p>{texts.requestsWithTheseKeysWill}</p>
        <ul>
          {keys.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </Row>
  )
}
