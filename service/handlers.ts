// Every operation bound to its function, a line for each noun: a missing or a wrong one does not compile.
import { operationNamed } from '#contract/api.ts'
import type { DefaultRates } from '#contract/rate-limits.ts'
import { accessResetHandlers } from './access-resets/handlers.ts'
import { accountHandlers } from './accounts/handlers.ts'
import type { KnownBrowsers } from './accounts/known-browsers.ts'
import type { Passwords } from './accounts/passwords.ts'
import { apiKeyHandlers } from './api-keys/handlers.ts'
import { auditHandlers } from './audit/handlers.ts'
import type { PeopleLog } from './audit/people-log.ts'
import { collectionHandlers } from './collection/handlers.ts'
import { eachCollection } from './collection-list.ts'
import { commentHandlers } from './comments/handlers.ts'
import { crmEntityHandlers } from './crm-entities/handlers.ts'
import { customFieldHandlers } from './custom-fields/handlers.ts'
import { deliveryHandlers } from './deliveries/handlers.ts'
import { documentHandlers } from './documents/handlers.ts'
import { emailChangeHandlers } from './email-changes/handlers.ts'
import { eventHandlers } from './events/handlers.ts'
import type { LongPoll } from './events/long-poll.ts'
import type { ChangeParts } from './execution/commit-change.ts'
import type { Handlers } from './execution/handler.ts'
import type { FaultOfDatabase } from './faults/database-fault.ts'
import type { Pager } from './lists/cursor-pagination.ts'
import { invitationHandlers } from './invitations/handlers.ts'
import { meHandlers } from './me/handlers.ts'
import { memberAccessHandlers } from './member-access/handlers.ts'
import { memberHandlers } from './members/handlers.ts'
import { oidcHandlers } from './oidc/handlers.ts'
import type { SignInDeps } from './oidc/complete.ts'
import { projectHandlers } from './projects/handlers.ts'
import { refusalHandlers } from './refusals/handlers.ts'
import { resolvingNames, resolvingNamesInAll } from './references/resolve-names.ts'
import { resourceHandlers } from './resources/handlers.ts'
import { sessionHandlers } from './sessions/handlers.ts'
import { setupHandlers } from './setup/handlers.ts'
import { searchHandlers } from './search/handlers.ts'
import { usageHandlers } from './usage/handlers.ts'
import { webhookHandlers } from './webhooks/handlers.ts'
import type { AllowedTargets } from './webhooks/receiver-url.ts'
import type { Sealer } from './webhooks/signing-secrets.ts'
import { workspaceHandlers } from './workspaces/handlers.ts'

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
