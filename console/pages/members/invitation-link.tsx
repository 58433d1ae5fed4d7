// The link of an invitation, shown once: it is in this component's props alone, and gone with them.
import type { ReactNode } from 'react'
import type { Output } from '#contract/operation.ts'
import type { OperationNamed } from '#contract/api.ts'
import { days } from 'virtual:days'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/failure-notice.tsx'
import { dayText } from '../../ui/moment-text.ts'
import css from './members.module.css'

export type Invitation = Output<OperationNamed<'invitations.create'>>

export const InvitationLink = ({
  invitation: { path, expiresAt },
  name,
}: {
  readonly invitation: Invitation
  readonly name: string
}): ReactNode => {
  const address = location.origin + path
  return (
    <div className={css.link}>
      <p>
        The link can be used once and expires in {days.invitationDays} days, on {dayText(new Date(expiresAt))}.
      </p>
      <code className={css.address} data-invitation>
        {address}
      </code>
      <CopyButton variant="primary" text={address} what="link" />
      <Notice tone="warn" title="The link is shown only once">
        <p>
          No e-mail is sent. Send the link to {name} privately: anyone with the link can join as this member. A new link
          replaces this one.
        </p>
      </Notice>
    </div>
  )
}
