// Who gets e-mails about alarms of the workspace, and about which.
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AlarmSettings } from '#contract/alarms.ts'
import { AlarmChoices } from '../../app/alarm-choices.tsx'
import { failureOf } from '../../app/failure.ts'
import { keyOf, useAnswer, useChange, useWorkspace, type InputOf } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Section, Stack } from '../../ui/page.tsx'

const recipients: readonly { readonly value: AlarmSettings['recipients']; readonly label: string }[] = [
  { value: 'admins', label: 'Owners and admins' },
  { value: 'owners', label: 'Owners' },
]

export function Notifications({ canChange }: { readonly canChange: boolean }): ReactNode {
  const { id } = useWorkspace()
  const queries = useQueryClient()
  const { data } = useAnswer('alarms.settings', {})
  const update = useChange('alarms.update-settings')
  if (data === undefined) return null
  function save(input: InputOf<'alarms.update-settings'>): void {
    // What was chosen is shown at once; the answer is asked for again in any case.
    queries.setQueryData(keyOf(id, 'alarms.settings', {}), { ...data, ...input })
    update.mutate(input, { onSuccess: () => announce('Notifications saved') })
  }
  return (
    <Section
      title="Notifications"
      about="E-mails about what needs attention in this workspace. Each person can turn off more on the Account page."
    >
      <Stack>
        {!data.sendsEmail && (
          <Notice tone="info" title="No e-mails are sent for this workspace">
            <p>
              What needs attention is shown on the overview. E-mails are sent if the operator has set up e-mail, and
              never for sandboxes.
            </p>
          </Notice>
        )}
        <SelectField
          label="Recipients"
          value={data.recipients}
          choices={recipients}
          disabled={!canChange}
          onValue={(value) => save({ recipients: value === 'owners' ? 'owners' : 'admins' })}
        />
        <AlarmChoices
          label="Send e-mails about"
          muted={data.mutedKinds}
          isDisabled={!canChange}
          onMuted={(mutedKinds) => save({ mutedKinds })}
        />
        {update.error !== null && <FailureNotice failure={failureOf(update.error)} />}
      </Stack>
    </Section>
  )
}
