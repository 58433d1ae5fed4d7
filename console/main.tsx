// The console in a browser: the theme, the cache of answers, the router. It holds no secret beyond the page that shows
// it.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from '#clients/typescript/src/errors.ts'
import { onSecondFactorRequired, onSignedOut } from './app/call.ts'
import { isLosingByLeaving } from './app/leaving.tsx'
import { sessionQuery } from './app/session.ts'
import { announce } from './ui/announcements.tsx'
import { markSignedIn } from './ui/signed-in-mark.ts'
import { applyTheme } from './ui/stored-theme.ts'
import { openRouter } from './router.tsx'
import './ui/tokens.css'
import './ui/base.css'

const retriesMax = 2
const freshMs = 10_000

applyTheme()
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshMs,
      // A request that the API refused would be refused again.
      retry: (count, error) => count < retriesMax && !(error instanceof ApiError && error.problem.status < 500),
    },
  },
})
const router = openRouter(queries)

// A session that is over: the answers of its account go, and after signing in one is back at the same page. What would
// be lost by that stays, for who signs in again beside it.
onSignedOut(() => {
  markSignedIn(false)
  const { pathname, href } = router.state.location
  if (['/sign-in', '/sign-in/callback', '/setup', '/reset-access', '/invitation'].includes(pathname)) return
  if (isLosingByLeaving())
    return announce('You are signed out. Sign in again in another tab, then continue here.', 'bad')
  queries.clear()
  void router.navigate({ to: '/sign-in', search: { next: href } })
})

// A policy that holds by now: the session says so, and the workspace leads to the setup.
onSecondFactorRequired(() => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }))

const element = document.getElementById('root')
if (element === null) throw new Error('The page has no root')
createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
