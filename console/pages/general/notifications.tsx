// Who gets emails about alarms of the workspace, and about which.
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
import { texts } from './texts.ts'

const recipients: readonly { readonly value: AlarmSettings['recipients']; readonly label: string }[] = [
  { value: 'admins', label: texts.ownersAndAdmins },
  { value: 'owners', label: texts.owners },
]

export function Notifications({ canChange }: { readonly canChange: boolean }): ReactNode {
  const { id, member } = useWorkspace()
  const queries = useQueryClient()
  const { data } = useAnswer('alarms.settings', {})
  const update = useChange('alarms.update-settings')
  if (data === undefined) return null
  function save(input: InputOf<'alarms.update-settings'>): void {
    // What was chosen is shown at once; the answer is asked for again in any case.
    queries.setQueryData(keyOf(id, 'alarms.settings', {}), { ...data, ...input })
    update.mutate(input, { onSuccess: () => announce(texts.notificationsSaved) })
  }
  if (!data.sendsEmail)
    return (
      <Section title={texts.notifications}>
        <Notice tone="info" title={texts.notificationsAreShownOnly}>
          <p>{member?.sandbox === true ? texts.noEmailsForSandboxes : texts.noEmailsWithoutOperator}</p>
        </Notice>
      </Section>
    )
  return (
    <Section title={texts.notifications} about={texts.emailsAboutWhatNeedsAttention}>
      <Stack>
        <SelectField
          label={texts.recipients}
          value={data.recipients}
          choices={recipients}
          disabled={!canChange}
          onValue={(value) => save({ recipients: value === 'owners' ? 'owners' : 'admins' })}
        />
        <AlarmChoices
          label={texts.sendEmailsAbout}
          muted={data.mutedKinds}
          isDisabled={!canChange}
          onMuted={(mutedKinds) => save({ mutedKinds })}
        />
        {update.error !== null && <FailureNotice failure={failureOf(update.error)} />}
      </Stack>
    </Section>
  )
}
