// Every operation bound to its function, a line for each noun, every stream to its source, and the recorders of
// changes: a missing or a wrong one does not compile.
import type { KeyObject } from 'node:crypto'
import { operationNamed, streams, type OperationName, type StreamName, type StreamNamed } from '#contract/api.ts'
import type { DefaultRates } from '#contract/rate-limits.ts'
import { alarmHandlers } from './alarms/operations.ts'
import { recordAlarms } from './alarms/raise.ts'
import { accessResetHandlers } from './identity/access-resets/operations.ts'
import { accountHandlers } from './identity/accounts/operations.ts'
import type { KnownBrowsers } from './identity/accounts/known-browsers.ts'
import type { Passwords } from './identity/accounts/passwords.ts'
import { apiKeyHandlers } from './keys/api-keys/operations.ts'
import { recordKeyChanges } from './keys/api-keys/rows.ts'
import { apiCallHandlers } from './api-calls/operations.ts'
import { auditHandlers } from './audit/operations.ts'
import { commentHandlers } from './comments/operations.ts'
import { crmEntityHandlers } from './crm-entities/operations.ts'
import { customFieldHandlers } from './custom-fields/operations.ts'
import type { DeliveryWatch } from './deliveries/watch.ts'
import { followDeliveries } from './deliveries/follow.ts'
import { deliveryHandlers } from './deliveries/operations.ts'
import { documentHandlers } from './documents/operations.ts'
import { emailChangeHandlers } from './identity/email-changes/operations.ts'
import { fileHandlers } from './files/operations.ts'
import type { SignAddress } from './files/signed-addresses.ts'
import { invitationHandlers } from './identity/invitations/operations.ts'
import { meHandlers } from './keys/me/operations.ts'
import { memberAccessHandlers } from './member-access/operations.ts'
import { memberHandlers } from './members/operations.ts'
import type { SignInDeps } from './identity/oidc/sign-in.ts'
import { oidcHandlers } from './identity/oidc/operations.ts'
import { passkeyHandlers, type PasskeyDeps } from './identity/own-factors/passkeys.ts'
import { projectHandlers } from './projects/operations.ts'
import { secondFactorHandlers, type SecondFactorDeps } from './identity/own-factors/operations.ts'
import { sessionHandlers } from './identity/sessions/operations.ts'
import { setupHandlers } from './identity/setup/operations.ts'
import { usageHandlers } from './keys/usage/operations.ts'
import { webhookHandlers } from './webhooks/operations.ts'
import type { PeopleLog } from './audit/people-log.ts'
import { recordAudit } from './audit/record-changes.ts'
import { collectionHandlers } from './collection/operations.ts'
import type { Pager } from './collection/pagination.ts'
import { eachCollection } from './collections.ts'
import type { DatabaseSlots } from './execution/database-slots.ts'
import type { Handle, Handlers } from './execution/call.ts'
import type { ChangeDeps, Recorders } from './execution/change.ts'
import type { FaultOfDatabase } from './faults/database-faults.ts'
import { notFoundById } from './faults/shared-faults.ts'
import type { StreamSource } from './http/stream-source.ts'
import type { Followed } from './http/streams.ts'
import { followEvents } from './ledger/feed.ts'
import { jobHandlers } from './jobs/operations.ts'
import { legalHoldHandlers } from './legal-holds/operations.ts'
import type { Outbox } from './mail/outbox.ts'
import type { LongPoll } from './ledger/long-poll.ts'
import { eventHandlers } from './ledger/operations.ts'
import { recordEvents } from './ledger/record-events.ts'
import { resolvingNames, resolvingNamesInAll } from './resolve-names.ts'
import { resourceHandlers } from './resources/operations.ts'
import { fillSandbox } from './sandboxes/fill.ts'
import { sandboxHandlers } from './sandboxes/operations.ts'
import { searchHandlers } from './search/operations.ts'
import type { AllowedTargets } from './webhooks/receiver-url.ts'
import type { Sealer } from './webhooks/signing-secrets.ts'
import { workspaceDeletionHandlers } from './workspace-deletions/operations.ts'
import { workspaceHandlers } from './workspaces/operations.ts'

type HandlerDeps = {
  readonly pager: Pager
  readonly faultOfDatabase: FaultOfDatabase
  readonly sealer: Sealer
  readonly allowed: AllowedTargets
  readonly longPoll: Pick<LongPoll, 'waitForEvents'>
  readonly rates: DefaultRates
  readonly slots: DatabaseSlots
  /** For handlers that make their own transactions. */
  readonly changes: ChangeDeps
  readonly passwords: Passwords
  readonly knownBrowsers: KnownBrowsers
  readonly secondFactors: Omit<SecondFactorDeps, 'changes'> & Pick<PasskeyDeps, 'relyingParty'>
  /** Null where there is no provider to sign in at. */
  readonly oidc: Omit<SignInDeps, 'changes' | 'peopleLog' | 'knownBrowsers' | 'outbox'> | null
  readonly peopleLog: Pick<PeopleLog, 'record' | 'recordByEmail'>
  /** Null where no email is sent. */
  readonly outbox: Outbox | null
  readonly signAddress: SignAddress
  readonly fileBytesMax: number
  readonly deletionGraceDays: number
}

export function handlersWith(parts: HandlerDeps): Handlers {
  // The type of the input is that of the handler, which is found by its name.
  const handle: Handle = (name, input, call) => handlers[name as OperationName](input as never, call)
  const handlers = resolvingNamesInAll(handlersOfIds(parts, handle), operationNamed)
  return handlers
}

const handlersOfIds = (parts: HandlerDeps, handle: Handle): Handlers => ({
  ...collectionHandlers(eachCollection, { ...parts, operationNamed, resolvingNames }),
  ...crmEntityHandlers({ eachCollection }),
  ...documentHandlers(parts),
  ...projectHandlers(parts),
  ...commentHandlers({ ...parts, eachCollection, operationNamed, resolvingNames }),
  ...fileHandlers(parts),
  ...customFieldHandlers(parts),
  ...memberHandlers(parts),
  ...memberAccessHandlers(parts),
  ...searchHandlers({ eachCollection }),
  ...resourceHandlers(parts),
  ...webhookHandlers(parts),
  ...deliveryHandlers(parts),
  ...eventHandlers(parts),
  ...jobHandlers({ ...parts, db: parts.changes.db, handle }),
  ...auditHandlers({ ...parts, db: parts.changes.db }),
  ...apiCallHandlers(parts),
  ...apiKeyHandlers(parts),
  ...meHandlers(parts),
  // Refusals are known to gateways alone, which answer for them: asked here is what they do not know any more.
  'refusals.get': () => Promise.reject(notFoundById('refusal of the last hour')),
  ...usageHandlers,
  ...alarmHandlers(parts),
  ...workspaceHandlers({ ...parts, fillSandbox: (call) => fillSandbox(handle, call) }),
  ...sandboxHandlers({ ...parts, handle }),
  ...workspaceDeletionHandlers(parts),
  ...legalHoldHandlers(parts),
  ...setupHandlers(parts),
  ...signInHandlers(parts),
  ...accountHandlers(parts),
  ...secondFactorHandlers({ ...parts, ...parts.secondFactors }),
  ...emailChangeHandlers(parts),
})

function signInHandlers(parts: HandlerDeps) {
  const { oidc, changes, peopleLog, knownBrowsers, outbox, secondFactors } = parts
  const passwordSignIn = oidc?.config.isOnly === true ? 'off' : 'on'
  return {
    ...invitationHandlers({ ...parts, passwordSignIn }),
    ...accessResetHandlers({ ...parts, ...secondFactors, passwordSignIn }),
    ...sessionHandlers({ ...parts, ...secondFactors, passwordSignIn, db: changes.db }),
    ...passkeyHandlers({ ...parts, ...secondFactors, passwordSignIn }),
    ...oidcHandlers({
      ...secondFactors,
      oidc: oidc === null ? null : { ...oidc, changes, peopleLog, knownBrowsers, outbox },
      outbox,
    }),
  }
}

type StreamDeps = {
  readonly longPoll: Pick<LongPoll, 'waitForEvents'>
  readonly deliveryWatch: DeliveryWatch
  readonly positionKey: KeyObject
}
type Follows = { readonly [N in StreamName]: StreamSource<StreamNamed<N>> }

export function streamsWith({ longPoll, deliveryWatch, positionKey }: StreamDeps): Followed[] {
  const follows: Follows = {
    'deliveries.stream': followDeliveries(deliveryWatch, positionKey),
    'events.stream': followEvents(longPoll),
  }
  // The input of each is validated by the stream that it is bound to by name.
  return streams.map((stream) => ({
    stream,
    follow: follows[stream.asked.name] as StreamSource<typeof stream> as never,
  }))
}

/**
 * Every change records these in its own transaction: events with their outbox rows, the alarms that they raise, audit
 * entries, and changes of keys.
 */
export const recorders: Recorders = { recordEvents, recordAlarms, recordAudit, recordKeyChanges }
