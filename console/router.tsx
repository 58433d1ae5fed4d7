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
import { codeOf } from './app/call.ts'
import { ConfirmationDialog } from './app/confirmation-dialog.tsx'
import { FailedPage, LoadingPage } from './app/page-states.tsx'
import { oneOf, parseSearch, searchOf, stringifySearch, text } from './app/search-params.ts'
import { sessionQuery, type CurrentSession } from './app/session.ts'
import { NotFound, Shell } from './app/shell.tsx'
import { keySearch } from './pages/keys/key-filter.ts'
import { auditSearch } from './pages/audit/audit-search.ts'
import { requestSearch } from './pages/requests/request-search.ts'
import { memberSearch } from './pages/members/member-search.ts'
import { Announcements } from './ui/announcements.tsx'

type Context = { readonly queries: QueryClient }

const root = createRootRouteWithContext<Context>()({
  component: () => (
    <>
      <Outlet />
      <ConfirmationDialog />
      <Announcements />
    </>
  ),
  notFoundComponent: NotFound,
})

/** Redirects visitors without a session to the sign-in page, which leads back. */
async function signedIn({
  context,
  location,
}: {
  context: Context
  location: { href: string }
}): Promise<CurrentSession> {
  try {
    return await context.queries.ensureQueryData(sessionQuery)
  } catch (error) {
    // oxlint-disable-next-line typescript/only-throw-error
    if (codeOf(error) === 'not_signed_in') throw redirect({ to: '/sign-in', search: { next: location.href } })
    throw error
  }
}

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async (asked) => {
    const [first] = (await signedIn(asked)).workspaces
    // oxlint-disable-next-line typescript/only-throw-error
    if (first === undefined) throw redirect({ to: '/account' })
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to: '/w/$workspaceId', params: { workspaceId: first.workspaceId } })
  },
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchOf({ next: text }),
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

const providerReturn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/callback',
  component: lazyRouteComponent(() => import('./pages/sign-in/provider-return-page.tsx'), 'ProviderReturnPage'),
})

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('./pages/setup/setup-page.tsx'), 'SetupPage'),
})

const resetAccess = createRoute({
  getParentRoute: () => root,
  path: '/reset-access',
  component: lazyRouteComponent(() => import('./pages/reset-access/reset-access-page.tsx'), 'ResetAccessPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/invitation/invitation-page.tsx'), 'InvitationPage'),
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  beforeLoad: signedIn,
  component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
})

const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspaceId',
  beforeLoad: signedIn,
  component: Shell,
})

const overview = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
})

const keys = createRoute({
  getParentRoute: () => workspace,
  path: '/keys',
  validateSearch: keySearch,
  component: lazyRouteComponent(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
})

const newKey = createRoute({
  getParentRoute: () => workspace,
  path: '/keys/new',
  component: lazyRouteComponent(() => import('./pages/keys/new-key-page.tsx'), 'NewKeyPage'),
})

const key = createRoute({
  getParentRoute: () => workspace,
  path: '/keys/$id',
  component: lazyRouteComponent(() => import('./pages/keys/key-page.tsx'), 'KeyPage'),
})

const audit = createRoute({
  getParentRoute: () => workspace,
  path: '/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
})

const requests = createRoute({
  getParentRoute: () => workspace,
  path: '/requests',
  validateSearch: requestSearch,
  component: lazyRouteComponent(() => import('./pages/requests/requests-page.tsx'), 'RequestsPage'),
})

const oneRequest = createRoute({
  getParentRoute: () => workspace,
  path: '/requests/$id',
  component: lazyRouteComponent(() => import('./pages/requests/request-page.tsx'), 'RequestPage'),
})

const members = createRoute({
  getParentRoute: () => workspace,
  path: '/members',
  validateSearch: memberSearch,
  component: lazyRouteComponent(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
})

const policy = createRoute({
  getParentRoute: () => workspace,
  path: '/policy',
  component: lazyRouteComponent(() => import('./pages/policy/policy-page.tsx'), 'PolicyPage'),
})

const general = createRoute({
  getParentRoute: () => workspace,
  path: '/general',
  component: lazyRouteComponent(() => import('./pages/general/general-page.tsx'), 'GeneralPage'),
})

const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks',
  validateSearch: searchOf({ status: oneOf(['active', 'paused', 'disabled']) }),
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const newWebhook = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/new',
  component: lazyRouteComponent(() => import('./pages/webhooks/new-webhook-page.tsx'), 'NewWebhookPage'),
})

const oneWebhook = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('./pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
})

const deliveries = createRoute({
  getParentRoute: () => workspace,
  path: '/deliveries',
  validateSearch: searchOf({
    status: oneOf(['pending', 'retrying', 'delivered', 'dead_letter', 'cancelled']),
    webhook: text,
    kind: text,
    event: text,
    since: oneOf(['1h', '24h', '7d']),
  }),
  component: lazyRouteComponent(() => import('./pages/deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
})

const oneDelivery = createRoute({
  getParentRoute: () => workspace,
  path: '/deliveries/$id',
  component: lazyRouteComponent(() => import('./pages/deliveries/delivery-page.tsx'), 'DeliveryPage'),
})

const events = createRoute({
  getParentRoute: () => workspace,
  path: '/events',
  validateSearch: searchOf({ kind: text }),
  component: lazyRouteComponent(() => import('./pages/events/events-page.tsx'), 'EventsPage'),
})

const jobs = createRoute({
  getParentRoute: () => workspace,
  path: '/jobs',
  validateSearch: searchOf({
    kind: oneOf(['export', 'import', 'update', 'delete']),
    status: oneOf(['queued', 'running', 'completed', 'cancelled', 'failed']),
  }),
  component: lazyRouteComponent(() => import('./pages/jobs/jobs-page.tsx'), 'JobsPage'),
})

const developers = createRoute({
  getParentRoute: () => workspace,
  path: '/developers',
  component: lazyRouteComponent(() => import('./pages/developers/developers-page.tsx'), 'DevelopersPage'),
})

const editKey = createRoute({
  getParentRoute: () => workspace,
  path: '/keys/$id/edit',
  component: lazyRouteComponent(() => import('./pages/keys/edit-key-page.tsx'), 'EditKeyPage'),
})

const editWebhook = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/$id/edit',
  component: lazyRouteComponent(() => import('./pages/webhooks/edit-webhook-page.tsx'), 'EditWebhookPage'),
})

const ofWebhooks = [webhooks, newWebhook, oneWebhook, editWebhook, deliveries, oneDelivery, events]

const routeTree = root.addChildren([
  start,
  signIn,
  providerReturn,
  setup,
  resetAccess,
  invitation,
  account,
  workspace.addChildren([
    overview,
    keys,
    newKey,
    key,
    editKey,
    audit,
    requests,
    oneRequest,
    members,
    policy,
    jobs,
    general,
    developers,
    ...ofWebhooks,
  ]),
])

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
