// Somebody is back from the provider, and is signed in, or told why not.
import type { KeyObject } from 'node:crypto'
import { completeAtProvider } from '#contract/sessions.ts'
import type { Account } from '#prisma/generated/client.ts'
import type { KnownBrowsers } from '../accounts/known-browsers.ts'
import { byThemselves, recordInWorkspaces } from '../accounts/record-in-workspaces.ts'
import { findAccount } from '../accounts/rows.ts'
import type { PeopleLog } from '../audit/people-log.ts'
import { sessionEntry } from '../audit/person-entry.ts'
import { commitChange, type ChangeParts } from '../execution/commit-change.ts'
import type { Call, Db, Handler } from '../execution/handler.ts'
import type { Notifications } from '../execution/record-change.ts'
import { becomeMember } from '../invitations/accept.ts'
import { findInvited, takeInvitation } from '../invitations/rows.ts'
import { describe } from '../sessions/current.ts'
import { membershipsOf } from '../accounts/memberships.ts'
import { openSession, type OpenedSession } from '../sessions/rows.ts'
import { findOnlyWorkspace } from '../workspaces/rows.ts'
import { takeFlow, type Flow } from './flows.ts'
import { grantByGroups } from './grant-by-groups.ts'
import { accountOf } from './link-account.ts'
import { noMembership } from './no-membership.ts'
import { rolesByGroups, type Person } from './person.ts'
import { signInExpired } from './provider-faults.ts'
import type { Provider } from './provider.ts'
import type { OidcConfig } from './settings.ts'

export type SignInParts = {
  readonly changes: ChangeParts
  readonly sealingKey: KeyObject
  readonly config: OidcConfig
  readonly provider: Provider
  readonly peopleLog: Pick<PeopleLog, 'record'>
  readonly knownBrowsers: KnownBrowsers
}
type Entered = Notifications & { readonly account: Account; readonly opened: OpenedSession }

export const complete =
  ({
    changes,
    sealingKey,
    config,
    provider,
    peopleLog,
    knownBrowsers,
  }: SignInParts): Handler<typeof completeAtProvider> =>
  async ({ flow: token, search }, call) => {
    const { db, principal, now, withoutSlot, setSession } = call
    const flow = await takeFlow(db, sealingKey, token, now)
    if (flow === null) throw signInExpired()
    const person = await withoutSlot(() => provider.complete(search, flow.checks))
    const { account, opened } = await commitChange(changes, { principal }, (tx) =>
      enter(tx, { changes, config }, person, flow, call),
    )
    setSession(opened.token)
    call.setBrowser(knownBrowsers.marked(call.browser, account))
    peopleLog.record(sessionEntry(completeAtProvider, account, opened.row, principal, now))
    return await describe(db, opened.row, account, now)
  }

/** All of it or nothing: whoever is no member of anything afterwards has left no account behind. */
async function enter(
  tx: Db,
  { changes, config }: Pick<SignInParts, 'changes' | 'config'>,
  person: Person,
  { invitation: token }: Flow,
  { principal, now }: Pick<Call, 'principal' | 'now'>,
): Promise<Entered> {
  const found = token === null ? null : await findInvited(tx, token, now)
  const invitation = found !== null && found.member.email === person.email ? found : null
  const vouchedFor = invitation?.member.email ?? (await ownEmail(tx, principal))
  const { account, change } = await accountOf(
    tx,
    { recorders: changes, config },
    { person, vouchedFor, principal, now },
  )
  const isNew = invitation !== null && (await takeInvitation(tx, invitation))
  const joined = isNew ? await becomeMember(changes, tx, invitation, account, principal) : null
  const roles = rolesByGroups(person.groups, config, await findOnlyWorkspace(tx))
  const granted = await grantByGroups(changes, tx, roles, { account, person, principal })
  if ((await membershipsOf(tx, account.id)).length === 0) throw noMembership()
  const by = byThemselves(principal, account)
  await recordInWorkspaces(changes, tx, account, { action: completeAtProvider, by, ...change })
  return {
    account,
    opened: await openSession(tx, account.id, principal, { now, confirmedAt: person.authenticatedAt }),
    notifications: [...(joined?.notifications ?? []), ...granted.notifications],
    keyChanges: [...(joined?.keyChanges ?? []), ...granted.keyChanges],
  }
}

/** Of whoever is signed in already: they link their own account. */
const ownEmail = async (tx: Db, { kind, id }: Call['principal']): Promise<string | null> =>
  kind === 'account' ? (await findAccount(tx, id)).email : null
