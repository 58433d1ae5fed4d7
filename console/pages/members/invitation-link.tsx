// The link of an invitation, shown once, whether or not it was sent by e-mail: it is in this component's props alone,
// and gone with them.
import type { ReactNode } from 'react'
import type { Output } from '#contract/operation.ts'
import type { OperationNamed } from '#contract/api.ts'
import type { Member } from '#contract/members.ts'
import { days } from 'virtual:days'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/failure-notice.tsx'
import { dayText } from '../../ui/moment-text.ts'
import css from './members.module.css'

export type Invitation = Output<OperationNamed<'invitations.create'>>

export const InvitationLink = ({
  invitation: { path, expiresAt, emailed },
  member: { name, email },
}: {
  readonly invitation: Invitation
  readonly member: Pick<Member, 'name' | 'email'>
}): ReactNode => {
  const address = location.origin + path
  const share = 'anyone with the link can join as this member. A new link replaces this one.'
  return (
    <div className={css.link}>
      <p>
        {emailed && `We sent the link to ${email}. `}
        The link can be used once and expires in {days.invitationDays} days, on {dayText(new Date(expiresAt))}.
      </p>
      <code className={css.address} data-invitation>
        {address}
      </code>
      <CopyButton variant={emailed ? 'button' : 'primary'} text={address} what="link" />
      <Notice tone="warn" title="The link is shown only once">
        <p>
          {emailed
            ? `If the e-mail does not arrive, send the link to ${name} privately: ${share}`
            : `No e-mail is sent. Send the link to ${name} privately: ${share}`}
        </p>
      </Notice>
    </div>
  )
}
