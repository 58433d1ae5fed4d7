// The way to the provider of sign-in and back. What proves that it is the same tab that comes back stays in the tab
// meanwhile.
import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'

export const signInMethodsQuery = queryOptions({
  queryKey: ['sessions.methods'],
  queryFn: ({ signal }) => call('sessions.methods', {}, { signal }),
  staleTime: Infinity,
})

export type WayThere = {
  /** The console's page to show afterwards. */
  readonly next: string
  /** The token of the invitation to accept. */
  readonly invitation?: string
  /** To confirm who is there. */
  readonly fresh?: boolean
}
export type WayBack = { readonly flow: string; readonly next: string; readonly search: string }

const key = 'sign-in-flow'

/** Leaves the console. */
export async function goToProvider({ next, ...asked }: WayThere): Promise<void> {
  const { url, flow } = await call('sessions.begin-at-provider', asked)
  sessionStorage.setItem(key, JSON.stringify({ flow, next }))
  location.assign(url)
}

/** Takes the provider’s answer out of the URL and the tab. Null if the sign-in was not started in this tab. */
export function takeWayBack(): WayBack | null {
  const { search } = location
  const kept = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  history.replaceState(history.state, '', location.pathname)
  return kept === null || search === '' ? null : { ...(JSON.parse(kept) as Omit<WayBack, 'search'>), search }
}
