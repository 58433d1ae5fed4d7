// Completes a sign-in at the provider: finds or makes the account of the person whom the provider has named, adds the
// memberships that an invitation or their groups give, and opens the session. All in one transaction.
import type { KeyObject } from 'node:crypto'
import type { Principal } from '#contract/internal/principal.ts'
import { memberAdded, memberUpdated } from '#contract/members.ts'
import type { Role } from '#contract/roles.ts'
import { completeAtProvider } from '#contract/sessions.ts'
import type { Account, AccountIdentity } from '#prisma/generated/client.ts'
import { newId } from '#runtime/new-id.ts'
import { sessionEntry, type PeopleLog } from '../../audit/people-log.ts'
import { commitChange, runChange, type ChangeDeps, type Notifications, type Recorders } from '../../execution/change.ts'
import type { Call, Db, Handler } from '../../execution/call.ts'
import { duplicate } from '../../faults/shared-faults.ts'
import { hasRoomFor } from '../../execution/quotas.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { findMemberByEmail, insertMember, isMemberOf, linkAccount, updateMemberRow } from '../../members/rows.ts'
import { applyPatch, draft } from '../../members/rules.ts'
import { findOnlyWorkspace } from '../../workspaces/rows.ts'
import type { KnownBrowsers } from '../accounts/known-browsers.ts'
import { byThemselves, recordInWorkspaces, byOutsider, type AccountChange } from '../accounts/record-in-workspaces.ts'
import {
  findAccount,
  membershipsOf,
  findEmailChange,
  takeEmail,
  findAccountByEmail,
  insertAccount,
  isAnyAccount,
  dropWaysIn,
  noWaysIn,
  passwordOf,
} from '../accounts/rows.ts'
import { becomeMember } from '../invitations/operations.ts'
import { findInvited, takeInvitation } from '../invitations/rows.ts'
import { deleteFactors, findFactors, shownFactors } from '../second-factors/rows.ts'
import { describe } from '../sessions/current-session.ts'
import { openSession, type OpenedSession } from '../sessions/rows.ts'
import { signInExpired, type Provider } from './provider.ts'
import { takeFlow, type Flow } from './rows.ts'
import { noMembership, rolesByGroups, assertMayBeLinked, type Person } from './rules.ts'
import type { OidcConfig } from './settings.ts'

export type SignInDeps = {
  readonly changes: ChangeDeps
  readonly sealingKey: KeyObject
  readonly config: OidcConfig
  readonly provider: Provider
  /** Null where no email is sent. */
  readonly outbox: Outbox | null
  readonly peopleLog: Pick<PeopleLog, 'record'>
  readonly knownBrowsers: KnownBrowsers
}
type Entered = Notifications & { readonly account: Account; readonly opened: OpenedSession }

export const complete =
  ({
    changes,
    sealingKey,
    config,
    outbox,
    provider,
    peopleLog,
    knownBrowsers,
  }: SignInDeps): Handler<typeof completeAtProvider> =>
  async ({ flow: token, search }, call) => {
    const { db, principal, now, withoutSlot, setSession } = call
    const flow = await takeFlow(db, sealingKey, token, now)
    if (flow === null) throw signInExpired()
    const person = await withoutSlot(() => provider.complete(search, flow.checks))
    const { account, opened } = await commitChange(changes, { principal }, (tx) =>
      enter(tx, { changes, config, outbox }, person, flow, call),
    )
    setSession(opened.token)
    call.setBrowser(knownBrowsers.marked(call.browser, account))
    peopleLog.record(sessionEntry(completeAtProvider, account, opened.row, principal, now))
    return await describe(db, opened.row, account, now)
  }

/** All of it or nothing: a person who is a member of no workspace afterwards leaves no account behind. */
async function enter(
  tx: Db,
  { changes, config, outbox }: Pick<SignInDeps, 'changes' | 'config' | 'outbox'>,
  person: Person,
  { invitation: token }: Flow,
  { principal, now }: Pick<Call, 'principal' | 'now'>,
): Promise<Entered> {
  const found = token === null ? null : await findInvited(tx, token, now)
  const invitation = found !== null && found.member.email === person.email ? found : null
  const vouchedFor = invitation?.member.email ?? (await ownEmail(tx, principal))
  const { account, change } = await accountOf(
    tx,
    { recorders: changes, config, outbox },
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
    opened: await openSession(tx, account.id, principal, {
      now,
      confirmedAt: person.authenticatedAt,
      method: 'provider',
    }),
    notifications: [...(joined?.notifications ?? []), ...granted.notifications],
    keyChanges: [...(joined?.keyChanges ?? []), ...granted.keyChanges],
  }
}

/** The email of the account that is signed in already: it links itself. */
const ownEmail = async (tx: Db, { kind, id }: Call['principal']): Promise<string | null> =>
  kind === 'account' ? (await findAccount(tx, id)).email : null

type SignInRequest = {
  readonly person: Person
  /** The email that an invitation or the session of the call vouches for. */
  readonly vouchedFor: string | null
  readonly principal: Principal
  readonly now: Date
}
type AccountOfDeps = { readonly recorders: Recorders } & Pick<SignInDeps, 'config' | 'outbox'>
/** `change` holds the account's fields that the sign-in has changed, to be recorded once its memberships are known. */
type NamedAccount = { readonly account: Account; readonly change: AccountChange }

const unchanged: AccountChange = { before: {}, after: {} }

/**
 * Returns the linked account, the one with the same email, or a new one. An address that the provider has verified
 * wins over one that was only typed in. Throws a fault when there is no account for the person.
 */
async function accountOf(
  tx: Db,
  { recorders, config, outbox }: AccountOfDeps,
  asked: SignInRequest,
): Promise<NamedAccount> {
  const { issuer } = config
  const { person, vouchedFor, now } = asked
  const { subject, email, name } = person
  const known = await tx.accountIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    include: { account: true },
  })
  if (known !== null) return await knownAccount(tx, outbox, known, asked)
  assertMayBeLinked(person, vouchedFor, config)
  // The first account is made by the setup link, and owns the installation.
  if (!(await isAnyAccount(tx))) throw noMembership()
  const holder = await findAccountByEmail(tx, email)
  const found = holder === null || (await isReleased(tx, recorders, holder, asked, issuer)) ? null : holder
  const account = found ?? (await insertAccount(tx, { name, email, passwordHash: null }, now))
  const change = found === null ? unchanged : await takeOver(tx, found, issuer, now)
  await tx.accountIdentity.create({ data: { issuer, subject, accountId: account.id, email, createdAt: now } })
  await tx.emailChange.deleteMany({ where: { email } })
  return { account, change }
}

type Known = AccountIdentity & { readonly account: Account }

/** The provider's verification confirms a pending email, unless another account has it. */
async function knownAccount(
  tx: Db,
  outbox: Outbox | null,
  known: Known,
  { person, now }: SignInRequest,
): Promise<NamedAccount> {
  const { issuer, subject, account } = known
  const { email } = person
  if (known.email !== email)
    await tx.accountIdentity.update({ where: { issuer_subject: { issuer, subject } }, data: { email } })
  const pending = await findEmailChange(tx, account.id, now)
  const isFree = pending?.email === email && (await findAccountByEmail(tx, email)) === null
  const after = isFree ? await takeEmail(tx, outbox, pending, now) : null
  if (after === null) return { account, change: unchanged }
  const before = { email: account.email, pendingEmail: email }
  return { account: after, change: { before, after: { email, pendingEmail: null } } }
}

/**
 * Takes the address from another person's account, which the provider knows under another subject. That account keeps
 * the email that the provider has verified for it, or gets one that cannot be reached. Throws `duplicate` when the
 * provider has verified the address for both.
 */
async function isReleased(
  tx: Db,
  recorders: Recorders,
  holder: Account,
  { person: { email }, principal, now }: SignInRequest,
  issuer: string,
): Promise<boolean> {
  const other = await tx.accountIdentity.findFirst({ where: { accountId: holder.id, issuer } })
  if (other === null) return false
  if (other.email === email) throw duplicate('email', undefined)
  const isOwnFree = other.email !== null && (await findAccountByEmail(tx, other.email)) === null
  const next = isOwnFree && other.email !== null ? other.email : `${holder.id}@${unreachable}`
  await tx.account.update({ where: { id: holder.id }, data: { email: next, updatedAt: now } })
  await recordInWorkspaces(recorders, tx, holder, {
    action: completeAtProvider,
    by: byOutsider(principal, { id: 'sign-in-provider', name: 'Sign-in provider' }),
    before: { email },
    after: { email: next },
  })
  return true
}

/** A domain that is reserved and never assigned (RFC 2606). */
const unreachable = 'account.invalid'

/**
 * The provider has verified the email; the account so far has not. All other ways to sign in to it are dropped: it may
 * have been made first by another person under this email.
 */
async function takeOver(tx: Db, found: Account, issuer: string, now: Date): Promise<AccountChange> {
  const { id } = found
  const dropped = await dropWaysIn(tx, id)
  const factors = await findFactors(tx, id)
  await deleteFactors(tx, id)
  await tx.account.update({ where: { id }, data: { passwordHash: null, updatedAt: now } })
  return {
    before: { signInProvider: null, password: passwordOf(found), ...shownFactors(factors), ...dropped },
    after: { signInProvider: issuer, password: 'none', ...shownFactors(await findFactors(tx, id)), ...noWaysIn },
  }
}

/** Adds memberships that the person's groups give. Members keep the role that they have. */
type Grant = { readonly workspaceId: string; readonly role: Role }

async function grantByGroups(
  recorders: Recorders,
  tx: Db,
  roles: ReadonlyMap<string, Role>,
  { account, person, principal }: { readonly account: Account; readonly person: Person; readonly principal: Principal },
): Promise<Notifications> {
  const done: Notifications[] = []
  const ids = [...roles.keys()]
  const there = await tx.workspace.findMany({
    where: { id: { in: ids } },
    select: { id: true },
    orderBy: { id: 'asc' },
  })
  // Always in the same order, so that two of these cannot deadlock.
  for (const { id: workspaceId } of there) {
    if (await isMemberOf(tx, workspaceId, account.id)) continue
    const id = newId()
    const by: Principal = { ...principal, kind: 'member', id, name: person.name, workspaceId }
    const change = { principal: by, workspaceId, action: completeAtProvider }
    const grant = { workspaceId, role: roles.get(workspaceId) ?? 'viewer' }
    done.push(await runChange(recorders, tx, change, (call) => join(tx, grant, id, { account, person }, call)))
  }
  return {
    notifications: done.flatMap(({ notifications }) => notifications),
    keyChanges: done.flatMap(({ keyChanges }) => keyChanges),
  }
}

/** A member who was added with this email keeps their role; a suspended one stays suspended. */
async function join(
  tx: Db,
  { workspaceId, role }: Grant,
  id: string,
  { account, person: { email, name } }: { readonly account: Account; readonly person: Person },
  call: Call,
): Promise<void> {
  const { actor, now, emit } = call
  const added = await findMemberByEmail(tx, workspaceId, email)
  if (added === null) {
    // A workspace that is full does not stop the sign-in to others.
    if (!(await hasRoomFor(tx, workspaceId, 'members'))) return
    const member = draft({ name, email, role, status: 'active' }, { id, workspaceId, actor, now })
    await insertMember(tx, member)
    await linkAccount(tx, member, account.id)
    emit(memberAdded, member)
  } else if (added.accountId === null && added.member.status !== 'suspended') {
    const after = applyPatch(added.member, { status: 'active' }, call)
    await linkAccount(tx, added.member, account.id)
    if (after === added.member) return
    await updateMemberRow(tx, after)
    emit(memberUpdated, after, added.member)
  }
}
