// The details of a member, with the actions that the signed-in member may take.
import type { ReactNode } from 'react'
import type { Member } from '#contract/members.ts'
import { roleWords } from '../../app/role-words.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { DoneBy, ObjectHistoryLink } from '../../history/links.tsx'
import { CopyLine } from '../../ui/code-block.tsx'
import { Notice } from '../../ui/failure-notice.tsx'
import { Facts, Row, Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { InviteAgain } from './invite-again.tsx'
import { MemberAccess } from './member-access.tsx'
import { Standing } from './member-columns.tsx'
import { canBeInvited, whyNotMine } from './member-state.ts'
import css from './members.module.css'
import { RoleForm } from './role-form.tsx'
import { texts } from './texts.ts'

export function MemberDetails({
  member,
  onRemoved,
}: {
  readonly member: Member
  readonly onRemoved: () => void
}): ReactNode {
  const { member: viewer, may } = useWorkspace()
  const whyNot = whyNotMine(member, viewer, may('workspaces:write'))
  return (
    <div className={css.details}>
      <header className={css.heading}>
        <h2>{member.name}</h2>
        <p className={css.email}>{member.email}</p>
        <p className={css.email}>
          <CopyLine text={member.id} what={texts.memberId} />
        </p>
      </header>
      <Facts facts={factsOf(member)} />
      <Section title={texts.activity}>
        <Row>
          <DoneBy id={member.id} kind="member" />
          <ObjectHistoryLink id={member.id}>{texts.changesOfThisMember}</ObjectHistoryLink>
        </Row>
      </Section>
      {whyNot === null ? (
        <>
          <RoleForm member={member} />
          {canBeInvited(member) && <InviteAgain member={member} />}
          <MemberAccess member={member} onRemoved={onRemoved} />
        </>
      ) : (
        <Section title={roleWords[member.role].name} about={roleWords[member.role].permissions}>
          <Notice tone="info" title={whyNot} />
        </Section>
      )}
    </div>
  )
}

const factsOf = (member: Member): { readonly name: string; readonly value: ReactNode }[] => [
  { name: texts.status, value: <Standing member={member} /> },
  { name: texts.lastActive, value: <RelativeTime at={member.lastSeenAt} /> },
  { name: texts.added, value: <RelativeTime at={member.createdAt} /> },
  { name: texts.addedBy, value: member.createdBy.name },
]
