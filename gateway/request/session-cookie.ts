// The cookies of a person who signs in: of their session, and of the browser, which is known again when the session is
// over. Over https their names begin with `__Host-`, which browsers let no other site set: no host of the domain, and
// no page over http. On this machine itself they work over http, without that: there all that listens on any port
// shares one jar, so the name says whose cookie it is, and of which port.
import { browserHeader, sessionEnded, sessionHeader } from '#contract/internal/gateway-endpoints.ts'
import type { Arrival } from './trusted-proxies.ts'
import { knownBrowserDays, sessionDays } from '#contract/sessions.ts'

type Kind = {
  /** Of the service's answer that tells its value. */
  readonly header: string
  readonly names: Readonly<Record<'https' | 'loopback', string>>
  readonly form: RegExp
  readonly days: number
}
const session: Kind = {
  header: sessionHeader,
  names: { https: '__Host-session', loopback: 'workspace-session' },
  form: /^[\w-]{43}$/,
  days: sessionDays,
}
const browser: Kind = {
  header: browserHeader,
  names: { https: '__Host-browser', loopback: 'workspace-browser' },
  form: /^[\w-]{22}\.[\w-]{43}(?:\.[\w-]{22}){1,5}$/,
  days: knownBrowserDays,
}

type Called = Pick<Arrival, 'transport' | 'port'>
/** Makes Set-Cookie of what a header of the service tells: a value, or that there is none any more. */
export type ToCookies = ReadonlyMap<string, (told: string) => string>

export const sessionTokenIn = (cookies: string | undefined, called: Called): string | null =>
  valueIn(cookies, session, called)

export const browserTokenIn = (cookies: string | undefined, called: Called): string | null =>
  valueIn(cookies, browser, called)

/** Null where there is none in the right form, or more than one: it is not known which of them is meant. */
function valueIn(cookies: string | undefined, kind: Kind, called: Called): string | null {
  const name = nameFor(kind, called)
  if (cookies === undefined || name === null) return null
  const start = `${name}=`
  const own = cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(start))
  const value = own[0]?.slice(start.length) ?? ''
  return own.length === 1 && kind.form.test(value) ? value : null
}

/** By the header that tells of each. Empty over an open network. */
export const cookiesFor = (called: Called): ToCookies =>
  new Map([session, browser].flatMap((kind) => toCookie(kind, called)))

function toCookie(kind: Kind, called: Called): [string, (told: string) => string][] {
  const name = nameFor(kind, called)
  if (name === null) return []
  const secure = called.transport === 'https' ? '; Secure' : ''
  const make = (told: string): string => {
    const [value, maxAge] = told === sessionEnded ? ['', 0] : [told, kind.days * 86_400]
    return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`
  }
  return [[kind.header, make]]
}

function nameFor({ names }: Kind, { transport, port }: Called): string | null {
  if (transport === 'open') return null
  return transport === 'https' ? names.https : `${names.loopback}-${port}`
}
