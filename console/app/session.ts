// The signed-in account and its permissions in each workspace.
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { covers, type Scope } from '#contract/scopes.ts'
import type { Output } from '#contract/operation.ts'
import type { OperationNamed } from '#contract/api.ts'
import { call } from './call.ts'
import { markSignedIn } from '../ui/signed-in-mark.ts'

export type CurrentSession = Output<OperationNamed<'sessions.current'>>
export type Membership = CurrentSession['workspaces'][number]

export const sessionQuery = queryOptions({
  queryKey: ['sessions.current'],
  queryFn: async ({ signal }) => {
    const session = await call('sessions.current', {}, { signal })
    markSignedIn(true)
    return session
  },
  staleTime: 60_000,
  retry: false,
})

export const useSession = (): CurrentSession => useSuspenseQuery(sessionQuery).data

/** Null where the account is no member of it. */
export const useMembership = (workspaceId: string): Membership | null =>
  useQuery(sessionQuery).data?.workspaces.find((each) => each.workspaceId === workspaceId) ?? null

/** May the member do what needs this scope? The server decides; pages ask so that they offer nothing in vain. */
export const may = (member: Membership | null, scope: Scope): boolean => member !== null && covers(member.scopes, scope)
