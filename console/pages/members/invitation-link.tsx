// The link of an invitation, shown once, whether or not it was sent by email: it is in this component's props alone,
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
import { texts } from './texts.ts'

export type Invitation = Output<OperationNamed<'invitations.create'>>

export const InvitationLink = ({
  invitation: { path, expiresAt, emailed },
  member: { name, email },
}: {
  readonly invitation: Invitation
  readonly member: Pick<Member, 'name' | 'email'>
}): ReactNode => {
  const address = location.origin + path
  const share = texts.anyoneWithTheLinkCan
  return (
    <div className={css.link}>
      <p>
        {emailed && texts.weSentTheLinkTo(email)}
        {texts.theLinkCanBeUsed(days.invitationDays, dayText(new Date(expiresAt)))}
      </p>
      <code className={css.address} data-invitation>
        {address}
      </code>
      <CopyButton variant={emailed ? 'button' : 'primary'} text={address} what={texts.link} />
      <Notice tone="warn" title={texts.theLinkIsShownOnly}>
        <p>{emailed ? texts.ifTheEmailDoesNot(name, share) : texts.noEmailIsSentSend(name, share)}</p>
      </Notice>
    </div>
  )
}
