import type { ReactNode } from 'react'
import { roleWords } from '../../app/role-words.ts'
import { Notice } from '../../ui/failure-notice.tsx'
import type { Shown } from './accept.ts'
import { texts } from './texts.ts'

/** The role of the invited member and its permissions. */
export const RoleNotice = ({ invitation: { role } }: Pick<Shown, 'invitation'>): ReactNode => (
  <Notice tone="info" title={texts.yourRole(roleWords[role].name)}>
    <p>{roleWords[role].permissions}</p>
  </Notice>
)
