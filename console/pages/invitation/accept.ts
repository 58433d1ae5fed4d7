// Accepts an invitation. The answer signs the account in, and the workspace is shown next.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { OperationNamed } from '#contract/api.ts'
import type { Input, Output } from '#contract/operation.ts'
import { call } from '../../app/call.ts'
import { sessionQuery } from '../../app/session.ts'
import { announce } from '../../ui/announcements.tsx'
import { joinedWorkspace } from './joined-workspace.ts'
import { texts } from './texts.ts'

export type Shown = {
  readonly token: string
  readonly invitation: Output<OperationNamed<'invitations.get'>>
}

export function useAccept(): (input: Input<OperationNamed<'invitations.accept'>>) => Promise<void> {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (input) => {
    const before = queries.getQueryData(sessionQuery.queryKey)
    const after = await call('invitations.accept', input)
    const joined = joinedWorkspace(before, after)
    queries.setQueryData(sessionQuery.queryKey, after)
    if (joined === undefined) {
      await navigate({ to: '/', replace: true })
      return
    }
    announce(texts.welcomeTo(joined.name))
    await navigate({ to: '/w/$workspaceId', params: { workspaceId: joined.workspaceId }, replace: true })
  }
}
