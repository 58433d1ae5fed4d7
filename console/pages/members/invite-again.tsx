// A new link for a member who has not come yet.
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Member } from '#contract/members.ts'
import { failureOf } from '../../app/failure.ts'
import { signInMethodsQuery } from '../../app/provider-sign-in.ts'
import { useChange } from '../../app/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Section } from '../../ui/page.tsx'
import { InvitationLink, type Invitation } from './invitation-link.tsx'
import { texts } from './texts.ts'

export function InviteAgain({ member }: { readonly member: Member }): ReactNode {
  const [made, setMade] = useState<Invitation | null>(null)
  const invite = useChange('invitations.create')
  const sendsEmail = useQuery(signInMethodsQuery).data?.sendsEmail === true
  return (
    <Section title={texts.invitation} about={texts.thisMemberHasNotSigned}>
      {made === null ? (
        <div>
          <Button
            {...(sendsEmail && { icon: 'send' as const })}
            isBusy={invite.isPending}
            onClick={() => invite.mutate({ memberId: member.id }, { onSuccess: setMade })}
          >
            {sendsEmail ? texts.sendAgain : texts.createNewLink}
          </Button>
        </div>
      ) : (
        <InvitationLink invitation={made} member={member} />
      )}
      {invite.error !== null && <FailureNotice failure={failureOf(invite.error)} />}
    </Section>
  )
}
