import type { ReactNode } from 'react'
import { roleWords } from '../../app/role-words.ts'
import { Notice } from '../../ui/failure-notice.tsx'
import type { Shown } from './accept.ts'

/** What whoever accepts may do there. */
export const RoleNotice = ({ invitation: { role } }: Pick<Shown, 'invitation'>): ReactNode => (
  <Notice tone="info" title={`Your role: ${roleWords[role].name}`}>
    <p>{roleWords[role].permissions}</p>
  </Notice>
)
