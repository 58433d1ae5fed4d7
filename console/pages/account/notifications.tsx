// The emails about alarms that the person gets, by workspace.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { AlarmChoices } from '../../app/alarm-choices.tsx'
import { call } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { signInMethodsQuery } from '../../app/provider-sign-in.ts'
import { useSession } from '../../app/session.ts'
import { keyOf } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Section, Stack } from '../../ui/page.tsx'
import type { AlarmKind } from '#contract/alarms.ts'
import { texts } from './texts.ts'

export function Notifications(): ReactNode {
  const workspaces = useSession().workspaces.filter(({ role, sandbox }) => isAdmin(role) && !sandbox)
  const [chosen, setChosen] = useState<string | null>(null)
  const sendsEmail = useQuery(signInMethodsQuery).data?.sendsEmail
  const workspaceId = chosen ?? workspaces[0]?.workspaceId
  if (workspaceId === undefined || sendsEmail === undefined) return null
  return (
    <Section title={texts.notifications} {...(sendsEmail && { about: texts.emailsAboutWhatNeedsAttention })}>
      {sendsEmail ? (
        <Stack>
          {workspaces.length > 1 && (
            <SelectField
              label={texts.workspace}
              value={workspaceId}
              choices={workspaces.map(({ workspaceId: value, name: label }) => ({ value, label }))}
              onValue={setChosen}
            />
          )}
          <Preferences key={workspaceId} workspaceId={workspaceId} />
        </Stack>
      ) : (
        <Notice tone="info" title={texts.thisInstallationDoesNotSend}>
          <p>{texts.whatNeedsAttentionIsShown}</p>
        </Notice>
      )}
    </Section>
  )
}

const isAdmin = (role: string): boolean => role === 'owner' || role === 'admin'

function Preferences({ workspaceId }: { readonly workspaceId: string }): ReactNode {
  const queries = useQueryClient()
  const queryKey = keyOf(workspaceId, 'alarms.preferences')
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call('alarms.preferences', {}, { workspaceId, signal }),
  })
  async function mute(mutedKinds: AlarmKind[]): Promise<void> {
    // What was chosen is shown at once, and taken back where it cannot be saved.
    queries.setQueryData(queryKey, data && { ...data, mutedKinds })
    try {
      queries.setQueryData(queryKey, await call('alarms.update-preferences', { mutedKinds }, { workspaceId }))
      announce(texts.notificationsSaved)
    } catch (thrown) {
      announce(failureOf(thrown).detail, 'bad')
      await queries.invalidateQueries({ queryKey })
    }
  }
  if (error !== null) return <FailureNotice failure={failureOf(error)} retry={() => void refetch()} />
  if (data === undefined) return null
  return (
    <>
      {!data.receives && (
        <Notice tone="info" title={texts.onlyOwnersOfThisWorkspace}>
          <p>{texts.anAdminOrOwnerCan}</p>
        </Notice>
      )}
      <AlarmChoices
        label={texts.sendMeAnEmailAbout}
        muted={data.mutedKinds}
        isDisabled={!data.receives}
        onMuted={(muted) => void mute(muted)}
      />
      <TestEmail workspaceId={workspaceId} />
    </>
  )
}

function TestEmail({ workspaceId }: { readonly workspaceId: string }): ReactNode {
  const [isBusy, setBusy] = useState(false)
  async function send(): Promise<void> {
    setBusy(true)
    try {
      const { email } = await call('alarms.send-test', {}, { workspaceId })
      announce(texts.testEmailSentTo(email))
    } catch (error) {
      announce(failureOf(error).detail, 'bad')
    }
    setBusy(false)
  }
  return (
    <div>
      <Button isBusy={isBusy} icon="send" onClick={() => void send()}>
        {texts.sendTestEmail}
      </Button>
    </div>
  )
}
