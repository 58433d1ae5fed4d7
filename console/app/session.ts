// Who is signed in, and what they may do where.
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { covers, type Scope } from '#contract/scopes.ts'
import { readAnswer } from '#clients/read-answer.ts'
import { settingsPrefix } from '#contract/route-paths.ts'

export type Membership = {
  readonly workspaceId: string
  readonly name: string
  /** What the role may do there. */
  readonly scopes: readonly string[]
}
type CurrentSession = { readonly workspaces: readonly Membership[] }

export const sessionQuery = queryOptions({
  queryKey: ['sessions.current'],
  queryFn: async ({ signal }) =>
    (await readAnswer(await fetch(`${settingsPrefix}/sessions/current`, { signal }))) as CurrentSession,
  staleTime: 60_000,
  retry: false,
})

export const useSession = (): CurrentSession => useSuspenseQuery(sessionQuery).data

/** Null where the account is no member of it. */
export const useMembership = (workspaceId: string): Membership | null =>
  useQuery(sessionQuery).data?.workspaces.find((each) => each.workspaceId === workspaceId) ?? null

/** May the member do what needs this scope? The server decides; pages ask so that they offer nothing in vain. */
export const may = (member: Membership | null, scope: Scope): boolean => member !== null && covers(member.scopes, scope)
