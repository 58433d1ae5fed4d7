// The new email of an account takes effect by the link that is sent to it, or by an owner of one of the person's
// workspaces or the operator, who vouches for it. Each step is recorded in the audit logs of all workspaces of the
// account; the owner's name and address only in their own.
import {
  confirmEmail,
  confirmEmailByLink,
  confirmEmailChange,
  declineEmailChange,
  type listEmailChanges,
} from '#contract/email-changes.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Account, EmailChange } from '#prisma/generated/client.ts'
import { commitChange, type ChangeDeps, type Action } from '../../execution/change.ts'
import type { Call, Db, Handler, Handlers } from '../../execution/call.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { byOutsider, byThemselves, recordInWorkspaces } from '../accounts/record-in-workspaces.ts'
import {
  dropEmailChange,
  findAccountByEmail,
  findEmailChange,
  findEmailChangeByToken,
  takeEmail,
  toAccount,
} from '../accounts/rows.ts'
import { foundByLink } from '../accounts/sign-in-attempts.ts'

type EmailChangeDeps = {
  readonly changes: ChangeDeps
  /** Null where no email is sent. */
  readonly outbox: Outbox | null
}

export const emailChangeHandlers = (deps: EmailChangeDeps) =>
  ({
    'email-changes.list': list,
    'email-changes.confirm': confirm(deps),
    'email-changes.decline': decline(deps),
    'email-changes.confirm-by-link': confirmByLink(deps),
    'accounts.confirm-email': confirmAny(deps),
  }) satisfies Partial<Handlers>

const listedMax = 200

const list: Handler<typeof listEmailChanges> = async (_input, { db, workspaceId, now }) => {
  const isMember = { some: { workspaceId, status: 'active', deletedAt: null } }
  const rows = await db.emailChange.findMany({
    where: { expiresAt: { gt: now }, account: { members: isMember } },
    include: { account: { include: { members: { where: isMember.some, select: { id: true, name: true } } } } },
    orderBy: [{ requestedAt: 'asc' }, { accountId: 'asc' }],
    take: listedMax,
  })
  const data = rows.flatMap(({ account, email: newEmail, requestedAt, expiresAt }) =>
    account.members.map(({ id: memberId, name }) => ({
      object: 'email_change' as const,
      memberId,
      name,
      email: account.email,
      newEmail,
      requestedAt: requestedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
  )
  return { data }
}

const confirm =
  (deps: EmailChangeDeps): Handler<typeof confirmEmailChange> =>
  async ({ id, newEmail }, call) => {
    const { principal } = call
    await commitChange(deps.changes, call, async (tx) => {
      const pending = await findOfMember(tx, id, call)
      assertOwner(principal)
      if (principal.kind === 'member' && principal.id === id.toLowerCase()) throw notOneself()
      if (pending.email !== newEmail.toLowerCase()) throw nothingWaits()
      return await take(tx, deps, pending, confirmEmailChange, authorOf(principal), call.now)
    })
    return null
  }

const decline =
  ({ changes }: Pick<EmailChangeDeps, 'changes'>): Handler<typeof declineEmailChange> =>
  async ({ id }, call) => {
    await commitChange(changes, call, async (tx) => {
      const { account, email } = await findOfMember(tx, id, call)
      assertOwner(call.principal)
      await dropEmailChange(tx, account.id)
      return await recordInWorkspaces(changes, tx, account, {
        action: declineEmailChange,
        by: authorOf(call.principal),
        before: { pendingEmail: email },
        after: { pendingEmail: null },
      })
    })
    return null
  }

const confirmAny =
  (deps: EmailChangeDeps): Handler<typeof confirmEmail> =>
  async ({ email, newEmail }, call) => {
    const { after } = await commitChange(deps.changes, call, async (tx) => {
      const account = await findAccountByEmail(tx, email)
      const pending = account === null ? null : await findEmailChange(tx, account.id, call.now)
      if (account === null || pending?.email !== newEmail.toLowerCase()) throw nothingWaits()
      return await take(tx, deps, { ...pending, account }, confirmEmail, authorOf(call.principal), call.now)
    })
    return toAccount(after, null)
  }

const confirmByLink =
  (deps: EmailChangeDeps): Handler<typeof confirmEmailByLink> =>
  async ({ token }, call) => {
    const { principal, now } = call
    const pending = await foundByLink(call, () => findEmailChangeByToken(call.db, token, now))
    if (pending === null) throw linkIsOver()
    const { after } = await commitChange(deps.changes, { principal }, async (tx) => {
      // Between the two reads the link may have been used, or the change withdrawn.
      if ((await findEmailChangeByToken(tx, token, now)) === null) throw linkIsOver()
      return await take(tx, deps, pending, confirmEmailByLink, byThemselves(principal, pending.account), now)
    })
    return { object: 'confirmed_email', email: after.email }
  }

const linkIsOver = (): Fault =>
  new Fault('not_found', 'This link was used or replaced, or is too old. Change the email again to get another.')

type PendingEmail = EmailChange & { readonly account: Account }

async function take(
  tx: Db,
  { changes, outbox }: EmailChangeDeps,
  pending: PendingEmail,
  action: Action,
  by: Author,
  now: Date,
) {
  const after = await takeEmail(tx, outbox, pending, now)
  if (after === null) throw nothingWaits()
  const recorded = await recordInWorkspaces(changes, tx, after, {
    action,
    by,
    before: { email: pending.account.email, pendingEmail: pending.email },
    after: { email: after.email, pendingEmail: null },
  })
  return { after, ...recorded }
}

/** The pending email of an active member of the workspace. Throws `not_found`. */
async function findOfMember(
  tx: Db,
  id: string,
  { workspaceId, now }: Pick<Call, 'workspaceId' | 'now'>,
): Promise<PendingEmail> {
  const member = await tx.member.findFirst({
    where: { workspaceId, id, status: 'active', deletedAt: null },
    select: { account: true },
  })
  const account = member?.account ?? null
  const pending = account === null ? null : await findEmailChange(tx, account.id, now)
  if (account === null || pending === null) throw nothingWaits()
  return { ...pending, account }
}

type Author = Parameters<typeof recordInWorkspaces>[3]['by']

const elsewhere = { id: 'owner-elsewhere', name: 'An owner of another workspace' }

/** The operator is the same everywhere. */
const authorOf =
  (principal: Principal): Author =>
  (membership) =>
    principal.kind === 'operator' || membership.workspaceId === principal.workspaceId
      ? principal
      : byOutsider(principal, elsewhere)(membership)

function assertOwner({ kind, session }: Pick<Principal, 'kind' | 'session'>): void {
  if (kind !== 'member' || session?.role === 'owner') return
  throw new Fault('insufficient_scope', 'Only owners decide about the email of a member.', {
    requiredRoles: ['owner'],
  })
}

const notOneself = (): Fault =>
  new Fault(
    'insufficient_scope',
    'You cannot confirm your own email change. Another owner or the operator confirms it.',
    {
      requiredRoles: [],
    },
  )

const nothingWaits = (): Fault => new Fault('not_found', 'This email does not wait to be confirmed.')
