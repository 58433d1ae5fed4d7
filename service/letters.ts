// The emails to people about their access: an invitation, a link to set a new password, a link to confirm a new
// address, a notice to the former address, and a test. The links of the second and third are made when the email is
// written, so that their tokens are stored nowhere.
import { emailChangeDays } from '#contract/account.ts'
import { resetLinkMinutes } from '#contract/accounts.ts'
import { confirmEmailPage, consolePrefix, invitationPage, resetAccessPage } from '#contract/route-paths.ts'
import { inLine, momentText } from './mail/letter.ts'
import type { Writer } from './mail/outbox.ts'
import { putReset } from './identity/access-resets/rows.ts'
import { findAccountByEmail, makeEmailToken } from './identity/accounts/rows.ts'
import { findInvited } from './identity/invitations/rows.ts'

export const writeInvitation: Writer<'invitation'> = async ({ token }, { db, now, publicUrl }) => {
  const invited = await findInvited(db, token, now)
  if (invited === null) return null
  const { member, expiresAt, createdBy } = invited
  const workspace = inLine(member.workspace.name)
  const inviter = nameIn(createdBy)
  return {
    to: member.email,
    letter: {
      subject: `Invitation to ${workspace}`,
      paragraphs: [
        `Hello ${inLine(member.name)},`,
        `${inviter === null ? 'You are invited' : `${inLine(inviter)} has invited you`} to join the workspace ${workspace} as ${member.role}.`,
      ],
      action: { label: 'Accept the invitation', url: `${publicUrl}${invitationPage}#${token}` },
      footnotes: [
        `The link works once and expires on ${dayOf(expiresAt)}. Do not forward it: anyone with the link can join in your place.`,
        'If you do not know this workspace, ignore this email.',
      ],
    },
  }
}

function nameIn(actor: unknown): string | null {
  const { type, name } = (actor ?? {}) as { readonly type?: unknown; readonly name?: unknown }
  return type === 'user' && typeof name === 'string' ? name : null
}

/** A link that comes later than it would have ended is of no use. */
export const writePasswordReset: Writer<'password-reset'> = async ({ email }, { db, now, createdAt, publicUrl }) => {
  if (now.getTime() - createdAt.getTime() >= resetLinkMinutes * 60_000) return null
  const account = await findAccountByEmail(db, email)
  if (account === null) return null
  const asked = `Someone, probably you, asked to set a new password for ${account.email}.`
  const ignore = 'If it was not you, ignore this email. Your password stays as it is.'
  if (account.passwordHash === null)
    return {
      to: account.email,
      letter: {
        subject: 'Your account has no password',
        paragraphs: [asked, 'This account has no password. Sign in with your sign-in provider instead.'],
        action: { label: 'Sign in', url: `${publicUrl}${consolePrefix}/sign-in` },
        footnotes: ['If it was not you, ignore this email. Nothing was changed.'],
      },
    }
  const { token } = await putReset(db, account.id, false, now)
  return {
    to: account.email,
    letter: {
      subject: 'Set a new password',
      paragraphs: [asked],
      action: { label: 'Set a new password', url: `${publicUrl}${resetAccessPage}#${token}` },
      footnotes: [
        `The link works once and expires in ${resetLinkMinutes} minutes. A new password signs you out everywhere else.`,
        ignore,
      ],
    },
  }
}

export const writeEmailChange: Writer<'email-change'> = async ({ accountId, email }, { db, now, publicUrl }) => {
  const account = await db.account.findUnique({ where: { id: accountId } })
  const token = account === null ? null : await makeEmailToken(db, { accountId, email }, now)
  if (account === null || token === null) return null
  return {
    to: email,
    letter: {
      subject: 'Confirm your new email address',
      paragraphs: [
        `Hello ${inLine(account.name)},`,
        `Confirm that you want to sign in with ${email}. Until then you sign in with ${account.email}.`,
      ],
      action: { label: 'Confirm the email address', url: `${publicUrl}${confirmEmailPage}#${token}` },
      footnotes: [
        `The link works once and expires ${emailChangeDays} days after the change was requested.`,
        'If you did not request this change, ignore this email.',
      ],
    },
  }
}

/** Without a link: whoever reads the former address may be another person by now. */
export const writeEmailChanged: Writer<'email-changed'> = async ({ accountId, former, email }, { db, createdAt }) => {
  const account = await db.account.findUnique({ where: { id: accountId } })
  if (account === null) return null
  return {
    to: former,
    letter: {
      subject: 'Your email address was changed',
      paragraphs: [
        `Hello ${inLine(account.name)},`,
        `On ${momentText(createdAt, 'UTC')} the email address of your account was changed from ${former} to ${email}. You now sign in with ${email}, and emails about your account go there.`,
        'If you did not want this change, someone else may have access to your account. Ask an owner of your workspace to suspend it there, and the operator of this installation to give you access again.',
      ],
      action: null,
      footnotes: ['You get this email because the account had this address. No more emails about it come here.'],
    },
  }
}

export const writeTest: Writer<'test'> = async ({ email }, { publicUrl }) => ({
  to: email,
  letter: {
    subject: 'Test email',
    paragraphs: ['Email of this installation reaches you.'],
    action: { label: 'Go to the workspace settings', url: `${publicUrl}${consolePrefix}` },
    footnotes: ['You get this email because you asked for it in the workspace settings.'],
  },
})

const dayOf = (moment: Date): string =>
  moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
