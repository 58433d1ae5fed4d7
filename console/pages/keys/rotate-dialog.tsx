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
import { texts } from './texts.tsx'

const overlaps = [
  { value: '0', label: texts.immediately },
  { value: '1', label: texts.after1Hour },
  { value: '24', label: texts.after24Hours },
  { value: '72', label: texts.after3Days },
  { value: '168', label: texts.after7Days },
] as const
const usual = '24'

type Props = {
  readonly apiKey: ApiKey
  readonly isOpen: boolean
  readonly onRotated: (made: MadeKey) => void
  readonly onClose: () => void
}

export const RotateDialog = ({ isOpen, onClose, ...rest }: Props): ReactNode => (
  <Dialog isOpen={isOpen} title={texts.rotateNamed(rest.apiKey.name)} onClose={onClose}>
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
      confirm={texts.rotateKey}
      isDanger={hours === '0'}
      isBusy={rotate.isPending}
      onConfirm={confirmed}
      onCancel={onClose}
    >
      <SelectField label={texts.oldSecretExpires} value={hours} choices={overlaps} onValue={setHours} />
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
      title={hours === 0 ? texts.requestsWithTheOldSecretAre : texts.bothSecretsWorkUntilThe}
    >
      <p>{hours === 0 ? texts.programsStopWorkingUntilThey : texts.updateAllProgramsBeforeThe}</p>
      {lastUsedAt !== null && <p>{texts.theKeyWasLastUsedAt(<RelativeTime at={lastUsedAt} />)}</p>}
      {previousSecretExpiresAt !== null && <p>{texts.aSecretFromAnEarlier}</p>}
    </Notice>
  )
}
