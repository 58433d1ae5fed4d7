// Invitations: an admin makes a link for a member without an account, and the person who has it becomes that member.
import { Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { acceptInvitation, type createInvitation, type getInvitation } from '#contract/invitations.ts'
import { memberUpdated } from '#contract/members.ts'
import type { Input } from '#contract/operation.ts'
import type { Role } from '#contract/roles.ts'
import { invitationPage } from '#contract/route-paths.ts'
import type { Account, Invitation } from '#prisma/generated/client.ts'
import { sessionEntry, type PeopleLog } from '../../audit/people-log.ts'
import { commitChange, runChange, type ChangeDeps, type Notifications } from '../../execution/change.ts'
import type { Handlers, Call, Handler, Db } from '../../execution/call.ts'
import { duplicate, invalidField } from '../../faults/shared-faults.ts'
import { assertRoomFor } from '../../execution/quotas.ts'
import { findMember, hasAccount, isMemberOf, linkAccount, updateMemberRow } from '../../members/rows.ts'
import { assertMayDecide, applyPatch } from '../../members/rules.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { assertPasswordSignIn, type PasswordSignIn } from '../accounts/check-password.ts'
import type { KnownBrowsers } from '../accounts/known-browsers.ts'
import { assertNotGuessed } from '../accounts/password-rule.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { findAccount, findAccountByEmail, insertAccount } from '../accounts/rows.ts'
import { foundByLink } from '../accounts/sign-in-attempts.ts'
import { describe } from '../sessions/current-session.ts'
import { openSession, type OpenedSession } from '../sessions/rows.ts'
import { findInvited, isInvited, putInvitation, takeInvitation } from './rows.ts'

export const invitationHandlers = (deps: InvitationDeps) =>
  ({
    'invitations.create': create(deps),
    'invitations.get': get,
    'invitations.accept': accept(deps),
  }) satisfies Partial<Handlers>

const create =
  ({ outbox }: Pick<InvitationDeps, 'outbox'>): Handler<typeof createInvitation> =>
  async ({ memberId }, call) => {
    const { db, principal, workspaceId, now, audit } = call
    const member = await findMember(db, workspaceId, memberId)
    // The holder of the link can become the member.
    assertMayDecide(principal, member, member)
    if (await hasAccount(db, member)) throw cannotBeInvited('has an account already')
    if (member.status === 'suspended') throw cannotBeInvited('is suspended')
    if (!(await isInvited(db, member))) await assertRoomFor(db, workspaceId, 'invitations')
    const { row, token } = await putInvitation(db, workspaceId, member.id, call)
    const mail = { kind: 'invitation', content: { token } } as const
    const emailed = outbox !== null && (await outbox.put(db, workspaceId, mail, now))
    const invitation = {
      id: row.id,
      object: 'invitation' as const,
      memberId: member.id,
      expiresAt: row.expiresAt.toISOString(),
      emailed,
    }
    audit({ ...invitation, name: member.name })
    return { ...invitation, token, path: `${invitationPage}#${token}` }
  }

const get: Handler<typeof getInvitation> = async ({ token }, call) => {
  const { member, expiresAt } = await findOpen(token, call)
  const { name, email, role, workspace } = member
  return {
    object: 'invitation',
    workspaceName: workspace.name,
    name,
    email,
    // The table's checks allow no other values.
    role: role as Role,
    expiresAt: expiresAt.toISOString(),
  }
}

/** Throws `not_found` or `rate_limited`. */
async function findOpen(token: string, call: Pick<Call, 'db' | 'principal' | 'now'>) {
  const found = await foundByLink(call, () => findInvited(call.db, token, call.now))
  if (found === null) throw isOver()
  return found
}

const isOver = (): Fault =>
  new Fault('not_found', 'This invitation was used, replaced or ended, or is too old. Ask for another.')

const cannotBeInvited = (why: string): Fault => new Fault('invalid_transition', `This member ${why}.`)

export type InvitationDeps = {
  readonly changes: ChangeDeps
  readonly passwords: Passwords
  readonly knownBrowsers: KnownBrowsers
  readonly passwordSignIn: PasswordSignIn
  /** Null where no email is sent. */
  readonly outbox: Outbox | null
  readonly peopleLog: Pick<PeopleLog, 'record'>
}
type NewAccount = { readonly name: string; readonly email: string; readonly passwordHash: string }
type Accepted = Notifications & { readonly account: Account; readonly opened: OpenedSession }

/** Works once: for a new account, or for the account that is signed in. */
const accept =
  ({
    changes,
    passwords,
    knownBrowsers,
    passwordSignIn,
    peopleLog,
  }: InvitationDeps): Handler<typeof acceptInvitation> =>
  async ({ token, ...person }, call) => {
    const { db, principal, now, setSession } = call
    const invitation = await findOpen(token, call)
    const isNew = Object.keys(person).length > 0 || principal.kind !== 'account'
    if (isNew) assertPasswordSignIn(passwordSignIn)
    const made = isNew ? await newAccount(person, invitation.member.email, call, passwords) : null
    const start = { now, confirmedAt: made === null ? null : now, method: made === null ? 'kept' : 'link' } as const
    const { account, opened } = await commitChange(changes, { principal }, async (tx): Promise<Accepted> => {
      if (!(await takeInvitation(tx, invitation))) throw isOver()
      const by = made === null ? await findAccount(tx, principal.id) : await insertAccount(tx, made, now)
      const notifications = await becomeMember(changes, tx, invitation, by, principal)
      return { account: by, opened: await openSession(tx, by.id, principal, start), ...notifications }
    })
    setSession(opened.token)
    call.setBrowser(knownBrowsers.marked(call.browser, account))
    peopleLog.record(sessionEntry(acceptInvitation, account, opened.row, principal, now))
    return await describe(db, opened.row, account, now)
  }

/**
 * Throws a fault for what is missing or wrong. The email must be that of the invitation, for which the inviter has
 * vouched: another address may belong to another person.
 */
async function newAccount(
  { name, email, password }: Omit<Input<typeof acceptInvitation>, 'token'>,
  invited: string,
  { db, withoutSlot }: Pick<Call, 'db' | 'withoutSlot'>,
  passwords: Passwords,
): Promise<NewAccount> {
  if (name === undefined) throw missing('name')
  if (email === undefined) throw missing('email')
  if (password === undefined) throw missing('password')
  if (email.toLowerCase() !== invited)
    throw invalidField('email', 'wrong_format', 'Must be the email of the invitation. You can change it afterwards.')
  if ((await findAccountByEmail(db, email)) !== null) throw duplicate('email', undefined)
  await assertNotGuessed('password', password, [name, email])
  return { name, email, passwordHash: await withoutSlot(() => passwords.hash(password)) }
}

const missing = (field: string): Fault => invalidField(field, 'required', 'Is needed to make an account.')

/** Links the account to the member of the invitation, which was taken in this transaction. */
export function becomeMember(
  changes: ChangeDeps,
  tx: Db,
  { workspaceId, memberId }: Invitation,
  account: Account,
  principal: Principal,
): Promise<Notifications> {
  const member: Principal = { ...principal, kind: 'member', id: memberId, name: account.name, workspaceId }
  const action = { name: 'invitations.accept' }
  return runChange(changes, tx, { principal: member, workspaceId, action }, async (call) => {
    if (await isMemberOf(tx, workspaceId, account.id))
      throw new Fault('invalid_transition', 'This account is a member of the workspace already.')
    const before = await findMember(tx, workspaceId, memberId)
    const after = applyPatch(before, { status: 'active' }, call)
    await linkAccount(tx, before, account.id)
    if (after === before) return
    await updateMemberRow(tx, after)
    call.emit(memberUpdated, after, before)
  })
}
