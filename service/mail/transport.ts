// Hands emails to the SMTP server of the installation, over a few connections that are kept for a while. Every wait
// for the server is bounded, and so is an attempt as a whole.
import { setTimeout as pause } from 'node:timers/promises'
import nodemailer from 'nodemailer'
import type { MailConfig } from './settings.ts'
import type { WrittenLetter } from './letter.ts'

export type OutgoingMail = WrittenLetter & {
  /** Every attempt has the same Message-ID: a receiver that gets the email twice can tell. */
  readonly id: string
  readonly to: string
}
/** `retry`: the server may take it later. `refused`: it never will. `reason` holds no text of the email. */
export type SendOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'retry'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }
export type SendMail = (mail: OutgoingMail) => Promise<SendOutcome>
export type MailTransport = { readonly send: SendMail; readonly close: () => Promise<void> }

const connectionsMax = 3
const mailsPerConnection = 50

export type MailTimeouts = Readonly<Record<'connectMs' | 'greetingMs' | 'idleMs' | 'attemptMs', number>>
const defaultTimeouts: MailTimeouts = { connectMs: 10_000, greetingMs: 10_000, idleMs: 20_000, attemptMs: 60_000 }

export function openMailTransport(config: MailConfig, timeouts: MailTimeouts = defaultTimeouts): MailTransport {
  const { host, port, isImplicitTls, requiresTls, authorities, login, from, publicUrl } = config
  const { connectMs, greetingMs, idleMs, attemptMs } = timeouts
  const transport = nodemailer.createTransport({
    pool: true,
    maxConnections: connectionsMax,
    maxMessages: mailsPerConnection,
    host,
    port,
    secure: isImplicitTls,
    requireTLS: requiresTls && !isImplicitTls,
    // A server on this machine may offer a certificate that nobody has signed.
    ignoreTLS: !requiresTls && !isImplicitTls && authorities === null,
    tls: { minVersion: 'TLSv1.2', ...(authorities !== null && { ca: authorities }) },
    ...(login !== null && { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    socketTimeout: idleMs,
    dnsTimeout: connectMs,
    // Text is all that an email of ours is made of.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = new URL(publicUrl).hostname
  return {
    send: async ({ id, to, subject, text, html }) => {
      const late = new AbortController()
      const sending = transport.sendMail({
        from: { name: from.name, address: from.address },
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${id}@${domain}>`,
        // No out-of-office answers, and no answers of other machines.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      })
      const expired = pause(attemptMs, tooLate, { signal: late.signal })
      try {
        return await Promise.race([sending.then(() => sent), expired])
      } catch (error) {
        return outcomeOf(error as SmtpError)
      } finally {
        late.abort()
        expired.catch(() => {})
        sending.catch(() => {})
      }
    },
    close: async () => transport.close(),
  }
}

const sent: SendOutcome = { kind: 'sent' }
const tooLate: SendOutcome = { kind: 'retry', reason: 'The server took too long.' }

type SmtpError = { readonly code?: string; readonly responseCode?: number; readonly command?: string }

/** Commands that are about one email; `API`: the library refuses it before it is sent. */
const ofOneMail = new Set(['RCPT TO', 'DATA', 'API'])

/**
 * A 5xx answer to the email itself is final. What concerns the server as a whole, such as a wrong password, a sender
 * that it does not take, an expired certificate or no connection, can be repaired while the email waits.
 */
export function outcomeOf({ code = 'unknown', responseCode, command }: SmtpError): SendOutcome {
  const answer = responseCode === undefined ? '' : `, answer ${responseCode}`
  const reason = `${code}${command === undefined ? '' : ` at ${command}`}${answer}`
  const isFinal = command === 'API' || (responseCode !== undefined && responseCode >= 500)
  return { kind: isFinal && ofOneMail.has(command ?? '') ? 'refused' : 'retry', reason }
}
