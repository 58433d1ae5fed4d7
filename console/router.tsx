// Every address of the console. A page comes as a chunk of its own when it is first shown.
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { FailedPage, LoadingPage } from './app/page-states.tsx'
import { parseSearch, stringifySearch } from './app/search-params.ts'
import { sessionQuery } from './app/session.ts'
import { NotFound, Shell } from './app/shell.tsx'
import { Announcements } from './ui/announcements.tsx'

type Context = { readonly queries: QueryClient }

const root = createRootRouteWithContext<Context>()({
  component: () => (
    <>
      <Outlet />
      <Announcements />
    </>
  ),
  notFoundComponent: NotFound,
})

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context }) => {
    const [first] = (await context.queries.ensureQueryData(sessionQuery)).workspaces
    // oxlint-disable-next-line typescript/only-throw-error
    if (first !== undefined) throw redirect({ to: '/w/$workspaceId', params: { workspaceId: first.workspaceId } })
  },
})

const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspaceId',
  beforeLoad: ({ context }) => context.queries.ensureQueryData(sessionQuery),
  component: Shell,
})

const workspaceStart = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  beforeLoad: ({ params }) => {
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to: '/w/$workspaceId/keys', params })
  },
})

const keys = createRoute({
  getParentRoute: () => workspace,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
})

const routeTree = root.addChildren([start, workspace.addChildren([workspaceStart, keys])])

export const openRouter = (queries: QueryClient) =>
  createRouter({
    routeTree,
    basepath: '/settings',
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: FailedPage,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof openRouter>
  }
}
