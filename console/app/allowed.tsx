// A page for those who have the right to it. Others, who have followed a link, are told so before they fill in a form.
import type { ReactNode } from 'react'
import type { Scope } from '#contract/scopes.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { roleWords } from './role-words.ts'
import { useWorkspace } from './workspace.ts'
import { texts } from './texts.tsx'

export function Allowed({
  scope,
  title,
  children,
}: {
  readonly scope: Scope
  readonly title: string
  readonly children: ReactNode
}): ReactNode {
  const { member, may } = useWorkspace()
  if (may(scope)) return children
  const why = member === null ? texts.youAreNotAMember : texts.yourRoleInThisWorkspace(roleWords[member.role].name)
  return (
    <Page title={title}>
      <EmptyState icon="policy" title={texts.youDoNotHaveAccess} text={texts.askAnOwnerOrAdmin(why)} />
    </Page>
  )
}
