import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { useWorkspace } from './workspace.ts'

/** From a list to the form that adds to it. `n` leads there as well. */
export function NewLink({
  to,
  children,
}: {
  readonly to: '/w/$workspaceId/keys/new' | '/w/$workspaceId/webhooks/new'
  readonly children: ReactNode
}): ReactNode {
  const { id: workspaceId } = useWorkspace()
  return (
    <Link to={to} params={{ workspaceId }} className={buttonClass({ variant: 'primary' })} data-shortcut="n">
      {children}
    </Link>
  )
}
