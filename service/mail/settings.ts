// The settings of the server that takes email. Without SMTP_URL no email is sent: links are handed on by people, and
// alarms are shown in the workspace settings only.
import { parseAddress } from '#runtime/ip-address.ts'
import { readAuthorities } from '#runtime/certificates.ts'
import { flag, text, url, type Setting } from '#runtime/settings.ts'

/** Where and how email is sent. */
export type MailConfig = {
  readonly host: string
  readonly port: number
  /** TLS from the first byte, as `smtps` names it. Otherwise by STARTTLS. */
  readonly isImplicitTls: boolean
  /** An email is never sent without TLS, nor to a server whose certificate is not accepted. */
  readonly requiresTls: boolean
  /** PEM of the authorities that are trusted; null: those of Node. */
  readonly authorities: string | null
  readonly login: { readonly user: string; readonly password: string } | null
  readonly from: MailAddress
  /** The origin that links in emails begin with. */
  readonly publicUrl: string
}
export type MailAddress = { readonly name: string; readonly address: string }

const authoritiesIn = 'cacertfile'
const declaredUrl = url<null>('SMTP_URL', {
  protocols: ['smtp', 'smtps'],
  default: null,
  description:
    'The server that sends email: `smtp://user:password@host:587`, which must offer STARTTLS, or `smtps://user:password@host:465`. `?cacertfile=` names a PEM file of the authorities of its certificate. Left out: no email is sent. Needs MAIL_FROM and PUBLIC_URL.',
})
const declaredFrom = text('MAIL_FROM', {
  default: null,
  description: 'The sender of emails: an address, or a name with one, `Workspace <no-reply@example.com>`.',
})

export const mailSettings = {
  smtpUrl: { ...declaredUrl, parse: smtpUrlOf } satisfies Setting<string | null>,
  smtpAllowPlaintext: flag('SMTP_ALLOW_PLAINTEXT', {
    default: false,
    description:
      'Whether email may be sent without TLS to a server that is not on this machine. Links that give access can then be read on the way.',
  }),
  mailFrom: {
    ...declaredFrom,
    parse: (given: string) => {
      if (addressIn(given) === null) throw new Error('must be an address such as Workspace <no-reply@example.com>')
      return given
    },
  } satisfies Setting<string | null>,
}

type Given = {
  readonly smtpUrl: string | null
  readonly smtpAllowPlaintext: boolean
  readonly mailFrom: string | null
  readonly publicUrl: string | null
}

/** Returns a sentence for each contradiction among the settings. */
export function mailContradictions({ smtpUrl, smtpAllowPlaintext, mailFrom, publicUrl }: Given): string[] {
  if (smtpUrl !== null)
    return [
      ...(mailFrom === null ? ['MAIL_FROM is missing: SMTP_URL needs it.'] : []),
      ...(publicUrl === null ? ['PUBLIC_URL is missing: the links in emails begin with it.'] : []),
    ]
  return [
    ...(mailFrom === null ? [] : ['MAIL_FROM is given without SMTP_URL.']),
    ...(smtpAllowPlaintext ? ['SMTP_ALLOW_PLAINTEXT is given without SMTP_URL.'] : []),
  ]
}

/** Returns null when no email is sent. The settings must be without contradictions. Throws a StartupError. */
export function mailConfigIn({ smtpUrl, smtpAllowPlaintext, mailFrom, publicUrl }: Given): MailConfig | null {
  const from = mailFrom === null ? null : addressIn(mailFrom)
  if (smtpUrl === null || from === null || publicUrl === null) return null
  const { protocol, hostname, port, username, password, searchParams } = new URL(smtpUrl)
  const host = hostname.replaceAll(/^\[|\]$/g, '')
  const isImplicitTls = protocol === 'smtps:'
  const file = searchParams.get(authoritiesIn)
  return {
    host,
    port: port === '' ? (isImplicitTls ? 465 : 587) : Number(port),
    isImplicitTls,
    // On this machine nobody reads along. Who names authorities wants TLS there as well.
    requiresTls: file !== null || !(smtpAllowPlaintext || isLoopback(host)),
    authorities: file === null ? null : readAuthorities('cacertfile of SMTP_URL', file),
    login: username === '' ? null : { user: decodeURIComponent(username), password: decodeURIComponent(password) },
    from,
    publicUrl,
  }
}

const isLoopback = (host: string): boolean => host === 'localhost' || parseAddress(host)?.range() === 'loopback'

function smtpUrlOf(given: string): string {
  const checked = declaredUrl.parse(given) ?? ''
  const parsed = new URL(checked)
  const isPlain = parsed.hostname !== '' && (parsed.pathname === '' || parsed.pathname === '/') && parsed.hash === ''
  const isKnown = [...parsed.searchParams.keys()].every((name) => name === authoritiesIn)
  if (!isPlain || !isKnown || !isEncoded(parsed.username) || !isEncoded(parsed.password))
    throw new Error(
      'must be an address such as smtp://user:password@host:587, with no more than ?cacertfile= behind it',
    )
  return checked
}

function isEncoded(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

const addressForm = /^[^\s<>"@,;:\\]{1,64}@[^\s<>"@,;:\\]{1,190}$/
const namedForm = /^(?<name>[^<>\r\n"]{0,100}?)\s*<(?<address>[^<>]+)>$/

/** Returns null for a text that names no sender. */
function addressIn(given: string): MailAddress | null {
  const { name = '', address = given } = namedForm.exec(given)?.groups ?? {}
  return addressForm.test(address) ? { name: name.trim(), address } : null
}
