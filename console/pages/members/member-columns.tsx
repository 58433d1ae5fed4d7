import type { ReactNode } from 'react'
import type { Member } from '#contract/members.ts'
import { roleWords } from '../../app/role-words.ts'
import { Badge, Tag } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { standingOf } from './member-state.ts'
import css from './members.module.css'

export const memberColumns = (ownId: string | undefined, show: (member: Member) => void): readonly Column<Member>[] => [
  { head: 'Name', cell: (member) => <Name member={member} isOwn={member.id === ownId} show={show} /> },
  { head: 'Role', isSecondary: true, cell: ({ role }) => roleWords[role].name },
  { head: 'Status', cell: (member) => <Standing member={member} /> },
  { head: 'Last active', isSecondary: true, cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
  { head: 'Added', isSecondary: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
]

export function Standing({ member }: { readonly member: Member }): ReactNode {
  const { word, tone } = standingOf(member)
  return <Badge tone={tone}>{word}</Badge>
}

const Name = ({
  member,
  isOwn,
  show,
}: {
  readonly member: Member
  readonly isOwn: boolean
  readonly show: (member: Member) => void
}): ReactNode => (
  <span className={css.person}>
    <span className={css.face} aria-hidden="true">
      {member.name.slice(0, 1).toUpperCase()}
    </span>
    <span className={css.names}>
      <span className={css.nameLine}>
        <button type="button" className={css.name} onClick={() => show(member)}>
          {member.name}
        </button>
        {isOwn && <Tag>You</Tag>}
      </span>
      <span className={css.email}>{member.email}</span>
      <span className={css.role}>{roleWords[member.role].name}</span>
    </span>
  </span>
)
