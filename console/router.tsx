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
import type { ReactNode } from 'react'
import { codeOf } from './app/call.ts'
import { ConfirmationDialog } from './app/confirmation-dialog.tsx'
import { LeaveDialog } from './app/leaving.tsx'
import { FailedPage, LoadingPage, PageNotLoaded } from './app/page-states.tsx'
import { oneOf, orderBy, parseSearch, searchOf, stringifySearch, text } from './app/search-params.ts'
import { sessionQuery, type CurrentSession } from './app/session.ts'
import { NotFound, Shell } from './app/shell.tsx'
import { keySearch } from './pages/keys/key-filter.ts'
import { auditSearch } from './pages/audit/audit-search.ts'
import { eventSearch } from './pages/events/event-search.ts'
import { requestSearch } from './pages/requests/request-search.ts'
import { trySearch } from './pages/try/try-search.ts'
import { memberSearch } from './pages/members/member-search.ts'
import { Announcements } from './ui/announcements.tsx'

type Context = { readonly queries: QueryClient }

const root = createRootRouteWithContext<Context>()({
  component: () => (
    <>
      <Outlet />
      <ConfirmationDialog />
      <LeaveDialog />
      <Announcements />
    </>
  ),
  notFoundComponent: NotFound,
})

/** A page that cannot be fetched says so. The router would reload, and leave the browser's own page for lost links. */
function pageOf<T extends Record<string, () => ReactNode>, N extends keyof T & string>(
  load: () => Promise<T>,
  name: N,
) {
  const loaded = (): Promise<T> =>
    load().catch((cause: unknown) => {
      throw new PageNotLoaded('This page could not be loaded. Check your connection, then try again.', { cause })
    })
  return lazyRouteComponent(loaded, name)
}

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
  component: pageOf(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

const providerReturn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/callback',
  component: pageOf(() => import('./pages/sign-in/provider-return-page.tsx'), 'ProviderReturnPage'),
})

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: pageOf(() => import('./pages/setup/setup-page.tsx'), 'SetupPage'),
})

const resetAccess = createRoute({
  getParentRoute: () => root,
  path: '/reset-access',
  component: pageOf(() => import('./pages/reset-access/reset-access-page.tsx'), 'ResetAccessPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: pageOf(() => import('./pages/forgot-password/forgot-password-page.tsx'), 'ForgotPasswordPage'),
})

const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: '/confirm-email',
  component: pageOf(() => import('./pages/confirm-email/confirm-email-page.tsx'), 'ConfirmEmailPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: pageOf(() => import('./pages/invitation/invitation-page.tsx'), 'InvitationPage'),
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  beforeLoad: signedIn,
  component: pageOf(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
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
  component: pageOf(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
})

const keys = createRoute({
  getParentRoute: () => workspace,
  path: '/keys',
  validateSearch: keySearch,
  component: pageOf(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
})

const newKey = createRoute({
  getParentRoute: () => workspace,
  path: '/keys/new',
  component: pageOf(() => import('./pages/keys/new-key-page.tsx'), 'NewKeyPage'),
})

const key = createRoute({
  getParentRoute: () => workspace,
  path: '/keys/$id',
  component: pageOf(() => import('./pages/keys/key-page.tsx'), 'KeyPage'),
})

const audit = createRoute({
  getParentRoute: () => workspace,
  path: '/audit',
  validateSearch: auditSearch,
  component: pageOf(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
})

const verifyAudit = createRoute({
  getParentRoute: () => workspace,
  path: '/audit/verify',
  component: pageOf(() => import('./pages/audit/verify-page.tsx'), 'VerifyPage'),
})

const object = createRoute({
  getParentRoute: () => workspace,
  path: '/objects/$id',
  component: pageOf(() => import('./pages/objects/object-page.tsx'), 'ObjectPage'),
})

const requests = createRoute({
  getParentRoute: () => workspace,
  path: '/requests',
  validateSearch: requestSearch,
  component: pageOf(() => import('./pages/requests/requests-page.tsx'), 'RequestsPage'),
})

const oneRequest = createRoute({
  getParentRoute: () => workspace,
  path: '/requests/$id',
  component: pageOf(() => import('./pages/requests/request-page.tsx'), 'RequestPage'),
})

const members = createRoute({
  getParentRoute: () => workspace,
  path: '/members',
  validateSearch: memberSearch,
  component: pageOf(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
})

const policy = createRoute({
  getParentRoute: () => workspace,
  path: '/policy',
  component: pageOf(() => import('./pages/policy/policy-page.tsx'), 'PolicyPage'),
})

const general = createRoute({
  getParentRoute: () => workspace,
  path: '/general',
  component: pageOf(() => import('./pages/general/general-page.tsx'), 'GeneralPage'),
})

const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks',
  validateSearch: searchOf({
    status: oneOf(['active', 'paused', 'disabled']),
    health: oneOf(['healthy', 'failing']),
    sort: orderBy(['name', 'status', 'p95']),
  }),
  component: pageOf(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const newWebhook = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/new',
  component: pageOf(() => import('./pages/webhooks/new-webhook-page.tsx'), 'NewWebhookPage'),
})

const oneWebhook = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/$id',
  component: pageOf(() => import('./pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
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
  component: pageOf(() => import('./pages/deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
})

const oneDelivery = createRoute({
  getParentRoute: () => workspace,
  path: '/deliveries/$id',
  component: pageOf(() => import('./pages/deliveries/delivery-page.tsx'), 'DeliveryPage'),
})

const events = createRoute({
  getParentRoute: () => workspace,
  path: '/events',
  validateSearch: eventSearch,
  component: pageOf(() => import('./pages/events/events-page.tsx'), 'EventsPage'),
})

const jobs = createRoute({
  getParentRoute: () => workspace,
  path: '/jobs',
  validateSearch: searchOf({
    kind: oneOf(['export', 'import', 'update', 'delete']),
    status: oneOf(['queued', 'running', 'completed', 'cancelled', 'failed']),
  }),
  component: pageOf(() => import('./pages/jobs/jobs-page.tsx'), 'JobsPage'),
})

const developers = createRoute({
  getParentRoute: () => workspace,
  path: '/developers',
  component: pageOf(() => import('./pages/developers/developers-page.tsx'), 'DevelopersPage'),
})

const tryIt = createRoute({
  getParentRoute: () => workspace,
  path: '/try',
  validateSearch: trySearch,
  component: pageOf(() => import('./pages/try/try-page.tsx'), 'TryPage'),
})

/** The documentation leads here: it knows of no workspace. */
const tryAnywhere = createRoute({
  getParentRoute: () => root,
  path: '/try',
  validateSearch: trySearch,
  beforeLoad: async (asked) => {
    const [first] = (await signedIn(asked)).workspaces
    // oxlint-disable-next-line typescript/only-throw-error
    if (first === undefined) throw redirect({ to: '/account' })
    const { workspaceId } = first
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to: '/w/$workspaceId/try', params: { workspaceId }, search: asked.search })
  },
})

const editKey = createRoute({
  getParentRoute: () => workspace,
  path: '/keys/$id/edit',
  component: pageOf(() => import('./pages/keys/edit-key-page.tsx'), 'EditKeyPage'),
})

const editWebhook = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/$id/edit',
  component: pageOf(() => import('./pages/webhooks/edit-webhook-page.tsx'), 'EditWebhookPage'),
})

const ofWebhooks = [webhooks, newWebhook, oneWebhook, editWebhook, deliveries, oneDelivery, events]

const routeTree = root.addChildren([
  start,
  signIn,
  providerReturn,
  setup,
  resetAccess,
  forgotPassword,
  confirmEmail,
  invitation,
  account,
  tryAnywhere,
  workspace.addChildren([
    overview,
    keys,
    newKey,
    key,
    editKey,
    audit,
    verifyAudit,
    object,
    requests,
    oneRequest,
    members,
    policy,
    jobs,
    general,
    developers,
    tryIt,
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
