// An invitation is accepted once: by a new account, or by that of whoever is signed in.
import { Fault } from '#contract/faults/fault.ts'
import type { acceptInvitation } from '#contract/invitations.ts'
import { memberUpdated } from '#contract/members.ts'
import type { Input } from '#contract/operation.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Account, Invitation } from '#prisma/generated/client.ts'
import { assertNotGuessed } from '../accounts/password-rule.ts'
import { assertPasswordSignIn, type PasswordSignIn } from '../accounts/password-sign-in.ts'
import type { KnownBrowsers } from '../accounts/known-browsers.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { findAccount, findAccountByEmail, insertAccount } from '../accounts/rows.ts'
import { commitChange, runChange, type ChangeParts } from '../execution/commit-change.ts'
import type { Call, Db, Handler } from '../execution/handler.ts'
import type { Notifications } from '../execution/record-change.ts'
import { duplicate } from '../faults/database-fault.ts'
import { invalidField } from '../faults/field-refusals.ts'
import { findMember, isMemberOf, linkAccount, updateMember } from '../members/rows.ts'
import { applyPatch } from '../members/rules.ts'
import { describe } from '../sessions/current.ts'
import { openSession, type OpenedSession } from '../sessions/rows.ts'
import { findOpen, isOver } from './invite.ts'
import { takeInvitation } from './rows.ts'

type Parts = {
  readonly changes: ChangeParts
  readonly passwords: Passwords
  readonly knownBrowsers: KnownBrowsers
  readonly passwordSignIn: PasswordSignIn
}
type NewAccount = { readonly name: string; readonly email: string; readonly passwordHash: string }
type Accepted = Notifications & { readonly account: Account; readonly opened: OpenedSession }

export const accept =
  ({ changes, passwords, knownBrowsers, passwordSignIn }: Parts): Handler<typeof acceptInvitation> =>
  async ({ token, ...person }, call) => {
    const { db, principal, now, setSession } = call
    const invitation = await findOpen(token, call)
    const isNew = Object.keys(person).length > 0 || principal.kind !== 'account'
    if (isNew) assertPasswordSignIn(passwordSignIn)
    const made = isNew ? await newAccount(person, invitation.member.email, call, passwords) : null
    const confirmedAt = made === null ? null : now
    const { account, opened } = await commitChange(changes, { principal }, async (tx): Promise<Accepted> => {
      if (!(await takeInvitation(tx, invitation))) throw isOver()
      const by = made === null ? await findAccount(tx, principal.id) : await insertAccount(tx, made, now)
      const notifications = await becomeMember(changes, tx, invitation, by, principal)
      return { account: by, opened: await openSession(tx, by.id, principal, { now, confirmedAt }), ...notifications }
    })
    setSession(opened.token)
    call.setBrowser(knownBrowsers.marked(call.browser, account))
    return await describe(db, opened.row, account, now)
  }

/**
 * Throws what is wrong with it. Its e-mail is that of the invitation, for which whoever invites has vouched: another one may
 * be somebody else's.
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
    throw invalidField('email', 'wrong_format', 'Must be the e-mail of the invitation. You can change it afterwards.')
  if ((await findAccountByEmail(db, email)) !== null) throw duplicate('email', undefined)
  await assertNotGuessed('password', password, [name, email])
  return { name, email, passwordHash: await withoutSlot(() => passwords.hash(password)) }
}

const missing = (field: string): Fault => invalidField(field, 'required', 'Is needed to make an account.')

/** As the invitation says, which was taken in this transaction. */
export function becomeMember(
  changes: ChangeParts,
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
    await updateMember(tx, after)
    call.emit(memberUpdated, after, before)
  })
}
