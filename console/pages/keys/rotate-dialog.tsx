// Gives a key a new secret, after saying what becomes of the old one.
import { useState, type ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { failureOf } from '../../app/failure.ts'
import { useChange } from '../../app/workspace.ts'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { SelectField } from '../../ui/field.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { MadeKey } from './secret-step.tsx'

const overlaps = [
  { value: '0', label: 'Immediately' },
  { value: '1', label: 'After 1 hour' },
  { value: '24', label: 'After 24 hours' },
  { value: '72', label: 'After 3 days' },
  { value: '168', label: 'After 7 days' },
] as const
const usual = '24'

type Props = {
  readonly apiKey: ApiKey
  readonly isOpen: boolean
  readonly onRotated: (made: MadeKey) => void
  readonly onClose: () => void
}

export const RotateDialog = ({ isOpen, onClose, ...rest }: Props): ReactNode => (
  <Dialog isOpen={isOpen} title={`Rotate ${rest.apiKey.name}?`} onClose={onClose}>
    <Overlap {...rest} onClose={onClose} />
  </Dialog>
)

function Overlap({ apiKey, onRotated, onClose }: Omit<Props, 'isOpen'>): ReactNode {
  const [hours, setHours] = useState<string>(usual)
  const rotate = useChange('api-keys.rotate')
  function confirmed(): void {
    rotate.mutate(
      { id: apiKey.id, overlapHours: Number(hours) },
      {
        onSuccess: (made) => {
          onClose()
          onRotated(made)
        },
      },
    )
  }
  return (
    <DialogForm
      confirm="Rotate key"
      isDanger={hours === '0'}
      isBusy={rotate.isPending}
      onConfirm={confirmed}
      onCancel={onClose}
    >
      <SelectField label="Old secret expires" value={hours} choices={overlaps} onValue={setHours} />
      <Consequence apiKey={apiKey} hours={Number(hours)} />
      {rotate.error !== null && <FailureNotice failure={failureOf(rotate.error)} />}
    </DialogForm>
  )
}

function Consequence({ apiKey, hours }: { readonly apiKey: ApiKey; readonly hours: number }): ReactNode {
  const { lastUsedAt, previousSecretExpiresAt } = apiKey
  return (
    <Notice
      tone={hours === 0 ? 'warn' : 'info'}
      title={
        hours === 0
          ? 'Requests with the old secret are denied immediately'
          : 'Both secrets work until the old one expires'
      }
    >
      <p>
        {hours === 0
          ? 'Programs stop working until they use the new secret.'
          : 'Update all programs before the old secret expires.'}
      </p>
      {lastUsedAt !== null && (
        <p>
          The key was last used <RelativeTime at={lastUsedAt} />.
        </p>
      )}
      {previousSecretExpiresAt !== null && (
        <p>A secret from an earlier rotation is still valid. It expires at the same time or earlier.</p>
      )}
    </Notice>
  )
}
