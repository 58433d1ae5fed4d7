import type { ReactNode } from 'react'
import type { Member } from '#contract/members.ts'
import { roleWords } from '../../app/role-words.ts'
import { Badge, Tag } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { standingOf } from './member-state.ts'
import css from './members.module.css'
import { texts } from './texts.ts'

export const memberColumns = (ownId: string | undefined, show: (member: Member) => void): readonly Column<Member>[] => [
  {
    head: texts.name,
    cell: (member) => <Name member={member} isOwn={member.id === ownId} show={show} />,
    sort: { name: 'name' },
  },
  { head: texts.role, isSecondary: true, isShownElsewhere: true, cell: ({ role }) => roleWords[role].name },
  { head: texts.status, cell: (member) => <Standing member={member} /> },
  { head: texts.lastActive, isSecondary: true, cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
  {
    head: texts.added,
    isSecondary: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    sort: { name: 'createdAt', isDescendingFirst: true },
  },
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
        {isOwn && <Tag>{texts.you}</Tag>}
      </span>
      <span className={css.email}>{member.email}</span>
      <span className={css.role}>{roleWords[member.role].name}</span>
    </span>
  </span>
)
