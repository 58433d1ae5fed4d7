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
  { value: '0', label: 'Ends at once' },
  { value: '1', label: 'For an hour' },
  { value: '24', label: 'For a day' },
  { value: '72', label: 'For three days' },
  { value: '168', label: 'For a week' },
] as const
const usual = '24'

type Props = {
  readonly apiKey: ApiKey
  readonly isOpen: boolean
  readonly onRotated: (made: MadeKey) => void
  readonly onClose: () => void
}

export const RotateDialog = ({ isOpen, onClose, ...rest }: Props): ReactNode => (
  <Dialog isOpen={isOpen} title={`Give ${rest.apiKey.name} a new secret`} onClose={onClose}>
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
      confirm="Make a new secret"
      isDanger={hours === '0'}
      isBusy={rotate.isPending}
      onConfirm={confirmed}
      onCancel={onClose}
    >
      <SelectField label="The old secret goes on working" value={hours} choices={overlaps} onValue={setHours} />
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
      title={hours === 0 ? 'Whoever uses the old secret is refused at once' : 'Both secrets work until then'}
    >
      <p>
        {hours === 0
          ? 'Programs fail until they have the new one.'
          : 'Give the new one to every program meanwhile. Those that still have the old one then fail.'}
      </p>
      {lastUsedAt !== null && (
        <p>
          The key was used last <RelativeTime at={lastUsedAt} />.
        </p>
      )}
      {previousSecretExpiresAt !== null && <p>The secret before this one goes on for no longer than that either.</p>}
    </Notice>
  )
}
