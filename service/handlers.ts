// Every operation bound to its function, a line for each noun: a missing or a wrong one does not compile.
import { operationNamed } from '#contract/api.ts'
import type { DefaultRates } from '#contract/rate-limits.ts'
import { accessResetHandlers } from './identity/access-resets/operations.ts'
import { accountHandlers } from './identity/accounts/operations.ts'
import type { KnownBrowsers } from './identity/accounts/known-browsers.ts'
import type { Passwords } from './identity/accounts/passwords.ts'
import { apiKeyHandlers } from './keys/api-keys/operations.ts'
import { auditHandlers } from './audit/operations.ts'
import type { PeopleLog } from './audit/people-log.ts'
import { collectionHandlers } from './collection/handlers.ts'
import { eachCollection } from './collection-list.ts'
import { commentHandlers } from './comments/operations.ts'
import { crmEntityHandlers } from './crm-entities/operations.ts'
import { customFieldHandlers } from './custom-fields/operations.ts'
import { deliveryHandlers } from './deliveries/operations.ts'
import { documentHandlers } from './documents/operations.ts'
import { emailChangeHandlers } from './identity/email-changes/operations.ts'
import { eventHandlers } from './events/handlers.ts'
import type { LongPoll } from './events/long-poll.ts'
import type { ChangeParts } from './execution/commit-change.ts'
import type { Handlers } from './execution/handler.ts'
import type { FaultOfDatabase } from './faults/database-fault.ts'
import type { Pager } from './lists/cursor-pagination.ts'
import { invitationHandlers } from './identity/invitations/operations.ts'
import { meHandlers } from './keys/me/operations.ts'
import { memberAccessHandlers } from './member-access/operations.ts'
import { memberHandlers } from './members/operations.ts'
import { oidcHandlers } from './identity/oidc/operations.ts'
import type { SignInDeps } from './identity/oidc/sign-in.ts'
import { projectHandlers } from './projects/operations.ts'
import { refusalHandlers } from './refusals/handlers.ts'
import { resolvingNames, resolvingNamesInAll } from './references/resolve-names.ts'
import { resourceHandlers } from './resources/handlers.ts'
import { sessionHandlers } from './identity/sessions/operations.ts'
import { setupHandlers } from './identity/setup/operations.ts'
import { searchHandlers } from './search/handlers.ts'
import { usageHandlers } from './keys/usage/operations.ts'
import { webhookHandlers } from './webhooks/operations.ts'
import type { AllowedTargets } from './webhooks/receiver-url.ts'
import type { Sealer } from './webhooks/signing-secrets.ts'
import { workspaceHandlers } from './workspaces/operations.ts'

type Parts = {
  readonly pager: Pager
  readonly faultOfDatabase: FaultOfDatabase
  readonly sealer: Sealer
  readonly allowed: AllowedTargets
  readonly longPoll: Pick<LongPoll, 'waitForEvents'>
  readonly rates: DefaultRates
  /** For handlers that make their own transactions. */
  readonly changes: ChangeParts
  readonly passwords: Passwords
  readonly knownBrowsers: KnownBrowsers
  /** Null where nobody signs in at a provider. */
  readonly oidc: Omit<SignInDeps, 'changes' | 'peopleLog' | 'knownBrowsers'> | null
  readonly peopleLog: Pick<PeopleLog, 'record'>
}

export const handlersWith = (parts: Parts): Handlers => resolvingNamesInAll(handlersOfIds(parts), operationNamed)

const handlersOfIds = (parts: Parts): Handlers => ({
  ...collectionHandlers(eachCollection, { ...parts, operationNamed, resolvingNames }),
  ...crmEntityHandlers({ eachCollection }),
  ...documentHandlers(parts),
  ...projectHandlers(parts),
  ...commentHandlers(parts),
  ...customFieldHandlers(parts),
  ...memberHandlers(parts),
  ...memberAccessHandlers,
  ...searchHandlers({ eachCollection }),
  ...resourceHandlers(parts),
  ...webhookHandlers(parts),
  ...deliveryHandlers(parts),
  ...eventHandlers(parts),
  ...auditHandlers(parts),
  ...apiKeyHandlers(parts),
  ...meHandlers(parts),
  ...refusalHandlers,
  ...usageHandlers,
  ...workspaceHandlers(parts),
  ...setupHandlers(parts),
  ...signInHandlers(parts),
  ...accountHandlers(parts),
  ...accessResetHandlers(parts),
  ...emailChangeHandlers(parts),
})

function signInHandlers(parts: Parts) {
  const { oidc, changes, peopleLog, knownBrowsers } = parts
  const passwordSignIn = oidc?.config.isOnly === true ? 'off' : 'on'
  return {
    ...invitationHandlers({ ...parts, passwordSignIn }),
    ...sessionHandlers({ ...parts, passwordSignIn, db: changes.db }),
    ...oidcHandlers({ oidc: oidc === null ? null : { ...oidc, changes, peopleLog, knownBrowsers } }),
  }
}
